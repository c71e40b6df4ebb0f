/**
 * Stored JSON as a reader may see it: the one place of the API that shows payloads, results and error details, so that
 * no way to a job leads round the rules of redaction.
 */
import type { Attempt, Job, JobError } from '../domain/job.ts';
import { parseJson } from '../domain/json.ts';
import { type Hidden, hiddenPaths, type Redaction, withoutHidden } from '../domain/redaction.ts';
import type { GraphQLContext } from './context.ts';
import type { ShownJob } from './refs.ts';

/** An error with what tells which rules hold for its details. */
export interface ShownError extends JobError {
  readonly task: string;
}
export interface ShownAttempt extends Omit<Attempt, 'error'> {
  readonly error: ShownError | null;
}

/** A claim shows its job's payload whole, whoever asks. */
export function isPayloadShown(job: ShownJob, { principal }: GraphQLContext): boolean {
  return job.isClaimed === true || principal.scopes.has('PAYLOADS');
}

export function shownPayload(job: ShownJob, context: GraphQLContext): unknown {
  if (job.isClaimed === true) return parseJson(job.payloadJson);
  return isPayloadShown(job, context) ? shown(job.payloadJson, job.task, context) : null;
}

export function shownResult(job: ShownJob, context: GraphQLContext): unknown {
  return isPayloadShown(job, context) ? shown(job.resultJson, job.task, context) : null;
}

export function shownDetails({ detailsJson, task }: ShownError, context: GraphQLContext): unknown {
  return shown(detailsJson, task, context);
}

export function shownError({ task, lastError }: Job): ShownError | null {
  return lastError === null ? null : { ...lastError, task };
}

export function shownAttempt({ task }: Job, attempt: Attempt): ShownAttempt {
  return { ...attempt, error: attempt.error === null ? null : { ...attempt.error, task } };
}

/** The paths of the payload that are hidden from this caller by rules; none where it sees all of it, or nothing. */
export function redactedPaths(job: ShownJob, context: GraphQLContext): readonly string[] | Promise<readonly string[]> {
  if (job.isClaimed === true || !isPayloadShown(job, context)) return [];
  return withHidden(job.task, context, (hidden) => (hidden === null ? [] : hiddenPaths(parseJson(job.payloadJson), hidden)));
}

/** Null where nothing is stored. */
function shown(text: string | null, task: string, context: GraphQLContext): unknown {
  if (text === null) return null;
  return withHidden(task, context, (hidden) => (hidden === null ? parseJson(text) : withoutHidden(parseJson(text), hidden)));
}

/** At once where the rules are known. */
function withHidden<Result>(task: string, { redaction }: GraphQLContext, show: (hidden: Hidden | null) => Result): Result | Promise<Result> {
  const inTask = (rules: Redaction | null): Result => show(rules === null ? null : rules.hiddenIn(task));
  const rules = redaction();
  return rules instanceof Promise ? rules.then(inTask) : inTask(rules);
}
