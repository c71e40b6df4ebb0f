/** What the client throws, as the end of a command: its exit code, and what the person can do. */
import { type ErrorCode, LeaseQueueError } from '../client/errors.ts';
import { CommandFailure, EXIT, type ExitCode } from './failure.ts';

const EXIT_BY_CODE: Partial<Record<ErrorCode, ExitCode>> = {
  JOB_NOT_FOUND: EXIT.notFound,
  QUEUE_NOT_FOUND: EXIT.notFound,
  TENANT_NOT_FOUND: EXIT.notFound,
  API_KEY_NOT_FOUND: EXIT.notFound,
  UNAUTHENTICATED: EXIT.denied,
  FORBIDDEN: EXIT.denied,
  LEASE_LOST: EXIT.conflict,
  INVALID_TRANSITION: EXIT.conflict,
  IDEMPOTENCY_CONFLICT: EXIT.conflict,
  VERSION_CONFLICT: EXIT.conflict,
  NAME_TAKEN: EXIT.conflict,
  UNREACHABLE: EXIT.outcomeUnknown,
  SERVICE_UNAVAILABLE: EXIT.outcomeUnknown,
  RATE_LIMITED: EXIT.outcomeUnknown,
  BAD_USER_INPUT: EXIT.usage,
  INVALID_CURSOR: EXIT.usage,
  PAYLOAD_TOO_LARGE: EXIT.usage,
  REQUEST_ENTITY_TOO_LARGE: EXIT.usage,
  INVALID_PAYLOAD: EXIT.usage,
};

export function exitCodeFor({ code, isOutcomeUnknown }: Pick<LeaseQueueError, 'code' | 'isOutcomeUnknown'>): ExitCode {
  return EXIT_BY_CODE[code] ?? (isOutcomeUnknown ? EXIT.outcomeUnknown : EXIT.failed);
}

/** Every other error stays what it is. */
export function commandFailure(error: unknown): unknown {
  if (!(error instanceof LeaseQueueError)) return error;
  return new CommandFailure(messageOf(error), exitCodeFor(error), { cause: error });
}

function messageOf({ code, message, issues, requestId, details }: LeaseQueueError): string {
  const places = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).filter((place) => !message.includes(place));
  const lines = [message, ...places, ...(code === 'IDEMPOTENCY_CONFLICT' ? conflictOf(details) : [])];
  if (requestId !== null) lines.push(`The server's log has it under the request ${requestId}.`);
  return lines.join('\n');
}

function conflictOf(details: unknown): readonly string[] {
  const { existingJob, differingFields } = details as { readonly existingJob?: { readonly id: string }; readonly differingFields?: readonly string[] };
  return existingJob === undefined || differingFields === undefined
    ? []
    : [`The key belongs to job ${existingJob.id}, which differs in: ${differingFields.join(', ')}.`];
}
