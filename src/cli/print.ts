/** What a command prints: data on standard output, for people and programs; talk on standard error, for people. */
import { isatty } from 'node:tty';
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
  /** False once a write met nobody who reads: whoever has more to print may end. */
  isRead(): boolean;
  /** Whether standard output is a terminal, where a person looks. */
  isTerminal(): boolean;
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
  let isRead = true;
  const tryData: Output['tryData'] = async (text) => {
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => stdout.write(text, (fault) => resolve(fault ?? null)));
    if (error?.code === 'EPIPE') isRead = false;
    return error;
  };
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
    isRead: () => isRead,
    isTerminal: () => isatty(stdout.fd),
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

/** Texts of the server, each in a line of its own. */
export function textLines(texts: readonly string[]): string {
  return texts.map((text) => `${visible(text)}\n`).join('');
}

type Row = readonly string[];

/** Columns as wide as their widest cell, each row in one line, which a terminal cuts at its width. */
export function table(head: Row, rows: readonly Row[], look: Look = lookOf(process.stdout)): string {
  return growingTable(head, look)(rows);
}

/** A table that comes in parts, the first with the head. A column gets wider where it must, and never narrower. */
export function growingTable(head: Row, look: Look): (rows: readonly Row[]) => string {
  let widths = head.map(countCharacters);
  let lead: readonly Row[] = [head];
  return (rows) => {
    const shown = rows.map((row) => row.map(visible));
    widths = widths.map((least, column) => shown.reduce((width, row) => Math.max(width, countCharacters(row[column] ?? '')), least));
    const lines = [...lead.map((row) => styled('bold', aligned(row, widths, look), look)), ...shown.map((row) => aligned(row, widths, look))];
    lead = [];
    return lines.map((line) => `${line}\n`).join('');
  };
}

function aligned(cells: Row, widths: readonly number[], look: Look): string {
  const padded = cells.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - countCharacters(cell))));
  return cut(padded.join('  ').trimEnd(), look);
}

/** At the width of the terminal. */
export function cut(line: string, { columns }: Look): string {
  if (columns === null || countCharacters(line) <= columns) return line;
  return `${Array.from(line)
    .slice(0, columns - 1)
    .join('')}…`;
}
