/** Which items of a request are at fault, by what its refusal says, and the refusal of one item in that item's own words. */
import { type Issue, LeaseQueueError } from './errors.ts';

/** Refusals of a whole request in which items were at fault, and before which nothing ran. */
const OF_ITEMS: ReadonlySet<string> = new Set(['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE', 'REQUEST_ENTITY_TOO_LARGE', 'OPERATION_TOO_COMPLEX']);
/** What is asked for where no wait would do: more than the quota ever allows at once. */
const FOR_EVER_MS = 3_600_000;

/** Whether fewer items might go through, or the others without those that are at fault. */
export function mayPassInParts(error: unknown): error is LeaseQueueError {
  if (!(error instanceof LeaseQueueError) || error.isOutcomeUnknown) return false;
  if (error.code === 'RATE_LIMITED') return (error.retryAfterMs ?? 0) >= FOR_EVER_MS;
  // A field is refused for the queue that an item names; a whole request for whose key it is.
  return OF_ITEMS.has(error.code) || (error.code === 'FORBIDDEN' && error.field !== null);
}

/** The refusals of the items that the issues name, by index; empty where an issue names none. */
export function refusedItems(error: LeaseQueueError, list: string): ReadonlyMap<number, LeaseQueueError> {
  const ofItems = Map.groupBy(error.issues, ({ path: [input, field, index] }) => (input === 'input' && field === list ? index : undefined));
  const indexes = [...ofItems.keys()].filter((index) => typeof index === 'number');
  if (indexes.length < ofItems.size) return new Map();
  return new Map(indexes.map((index) => [index, withIssues(error, (ofItems.get(index) ?? []).map(ownIssue))]));
}

/** Without its place in a list that whoever passed the item knows nothing of. */
function ownIssue({ path: [input = 'input', , , ...inside], message }: Issue): Issue {
  return { path: [input, ...inside], message };
}

function withIssues(error: LeaseQueueError, issues: readonly Issue[]): LeaseQueueError {
  const [what = ''] = error.message.split(':');
  const places = issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  const { code, isOutcomeUnknown, isRetryable, retryAfterMs, requestId, field } = error;
  return new LeaseQueueError({ code, message: `${what}: ${places.join('; ')}.`, issues, isOutcomeUnknown, isRetryable, retryAfterMs, requestId, field });
}
