/** The flags of a submission, which `job submit` and its short form share. */
import { type Command, Option } from 'commander';
import type { SubmitJobInput } from '../../client/index.ts';
import type { Tag } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { type AskingOptions, askingCommand } from '../conversation.ts';
import { durationOption, secondsOption, tagOption, timeOption, wholeNumberOption } from '../options.ts';
import type { Output } from '../print.ts';

export interface SubmitFlags extends AskingOptions {
  readonly queue?: string;
  readonly payload?: string;
  readonly idempotencyKey?: string;
  readonly priority?: number;
  readonly maxAttempts?: number;
  readonly retryBase?: number;
  readonly retryMax?: number;
  readonly at?: string;
  /** Milliseconds. */
  readonly in?: number;
  readonly tag?: readonly Tag[];
  readonly concurrencyKey?: string;
  readonly dryRun?: true;
}

export const PRIORITY = wholeNumberOption(LIMITS.priorityMin, LIMITS.priorityMax);
export const ATTEMPTS = wholeNumberOption(LIMITS.maxAttemptsMin, LIMITS.maxAttemptsMax);

export function submitFlags(command: Command, output: Output): Command {
  command
    .option('--queue <queue>', 'where it waits; it comes into being with its first job (default)')
    .option('--payload <json|@file|->', 'what the work is about: a JSON object, a file, or standard input')
    .option('--idempotency-key <key>', 'makes repeating safe: the same key with the same request is the same job')
    .addOption(new Option('--priority <number>', `${LIMITS.priorityMin} to ${LIMITS.priorityMax}, higher first`).argParser(PRIORITY))
    .addOption(new Option('--max-attempts <number>', `the attempt budget, up to ${LIMITS.maxAttemptsMax}`).argParser(ATTEMPTS))
    .addOption(new Option('--retry-base <time>', 'wait after the first failed attempt, doubled after each further one').argParser(secondsOption))
    .addOption(new Option('--retry-max <time>', 'the longest wait between attempts').argParser(secondsOption));
  return askingCommand(
    startFlags(command)
      .addOption(new Option('--tag <key=value>', 'a label to find it by; may be repeated').argParser(tagOption))
      .option('--concurrency-key <key>', 'jobs of one key belong together')
      .option('--dry-run', 'check the request and print it, and send nothing'),
    output,
  );
}

/** When a job may run. */
export function startFlags(command: Command): Command {
  return command
    .addOption(new Option('--at <instant>', 'not before this instant').argParser(timeOption))
    .addOption(new Option('--in <time>', 'not before this time has passed, such as 10m').argParser(durationOption).conflicts('at'));
}

export function startOf({ at, in: inMs }: Pick<SubmitFlags, 'at' | 'in'>): Pick<SubmitJobInput, 'start'> {
  if (at !== undefined) return { start: { at } };
  return inMs === undefined ? {} : { start: { inSeconds: Math.ceil(inMs / 1_000) } };
}
