/** A task: the one definition of a kind of work that its producers and its workers share. */
import { NAME, followsRule, ruleMessage } from '../domain/text.ts';
import { type Duration, durationMs } from './duration.ts';
import { LeaseQueueError } from './errors.ts';
import type { SchemaInput, SchemaOutput, StandardSchema } from './standard-schema.ts';

export interface RetryPolicy {
  /** 1 to 20. Absent: the queue's default, 3. */
  readonly attempts?: number;
  /** Wait after the first failed attempt, doubled after each further one, 1 s to 1 h. Absent: the queue's default, 15 s. */
  readonly base?: Duration;
  /** The longest wait between attempts, 1 s to 1 d. Absent: the queue's default, 1 h. */
  readonly max?: Duration;
}

export interface Task<Input extends StandardSchema = StandardSchema, Output extends StandardSchema | undefined = StandardSchema | undefined> {
  readonly name: string;
  /** What the payload, a JSON object, has to be. Checked when a job is submitted and again when it is claimed. */
  readonly input: Input;
  /** What the handler has to give, checked before the job is completed. Absent: any JSON, or nothing. */
  readonly output?: Output;
  /** Where its jobs go that name no queue. Absent: `default`. */
  readonly queue?: string;
  readonly retry?: RetryPolicy;
  /** Length of its leases, 5 s to 1 h. Absent: the worker's. */
  readonly lease?: Duration;
  /** How long an attempt may take. Absent: as long as it likes. */
  readonly timeout?: Duration;
}

/** What a producer passes. */
export type TaskInput<Definition extends Task> = SchemaInput<Definition['input']>;
/** What a handler gets. */
export type TaskPayload<Definition extends Task> = SchemaOutput<Definition['input']>;
/** What a handler gives. */
export type TaskResult<Definition extends Task> = Definition extends { readonly output: infer Output extends StandardSchema } ? SchemaInput<Output> : unknown;

/** Throws BAD_SETTINGS where the name or a length of time is none. */
export function defineTask<Input extends StandardSchema<object, unknown>, Output extends StandardSchema | undefined = undefined>(
  task: Task<Input, Output> & (Output extends StandardSchema ? { readonly output: Output } : unknown),
): typeof task {
  if (!followsRule(task.name, NAME)) throw new LeaseQueueError({ code: 'BAD_SETTINGS', message: `The name of a task ${ruleMessage(NAME)}.` });
  for (const duration of [task.lease, task.timeout, task.retry?.base, task.retry?.max]) if (duration !== undefined) durationMs(duration);
  return task;
}
