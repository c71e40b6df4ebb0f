/** Every screen of the console: its address, its name, and the letter that leads to it after `g`. */

export interface ScreenEntry {
  readonly path: string;
  readonly title: string;
  /** After `g`; null where no key leads there. */
  readonly key: string | null;
  /** In the bar of screens; others are reached from within. */
  readonly isInBar: boolean;
}

export const SCREENS = {
  overview: { path: 'overview', title: 'Overview', key: 'o', isInBar: true },
  queues: { path: 'queues', title: 'Queues', key: 'q', isInBar: true },
  jobs: { path: 'jobs', title: 'Jobs', key: 'j', isInBar: true },
  dead: { path: 'dead-letters', title: 'Dead letters', key: 'd', isInBar: true },
  workers: { path: 'workers', title: 'Workers & leases', key: 'w', isInBar: true },
  live: { path: 'live', title: 'Live', key: 'l', isInBar: true },
  settings: { path: 'settings', title: 'Settings', key: 's', isInBar: true },
  submit: { path: 'submit', title: 'Submit a job', key: 'n', isInBar: false },
  play: { path: 'play', title: 'Play a worker', key: 'p', isInBar: false },
} as const satisfies Readonly<Record<string, ScreenEntry>>;

export type ScreenName = keyof typeof SCREENS;

export const SCREEN_NAMES = Object.keys(SCREENS) as readonly ScreenName[];
