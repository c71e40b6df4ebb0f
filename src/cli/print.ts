/** What a command prints: data on standard output, for people and programs; talk on standard error, for people. */
import { styleText } from 'node:util';
import { countCharacters } from '../domain/text.ts';
import { CommandFailure, EXIT } from './failure.ts';

export interface Output {
  /** Answers with what stood against it; null where it is out. */
  tryData(text: string): Promise<NodeJS.ErrnoException | null>;
  /** A reader that wants no more is no fault. Throws a CommandFailure where the data could not be written. */
  data(text: string): Promise<void>;
  talk(line: string): void;
}

export function processOutput(): Output {
  const { stdout, stderr } = process;
  // The answer of each write tells; without somebody who listens the process would end.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const tryData: Output['tryData'] = (text) => new Promise((resolve) => stdout.write(text, (error) => resolve(error ?? null)));
  return {
    tryData,
    async data(text) {
      const error = await tryData(text);
      if (error === null || error.code === 'EPIPE') return;
      throw new CommandFailure(`standard output cannot be written to (${error.message})`, EXIT.failed, { cause: error });
    },
    talk: (line) => void stderr.write(`${line}\n`),
  };
}

export function jsonDocument(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Columns as wide as their widest cell. The head is bold where a person reads, unless NO_COLOR is set. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(countCharacters)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - countCharacters(cell)))
      .join('  ')
      .trimEnd();
  return [styleText('bold', line(head), { stream: process.stdout }), ...rows.map(line)].map((text) => `${text}\n`).join('');
}
