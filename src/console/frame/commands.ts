/** Everything that can be done by typing its name. */
import { prefer, preferences, THEMES } from '../api/preferences.ts';
import { isOpen, signOut } from '../api/session.ts';
import { go, hrefOf } from '../route/route.ts';
import { SCREEN_NAMES, SCREENS } from '../route/screens.ts';
import { isScreenOpen } from './rights.ts';

export interface PaletteCommand {
  readonly title: string;
  readonly run: () => void;
}

const JOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Where words that a person typed lead: to the job of this id, else to the jobs that match. */
export function search(text: string): void {
  const words = text.trim();
  if (JOB_ID.test(words)) go(hrefOf('jobs', words.toLowerCase()));
  else go(hrefOf('jobs', null, { q: words }));
}

function fixedCommands(): readonly PaletteCommand[] {
  const { isCompact, isUtc, isReadOnly } = preferences.value;
  return [
    ...SCREEN_NAMES.filter(isScreenOpen).map((name) => ({ title: SCREENS[name].title, run: () => go(hrefOf(name)) })),
    ...THEMES.map((theme) => ({ title: `Theme: ${theme}`, run: () => prefer({ theme }) })),
    { title: isCompact ? 'Rows: normal' : 'Rows: compact', run: () => prefer({ isCompact: !isCompact }) },
    { title: isUtc ? 'Times: in your zone' : 'Times: in UTC', run: () => prefer({ isUtc: !isUtc }) },
    { title: isReadOnly ? 'Read only: off' : 'Read only: on', run: () => prefer({ isReadOnly: !isReadOnly }) },
    ...(isOpen.value ? [] : [{ title: 'Sign out', run: () => void signOut() }]),
  ];
}

/** What the words could mean, the best first. */
export function commandsFor(text: string): readonly PaletteCommand[] {
  const words = text.trim();
  const wanted = words.toLowerCase();
  const found = fixedCommands().filter(({ title }) => title.toLowerCase().includes(wanted));
  if (words === '') return found;
  const isJob = JOB_ID.test(words);
  return [...found, { title: isJob ? `Open job ${words}` : `Find jobs: ${words}`, run: () => search(words) }];
}
