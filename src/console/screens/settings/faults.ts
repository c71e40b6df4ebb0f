/** Which field of a form a refusal is about. */
import type { LeaseQueueError } from '../../../client/index.ts';

/** The words for a field of the input; null where the refusal says nothing of it. */
export function faultAt(error: LeaseQueueError | null, field: string): string | null {
  const issue = error?.issues.find(({ path }) => path.includes(field));
  return issue === undefined ? null : `It ${issue.message}.`;
}

/** True where none of the fields shows it. */
export function isElsewhere(error: LeaseQueueError | null, faults: readonly (string | null)[]): error is LeaseQueueError {
  return error !== null && faults.every((fault) => fault === null);
}
