/** Submits a job for each line. All lines are checked before the first is sent. */
import { createReadStream } from 'node:fs';
import { isFailure, type LeaseQueue, LeaseQueueError, type SubmitJobInput } from '../../client/index.ts';
import { EXIT_OF_CODE } from '../answer-codes.ts';
import { type AskingOptions, converse } from '../conversation.ts';
import { CommandFailure, EXIT, type ExitCode } from '../failure.ts';
import { jsonDocument, type Output, textLines } from '../print.ts';
import { createProgress, type Progress } from '../progress.ts';
import { counted } from '../times.ts';
import { readJobLine } from './job-line.ts';

export interface ImportOptions extends AskingOptions {
  readonly dryRun?: true;
}

interface NumberedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}
/** May be read more than once. */
type Lines = () => AsyncIterable<NumberedLine>;

const FAULTS_SHOWN = 10;
/** The client cuts them into requests, of which two are under way. */
const SENT_AT_ONCE = 1_000;

export async function importJobs(source: string, options: ImportOptions, output: Output): Promise<void> {
  const lines = await linesOf(source);
  const { count, ended } = await checked(lines);
  if (ended > 0) output.talk(`${ended} of the lines are jobs that had ended. They are submitted anew, and will run again.`);
  if (options.dryRun) return output.talk(`${counted(count, 'line')} can be submitted. Nothing was sent.`);
  await converse(options, output, async ({ lq, clock }) => {
    const progress = createProgress({ clock, stream: process.stderr, isWanted: output.tellsProgress() });
    const tally: Tally = { stored: 0, deduplicated: 0, faults: [], exitCode: EXIT.done };
    try {
      await sendAll(lines, count, { lq, output, progress, tally, isQuiet: options.quiet === true && !options.json });
    } catch (error) {
      throw error instanceof LeaseQueueError ? interrupted(error, tally, count) : error;
    } finally {
      progress.clear();
    }
    await conclude(tally, options, output);
  });
}

interface Tally {
  stored: number;
  deduplicated: number;
  readonly faults: string[];
  /** Of the first line that was refused. */
  exitCode: ExitCode;
}

interface Sending {
  readonly lq: LeaseQueue;
  readonly output: Output;
  readonly progress: Progress;
  readonly tally: Tally;
  readonly isQuiet: boolean;
}

async function sendAll(lines: Lines, count: number, sending: Sending): Promise<void> {
  for await (const some of chunksOf(lines())) {
    await sendSome(some, sending);
    const { stored, deduplicated, faults } = sending.tally;
    sending.progress.update(`Imported ${stored + deduplicated} of ${count} lines …`);
    // A full tenant would refuse the rest as well.
    if (faults.length >= SENT_AT_ONCE) return;
  }
}

async function sendSome(some: readonly NumberedLine[], { lq, output, tally, isQuiet }: Sending): Promise<void> {
  const results = await Promise.all(some.map((line) => lq.submitJob(submissionOf(line))));
  const ids: string[] = [];
  for (const [index, result] of results.entries()) {
    if (!isFailure(result)) {
      tally[result.deduplicated ? 'deduplicated' : 'stored'] += 1;
      ids.push(result.job.id);
      continue;
    }
    if (tally.faults.length === 0) tally.exitCode = EXIT_OF_CODE[result.code];
    tally.faults.push(`line ${some[index]?.number}: ${result.message}`);
  }
  if (isQuiet) await output.data(textLines(ids));
}

async function conclude({ stored, deduplicated, faults, exitCode }: Tally, options: ImportOptions, output: Output): Promise<void> {
  if (options.json) await output.data(jsonDocument({ stored, deduplicated, failed: faults.length }));
  output.talk(`Imported ${counted(stored + deduplicated, 'job')}: ${stored} new, ${deduplicated} stored before.`);
  if (faults.length > 0) throw new CommandFailure(`${counted(faults.length, 'line')} refused.\n${shown(faults)}`, exitCode);
}

function interrupted(error: LeaseQueueError, { stored, deduplicated }: Tally, count: number): CommandFailure {
  const rest = `${stored + deduplicated} of ${count} lines are stored. Repeat the command: what is stored already is recognised.`;
  return new CommandFailure(`${error.message}\n${rest}`, error.isOutcomeUnknown ? EXIT.outcomeUnknown : EXIT_OF_CODE[error.code], { cause: error });
}

function shown(faults: readonly string[]): string {
  const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more`] : [];
  return [...faults.slice(0, FAULTS_SHOWN), ...more].join('\n');
}

async function checked(lines: Lines): Promise<{ readonly count: number; readonly ended: number }> {
  let [count, ended] = [0, 0];
  const faults: string[] = [];
  for await (const { number, text } of lines()) {
    const read = readJobLine(text, number);
    count += 1;
    if ('fault' in read) faults.push(`line ${number} ${read.fault}`);
    else if (read.hasEnded) ended += 1;
  }
  if (faults.length > 0)
    throw new CommandFailure(`${faults.length} of ${counted(count, 'line')} cannot be submitted. Nothing was sent.\n${shown(faults)}`, EXIT.usage);
  return { count, ended };
}

/** Of a line that was checked. */
function submissionOf({ text, number }: NumberedLine): SubmitJobInput {
  const read = readJobLine(text, number);
  if ('job' in read) return read.job;
  throw new CommandFailure(`line ${number} ${read.fault}: the file has changed since it was checked.`, EXIT.failed);
}

async function* chunksOf(lines: AsyncIterable<NumberedLine>): AsyncGenerator<readonly NumberedLine[]> {
  let some: NumberedLine[] = [];
  for await (const line of lines) {
    some.push(line);
    if (some.length < SENT_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** A file is read again for each pass; standard input can be read once only, and is kept. */
async function linesOf(source: string): Promise<Lines> {
  if (source !== '-') return () => fileLines(source);
  const kept = await Array.fromAsync(numbered(linesIn(process.stdin, 'standard input')));
  return async function* () {
    yield* kept;
  };
}

async function* fileLines(path: string): AsyncGenerator<NumberedLine> {
  try {
    yield* numbered(linesIn(createReadStream(path), path));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandFailure(`${path} cannot be read: ${error.message}. Nothing was sent.`, EXIT.usage, { cause: error });
  }
}

async function* linesIn(chunks: AsyncIterable<Buffer>, where: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pieces: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoded(decoder, chunk, where).split('\n');
    pieces.push(first);
    if (more.length === 0) continue;
    yield pieces.join('');
    pieces = [more.pop() ?? ''];
    yield* more;
  }
  yield pieces.join('') + decoded(decoder, undefined, where);
}

/** Without a chunk: what is left. */
function decoded(decoder: TextDecoder, chunk: Buffer | undefined, where: string): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (cause) {
    throw new CommandFailure(`${where} is not UTF-8. Nothing was sent.`, EXIT.usage, { cause });
  }
}

/** Empty lines count and are passed over. */
async function* numbered(lines: AsyncIterable<string>): AsyncGenerator<NumberedLine> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const text = line.trim();
    if (text !== '') yield { number, text };
  }
}
