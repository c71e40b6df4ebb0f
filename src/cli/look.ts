/** How output looks where a person reads it: with colour or without, cut to the width of the terminal or whole. */
import { styleText } from 'node:util';
import { type Environ, processEnvironment } from '../runtime/environment.ts';

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];

export interface Look {
  readonly hasColor: boolean;
  /** Null: as wide as it gets. */
  readonly columns: number | null;
}
export type Style = Parameters<typeof styleText>[0];

/** The part of a stream that decides. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const COLUMNS_MIN = 20;

/** The flag before the variables; of these, NO_COLOR is the stronger one. An empty variable says nothing. */
export function lookOf(screen: Screen, choice: ColorChoice = 'auto', env: Environ = processEnvironment()): Look {
  const isTerminal = screen.isTTY === true;
  const columns = isTerminal && screen.columns !== undefined && screen.columns >= COLUMNS_MIN ? screen.columns : null;
  return { hasColor: choice === 'auto' ? hasColorByItself(isTerminal, env) : choice === 'always', columns };
}

function hasColorByItself(isTerminal: boolean, env: Environ): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const force = env['FORCE_COLOR'] ?? '';
  if (force !== '') return force !== '0' && force !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}

export function styled(style: Style, text: string, { hasColor }: Look): string {
  return hasColor ? styleText(style, text, { validateStream: false }) : text;
}
