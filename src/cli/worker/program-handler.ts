/** Does jobs by running a program for each: the one handler of `worker run`. */
import { LIMITS } from '../../domain/limits.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Environ } from '../../runtime/environment.ts';
import { Snooze } from '../../worker/outcomes.ts';
import type { JobContext, JobProgress, RunningJob } from '../../worker/registration.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { type RunningProgram, startProgram } from './program.ts';
import { resultOf } from './verdict.ts';

export interface ProgramHandlerParts {
  readonly words: readonly string[];
  /** Of the worker itself. */
  readonly environment: Environ;
  readonly clock: Clock;
  readonly killAfterMs: number;
  readonly snoozeMs: number;
  /** A line of standard error. */
  readonly onErrorLine: (job: RunningJob, line: string) => void;
  /** No program will ever start. */
  readonly onBroken: (failure: CommandFailure) => void;
}

export interface ProgramHandler {
  handle(context: JobContext): Promise<unknown>;
  /** Programs that are to end are killed from now on, without a while to end by themselves. */
  hurry(): void;
  /** Kills everything. For the moment in which the worker itself ends. */
  killAll(): void;
}

/** Of a machine that has no room for a program just now. */
const NO_ROOM: ReadonlySet<string> = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);
const PROGRESS_LINE = /^\s*(\d{1,3}(?:\.\d+)?)(?:\s+(.*\S))?\s*$/;

export function programHandler(parts: ProgramHandlerParts): ProgramHandler {
  const running = new Map<RunningProgram, AbortSignal>();
  let isHurried = false;
  const killAll = (): void => running.forEach((_signal, program) => program.kill());
  return {
    killAll,
    hurry() {
      isHurried = true;
      for (const [program, signal] of running) if (signal.aborted) program.kill();
    },
    async handle(context) {
      const { signal } = context;
      const program = await started(context, parts);
      running.set(program, signal);
      const onAbort = (): void => (isHurried ? program.kill() : program.stop());
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const end = await program.ended;
      running.delete(program);
      // Many a program ends with 0 where it is told to end: that its work is done does not follow.
      if (end.isStopped && !end.isTooLong) signal.throwIfAborted();
      return resultOf(end, parts.snoozeMs);
    },
  };
}

async function started({ job, progress }: JobContext, parts: ProgramHandlerParts): Promise<RunningProgram> {
  try {
    return await startProgram({
      ...parts,
      environment: { ...parts.environment, LEASEQUEUE_API_KEY: undefined, ...variablesOf(job) },
      input: `${JSON.stringify(job.payload)}\n`,
      onErrorLine: (line) => parts.onErrorLine(job, line),
      onProgressLine: (line) => tellProgress(line, progress),
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (NO_ROOM.has(code)) throw new Snooze(parts.snoozeMs);
    parts.onBroken(brokenProgram(parts.words, code));
    throw new Snooze(0);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'it may not be executed',
};

function brokenProgram([file = '']: readonly string[], code: string): CommandFailure {
  const reason = REASONS[code] ?? code;
  return new CommandFailure(`${file} cannot be started: ${reason}. The job was handed back, and no attempt was used.`, EXIT.failed);
}

function variablesOf({ id, queue, task, attempt, maxAttempts, fence }: RunningJob): Environ {
  return {
    LEASEQUEUE_JOB_ID: id,
    LEASEQUEUE_JOB_QUEUE: queue,
    LEASEQUEUE_JOB_TASK: task,
    LEASEQUEUE_JOB_ATTEMPT: String(attempt),
    LEASEQUEUE_JOB_MAX_ATTEMPTS: String(maxAttempts),
    LEASEQUEUE_JOB_FENCE: String(fence),
  };
}

/** `40` or `40 of 100 pages`. Anything else on the descriptor is not for us. */
function tellProgress(line: string, progress: (progress: JobProgress) => void): void {
  const [, percent, note] = PROGRESS_LINE.exec(line) ?? [];
  if (percent === undefined || Number(percent) > LIMITS.progressPercentMax) return;
  progress({ percent: Number(percent), ...(note !== undefined && { note }) });
}
