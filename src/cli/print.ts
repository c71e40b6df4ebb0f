/** What a command prints: data on standard output, for people and programs; talk on standard error, for people. */
import { countCharacters } from '../domain/text.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { type ColorChoice, type Look, lookOf, styled } from './look.ts';
import { visible, visibleJson, visibleLines } from './visible-text.ts';

/** Flags that change how a command prints. */
export interface OutputChoices {
  readonly json?: true;
  readonly quiet?: true;
  readonly color?: ColorChoice;
}

export interface Output {
  /** Answers with what stood against it; null where it is out. */
  tryData(text: string): Promise<NodeJS.ErrnoException | null>;
  /** A reader that wants no more is no fault. Throws a CommandFailure where the data could not be written. */
  data(text: string): Promise<void>;
  /** Nothing with `--quiet`. What would do something to a terminal is shown as a code. */
  talk(line: string): void;
  /** What went wrong, which is said in any case. */
  fault(line: string): void;
  /** Follows the flags of the command from now on. */
  adopt(choices: OutputChoices): void;
  /** Of standard output. */
  look(): Look;
  /** Whether there may be a line about how far it is: neither with `--quiet` nor with `--json`. */
  tellsProgress(): boolean;
}

export function processOutput(): Output {
  const { stdout, stderr } = process;
  // The answer of each write tells; without somebody who listens the process would end.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  let choices: OutputChoices = {};
  const tryData: Output['tryData'] = (text) => new Promise((resolve) => stdout.write(text, (error) => resolve(error ?? null)));
  const fault: Output['fault'] = (line) => void stderr.write(`${visibleLines(line)}\n`);
  return {
    tryData,
    async data(text) {
      const error = await tryData(text);
      if (error === null || error.code === 'EPIPE') return;
      throw new CommandFailure(`standard output cannot be written to (${error.message})`, EXIT.failed, { cause: error });
    },
    talk(line) {
      if (choices.quiet !== true) fault(line);
    },
    fault,
    adopt(chosen) {
      choices = chosen;
    },
    look: () => lookOf(stdout, choices.color),
    tellsProgress: () => choices.quiet !== true && choices.json !== true,
  };
}

/** Numbers that `parseJson` read keep their digits. */
export function jsonDocument(value: unknown): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}

/** One value of JSON Lines. */
export function jsonLine(value: unknown): string {
  return `${visibleJson(JSON.stringify(value))}\n`;
}

/** Columns as wide as their widest cell, each row in one line, which a terminal cuts at its width. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], look: Look = lookOf(process.stdout)): string {
  const shown = rows.map((row) => row.map(visible));
  const widths = head.map((title, column) => shown.reduce((width, row) => Math.max(width, countCharacters(row[column] ?? '')), countCharacters(title)));
  const line = (cells: readonly string[]): string =>
    cut(
      cells
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - countCharacters(cell))))
        .join('  ')
        .trimEnd(),
      look,
    );
  return [styled('bold', line(head), look), ...shown.map(line)].map((text) => `${text}\n`).join('');
}

function cut(line: string, { columns }: Look): string {
  if (columns === null || countCharacters(line) <= columns) return line;
  return `${Array.from(line)
    .slice(0, columns - 1)
    .join('')}…`;
}
