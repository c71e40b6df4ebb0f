/** The flags that say what a worker takes, and when it ends. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { LIMITS, VISIBLE_PATTERN } from '../../domain/limits.ts';
import { followsRule, NAME, ruleMessage } from '../../domain/text.ts';
import type { ClientOptions } from '../client-command.ts';
import { durationOption, wholeNumberOption } from '../options.ts';

/** Lengths of time in milliseconds. */
export interface WorkerFlags extends ClientOptions {
  readonly queue: readonly string[];
  readonly task?: readonly string[];
  readonly worker?: string;
  readonly once?: true;
  readonly maxJobs?: number;
  readonly untilIdle?: true;
  readonly concurrency?: number;
  readonly lease?: number;
  readonly grace?: number;
  readonly timeout?: number;
}

const MAX_JOBS = 1_000_000_000;

export function takingFlags(command: Command): Command {
  return command
    .addOption(new Option('--queue <queue>', 'take jobs of this queue; again for more, which come after it').argParser(nameOption).makeOptionMandatory())
    .addOption(new Option('--task <task>', 'take jobs of this task only; again for more').argParser(nameOption))
    .option('--worker <name>', "this worker's name, for people; made of the machine and the process where absent", workerOption)
    .addOption(new Option('--once', 'end after one job, and wait for it where there is none').conflicts('maxJobs'))
    .addOption(new Option('--max-jobs <number>', 'end after this many jobs').argParser(wholeNumberOption(1, MAX_JOBS)))
    .option('--until-idle', 'end when no job is due');
}

function nameOption(text: string, before: readonly string[] = []): readonly string[] {
  if (!followsRule(text, NAME)) throw new InvalidArgumentError(`It ${ruleMessage(NAME)}.`);
  if (before.length >= LIMITS.claimQueuesMax) throw new InvalidArgumentError(`There may be ${LIMITS.claimQueuesMax} at most.`);
  return before.includes(text) ? before : [...before, text];
}

function workerOption(text: string): string {
  const rule = { min: 1, max: LIMITS.workerIdCharactersMax, pattern: VISIBLE_PATTERN, words: 'visible characters, without spaces' };
  if (!followsRule(text, rule)) throw new InvalidArgumentError(`It ${ruleMessage(rule)}.`);
  return text;
}

/** 5 s to 1 h. */
export function leaseOption(text: string): number {
  const ms = durationOption(text);
  if (ms >= LIMITS.leaseSecondsMin * 1_000 && ms <= LIMITS.leaseSecondsMax * 1_000) return ms;
  throw new InvalidArgumentError(`It must be ${LIMITS.leaseSecondsMin}s to ${LIMITS.leaseSecondsMax / 3_600}h.`);
}
