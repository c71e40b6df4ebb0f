/** Every key of the console, once: what listens, the help and the tests all read this table. */
import { SCREEN_NAMES, SCREENS, type ScreenEntry } from '../route/screens.ts';

export interface KeyEntry {
  /** As typed one after the other. */
  readonly keys: string;
  readonly does: string;
  readonly where: 'everywhere' | 'lists' | 'a job' | 'a queue' | 'the live stream';
}

const toScreens = SCREEN_NAMES.flatMap((name): readonly KeyEntry[] => {
  const { key, title }: ScreenEntry = SCREENS[name];
  return key === null ? [] : [{ keys: `g ${key}`, does: `Go to ${title}`, where: 'everywhere' }];
});

export const KEYS: readonly KeyEntry[] = [
  { keys: '/', does: 'Search or filter', where: 'everywhere' },
  { keys: 'Ctrl-K', does: 'Do anything by typing its name', where: 'everywhere' },
  { keys: '?', does: 'Show the keys', where: 'everywhere' },
  { keys: 'Esc', does: 'Close a dialog, leave a field, clear the selection', where: 'everywhere' },
  ...toScreens,
  { keys: 'j', does: 'Next row', where: 'lists' },
  { keys: 'k', does: 'Row before', where: 'lists' },
  { keys: 'Enter', does: 'Open the row', where: 'lists' },
  { keys: 'x', does: 'Select the row', where: 'lists' },
  { keys: 'r', does: 'Redrive what is selected', where: 'lists' },
  { keys: 'c', does: 'Cancel what is selected', where: 'lists' },
  { keys: '.', does: 'Act on everything that matches', where: 'lists' },
  { keys: '[', does: 'Older page', where: 'lists' },
  { keys: ']', does: 'Newer page', where: 'lists' },
  { keys: 'r', does: 'Redrive', where: 'a job' },
  { keys: 'c', does: 'Cancel', where: 'a job' },
  { keys: 'p', does: 'Pause or resume', where: 'a queue' },
  { keys: 'p', does: 'Pause or go on', where: 'the live stream' },
];
