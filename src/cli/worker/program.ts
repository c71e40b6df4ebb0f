/** One run of the program that does a job: what goes in, what comes out, and how it is ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { LIMITS } from '../../domain/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Environ } from '../../runtime/environment.ts';
import { eachLine, tailOf } from './lines.ts';
import { type ProcessGroup, processGroup } from './process-group.ts';

export interface ProgramParts {
  /** The program and its arguments. */
  readonly words: readonly string[];
  readonly environment: Environ;
  /** For its standard input. */
  readonly input: string;
  readonly clock: Clock;
  /** From the request to end to the end by force. */
  readonly killAfterMs: number;
  /** Of standard error. */
  readonly onErrorLine: (line: string) => void;
  /** Of file descriptor 3. */
  readonly onProgressLine: (line: string) => void;
}

export interface ProgramEnd {
  /** Null: a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  /** It wrote more than a result may have, and was ended for that. */
  readonly isTooLong: boolean;
  /** The last lines of standard error. */
  readonly said: string;
  /** It was told to end before it ended. */
  readonly isStopped: boolean;
}

export interface RunningProgram {
  /** When nothing of it is left. */
  readonly ended: Promise<ProgramEnd>;
  stop(): void;
  kill(): void;
}

const PROGRESS_DESCRIPTOR = 3;
/** Of an error's text, for the words about how the program ended. */
const HOW_BYTES = 96;
/** For what is still in the pipes when the program is gone: a process that left its group may keep them open for ever. */
const PIPES_MS_MAX = 1_000;
/** A line's end may follow the largest result. */
const LINE_END_BYTES = 2;

/** Throws, or rejects, with Node's error where it cannot be started. */
export async function startProgram(parts: ProgramParts): Promise<RunningProgram> {
  const { words, environment, input } = parts;
  const [file = '', ...args] = words;
  const child = spawn(file, args, { env: { ...environment }, detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  const exited = new Promise<Pick<ProgramEnd, 'exitCode' | 'signal'>>((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { pid } = child;
  if (pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
  const group = processGroup(pid, parts);
  const written = collect(child, parts, group);
  // A program that reads none of its input may be gone before it is written.
  for (const stream of child.stdio) stream?.on('error', () => {});
  child.stdin?.end(input);
  return { ended: end(child, { ...parts, group, exited, closed, written }), stop: () => group.stop(), kill: () => group.kill() };
}

interface Ending extends ProgramParts {
  readonly group: ProcessGroup;
  readonly exited: Promise<Pick<ProgramEnd, 'exitCode' | 'signal'>>;
  readonly closed: Promise<void>;
  readonly written: () => Pick<ProgramEnd, 'output' | 'isTooLong' | 'said'>;
}

async function end(child: ChildProcess, { clock, group, exited, closed, written }: Ending): Promise<ProgramEnd> {
  const how = await exited;
  const isStopped = group.isStopped();
  await group.gone();
  const isDrained = new AbortController();
  void closed.then(() => isDrained.abort());
  await clock.sleep(PIPES_MS_MAX, isDrained.signal);
  for (const stream of child.stdio) stream?.destroy();
  return { ...how, ...written(), isStopped };
}

function collect({ stdio }: ChildProcess, parts: ProgramParts, group: ProcessGroup): Ending['written'] {
  const chunks: Buffer[] = [];
  const tail = tailOf(LIMITS.errorTextBytesMax - HOW_BYTES);
  let bytes = 0;
  stdio[1]?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= LIMITS.resultBytesMax + LINE_END_BYTES) chunks.push(chunk);
    else group.stop();
  });
  eachLine(stdio[2] as Readable, (line) => {
    tail.add(line);
    parts.onErrorLine(line);
  });
  eachLine(stdio[PROGRESS_DESCRIPTOR] as Readable, parts.onProgressLine);
  return () => ({ output: Buffer.concat(chunks).toString(), isTooLong: bytes > LIMITS.resultBytesMax + LINE_END_BYTES, said: tail.text() });
}
