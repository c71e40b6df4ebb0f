/** `leasequeue worker run`: a program for each job. */
import { systemClock } from '../../runtime/clock.ts';
import { processEnvironment } from '../../runtime/environment.ts';
import type { Output } from '../print.ts';
import type { WorkerFlags } from './flags.ts';
import { shortId } from './log.ts';
import { programHandler } from './program-handler.ts';
import { Session } from './session.ts';

export interface RunFlags extends WorkerFlags {
  readonly killAfter: number;
  readonly snooze: number;
}

/** Tabs would be shown as codes. */
const TAB = '    ';

export async function runProgramForJobs(words: readonly string[], flags: RunFlags, output: Output): Promise<void> {
  const programs = programHandler({
    ...{ words, environment: processEnvironment(), clock: systemClock, killAfterMs: flags.killAfter, snoozeMs: flags.snooze },
    onErrorLine(job, line) {
      const text = line.replaceAll('\t', TAB);
      output.fault(flags.quiet ? text : `${shortId(job)} | ${text}`);
    },
    onBroken: (failure) => session.fail(failure),
  });
  const session = new Session(flags, {
    ...{ output, printsOutcomes: flags.json === true, handle: (context) => programs.handle(context), hurry: () => programs.hurry() },
  });
  // Nothing survives the worker, even where a fault of its own ends it.
  process.once('exit', programs.killAll);
  await session.run();
  process.off('exit', programs.killAll);
}
