/** What `queue top` draws, on a terminal that a test looks at, and beside a server that goes away. */
import { afterAll, describe, expect, test } from 'vitest';
import type { QueueFieldsFragment, StatsFieldsFragment } from '../../src/client/index.ts';
import { type Picture, topLines } from '../../src/cli/queues/top-view.ts';
import { attention, byTrouble } from '../../src/cli/queues/trouble.ts';
import { commandShim } from '../support/command-shim.ts';
import { ask, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';
import { onTerminal } from '../support/terminal.ts';

type Figures = Partial<Omit<QueueFieldsFragment['stats'], 'counts' | 'throughput'>> & {
  readonly counts?: Partial<QueueFieldsFragment['stats']['counts']>;
  readonly throughput?: Partial<QueueFieldsFragment['stats']['throughput']>;
};
const COUNTS = { queued: 0, running: 0, retry: 0, completed: 0, dead: 0, cancelled: 0 };
const THROUGHPUT = { submittedPerSecond: 0, claimedPerSecond: 0, completedPerSecond: 0, failedPerSecond: 0 };

const IDLE = { ready: 0, delayed: 0, oldestReadySeconds: null, waitP95Seconds: null, runP95Seconds: null, diedLastHour: 0 };

function queue(name: string, { counts = {}, throughput = {}, ...figures }: Figures = {}, paused = false): QueueFieldsFragment {
  return {
    name,
    paused,
    pausedAt: null,
    pauseReason: null,
    version: 1,
    createdAt: '2026-03-01T00:00:00.000Z',
    defaults: { priority: 0, maxAttempts: 3, retryBaseSeconds: 15, retryMaxSeconds: 3600, leaseSeconds: 60 },
    retention: { completedSeconds: 1, cancelledSeconds: 1, deadSeconds: 1 },
    stats: { ...IDLE, ...figures, counts: { ...COUNTS, ...counts }, throughput: { ...THROUGHPUT, ...throughput } },
  };
}

const CALM = queue('calm', { throughput: { completedPerSecond: 2 } });
const DEAD = queue('dead', { counts: { dead: 1 } });
const FAILING = queue('failing', { throughput: { completedPerSecond: 1, failedPerSecond: 2 } });
const SLOW = queue('slow', { ready: 5, oldestReadySeconds: 125, counts: { running: 1 } });
const PAUSED = queue('paused', { counts: { queued: 2 } }, true);
const STUCK = queue('stuck', { ready: 1, oldestReadySeconds: 1, counts: { queued: 1 } });

test('trouble has an order, and words', () => {
  const all = [CALM, DEAD, FAILING, SLOW, PAUSED, STUCK];
  expect(byTrouble(all)).toEqual(all.toReversed());
  expect(attention(all)).toEqual([
    'nobody takes the 1 ready job of stuck',
    'paused is paused with 2 jobs waiting',
    'slow keeps a ready job waiting for 2m 5s',
    'most attempts of failing fail',
    'dead has 1 dead letter',
  ]);
  expect(byTrouble([queue('b'), queue('a')]).map(({ name }) => name)).toEqual(['a', 'b']);
});

describe('a picture', () => {
  const stats: StatsFieldsFragment = { counts: COUNTS, ready: 0, oldestReadySeconds: null, throughput: THROUGHPUT, workers: 1, asOf: '' };
  const queues = Array.from({ length: 40 }, (_, index) => queue(`queue-${index + 10}`));
  const fresh: Picture = { snapshot: { queues, stats, atMs: 1_000, hasMore: false }, failure: null, askedMs: null };
  const frame = { look: { hasColor: false, columns: 60 }, rows: 12, nowMs: 9_000, title: 'title' };

  test('fits into the terminal, and says what did not', () => {
    const lines = topLines(fresh, frame);
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(lines.every((line) => line.length <= 60)).toBe(true);
    expect(lines.at(-1)).toBe('and 34 more queues');
    expect(topLines(fresh, { ...frame, rows: 100 })).toHaveLength(45);
    for (const rows of [1, 3, 5]) expect(() => topLines(fresh, { ...frame, rows })).not.toThrow();
  });

  test('never shows old figures without a word about it', () => {
    expect(topLines({ ...fresh, askedMs: 8_900 }, frame)[1]).toMatch(/^40 queues/);
    expect(topLines({ ...fresh, askedMs: 5_000 }, frame)[1]).toMatch(/^The server has not answered for 4s\. These figures are of /);
    const failed = topLines({ ...fresh, failure: { sinceMs: 3_000, message: 'gone\x1b[2J' } }, { ...frame, look: { hasColor: false, columns: null } });
    expect(failed[1]).toMatch(/^Server not reached since \d\d:\d\d:\d\d\. These figures are of \d\d:\d\d:\d\d, 8s ago\. gone\\x1b\[2J$/);
    expect(topLines({ snapshot: null, failure: null, askedMs: 1 }, { ...frame, nowMs: 2 })).toEqual(['title', 'Asking the server …']);
  });
});

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
commandShim(folder.path);

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';

describe('on a terminal', () => {
  test.each([
    ['q', 'q'],
    ['Ctrl-C', '\x03'],
  ])('it takes the whole screen, and gives it back after %s', async (name, key) => {
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file(`${name}.db`), LEASEQUEUE_AUTH: 'none' });
    try {
      await ask(server.url, 'mutation { submitJob(input: { task: "t", queue: "shown" }) { __typename } }');
      const terminal = onTerminal(folder.path, server.url, 'queue top --every 500ms');
      await terminal.shows(/shown +1 /);
      terminal.press(key);
      expect(await terminal.ended).toBe(0);
      expect([terminal.text().startsWith(ENTER), terminal.text().endsWith(LEAVE)]).toEqual([true, true]);
      expect(terminal.text()).toContain('\x1b[HLeaseQueue at');
    } finally {
      await server.end('SIGTERM');
    }
  });

  test('it says since when the server is away, keeps the age of its figures, and goes on when it is back', async () => {
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('away.db'), LEASEQUEUE_AUTH: 'none' };
    const first = await startServer(settings);
    await ask(first.url, 'mutation { submitJob(input: { task: "t", queue: "kept" }) { __typename } }');
    const terminal = onTerminal(folder.path, first.url, 'queue top --every 500ms');
    await terminal.shows(/kept +1 /);
    await first.end('SIGKILL');
    await terminal.shows(/Server not reached since \d\d:\d\d:\d\d\. These figures are of \d\d:\d\d:\d\d, 2s ago/);
    const second = await startServer({ ...settings, LEASEQUEUE_PORT: new URL(first.url).port });
    try {
      await ask(second.url, 'mutation { submitJob(input: { task: "t", queue: "kept" }) { __typename } }');
      await terminal.shows(/kept +2 /);
      expect(terminal.text().slice(terminal.text().lastIndexOf('\x1b[H'))).not.toContain('not reached');
      terminal.press('q');
      expect(await terminal.ended).toBe(0);
    } finally {
      await second.end('SIGTERM');
    }
  });
});
