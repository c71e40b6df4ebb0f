/** Which exit code follows from a code of the API or of the client library. */
import type { ErrorCode } from '../client/errors.ts';
import { EXIT, type ExitCode } from './failure.ts';

/** A new code has to be given its place here. */
export const EXIT_OF_CODE: Readonly<Record<ErrorCode, ExitCode>> = {
  JOB_NOT_FOUND: EXIT.notFound,
  QUEUE_NOT_FOUND: EXIT.notFound,
  TENANT_NOT_FOUND: EXIT.notFound,
  API_KEY_NOT_FOUND: EXIT.notFound,
  UNAUTHENTICATED: EXIT.denied,
  FORBIDDEN: EXIT.denied,
  LEASE_LOST: EXIT.conflict,
  INVALID_TRANSITION: EXIT.conflict,
  IDEMPOTENCY_CONFLICT: EXIT.conflict,
  BATCH_ROLLED_BACK: EXIT.conflict,
  VERSION_CONFLICT: EXIT.conflict,
  NAME_TAKEN: EXIT.conflict,
  UNREACHABLE: EXIT.outcomeUnknown,
  SERVICE_UNAVAILABLE: EXIT.outcomeUnknown,
  UNREADABLE_ANSWER: EXIT.outcomeUnknown,
  BAD_USER_INPUT: EXIT.usage,
  INVALID_PAYLOAD: EXIT.usage,
  PAYLOAD_TOO_LARGE: EXIT.usage,
  BAD_SETTINGS: EXIT.failed,
  BAD_REQUEST: EXIT.failed,
  EVENT_GAP: EXIT.failed,
  GRAPHQL_PARSE_FAILED: EXIT.failed,
  GRAPHQL_VALIDATION_FAILED: EXIT.failed,
  INTERNAL_SERVER_ERROR: EXIT.failed,
  INVALID_CURSOR: EXIT.usage,
  OPERATION_TOO_COMPLEX: EXIT.failed,
  QUOTA_EXCEEDED: EXIT.failed,
  RATE_LIMITED: EXIT.outcomeUnknown,
  REQUEST_ENTITY_TOO_LARGE: EXIT.usage,
};
