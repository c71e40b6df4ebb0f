/** What a call throws, and how a failure that came as a result becomes thrown where a person prefers that. */
import type { FailureCode } from './generated/graphql.ts';

/** Codes that concern a whole request; the server's are listed in the contract, the last five are the client's own. */
export type RequestErrorCode =
  | 'BAD_REQUEST'
  | 'BAD_USER_INPUT'
  | 'FORBIDDEN'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'INTERNAL_SERVER_ERROR'
  | 'INVALID_CURSOR'
  | 'OPERATION_TOO_COMPLEX'
  | 'PAYLOAD_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'REQUEST_ENTITY_TOO_LARGE'
  | 'SERVICE_UNAVAILABLE'
  | 'UNAUTHENTICATED'
  /** The server could not be reached, or its answer was lost. */
  | 'UNREACHABLE'
  /** What answered does not speak as LeaseQueue does. */
  | 'UNREADABLE_ANSWER'
  /** The input does not fit the task's schema; nothing was sent. */
  | 'INVALID_PAYLOAD'
  /** Events after the cursor are gone, or the store was restored. */
  | 'EVENT_GAP'
  /** The client's own settings are wrong. */
  | 'BAD_SETTINGS';
export type ErrorCode = FailureCode | RequestErrorCode;

export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  /** Whether the change may have happened all the same. */
  readonly isOutcomeUnknown?: boolean;
  /** Whether the same call may succeed later. */
  readonly isRetryable?: boolean;
  /** How long the server asks to wait before that; null where it does not say. */
  readonly retryAfterMs?: number | null;
  readonly issues?: readonly Issue[];
  /** Under which the server's log has a masked error; null where there is none. */
  readonly requestId?: string | null;
  /** The field of the operation that was refused; null where it was the whole request, or something else. */
  readonly field?: string | null;
  /** The failure as it was answered, or what else the answer said. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** The one class that the client throws. `code` is for programs, the message for people. */
export class LeaseQueueError extends Error {
  readonly code: ErrorCode;
  readonly isOutcomeUnknown: boolean;
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | null;
  readonly issues: readonly Issue[];
  readonly requestId: string | null;
  readonly field: string | null;
  readonly details: unknown;

  constructor({
    code,
    message,
    isOutcomeUnknown = false,
    isRetryable = false,
    retryAfterMs = null,
    issues = [],
    requestId = null,
    field = null,
    details,
    cause,
  }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LeaseQueueError';
    this.code = code;
    this.isOutcomeUnknown = isOutcomeUnknown;
    this.isRetryable = isRetryable;
    this.retryAfterMs = retryAfterMs;
    this.issues = issues;
    this.requestId = requestId;
    this.field = field;
    this.details = details;
  }
}

/** A failure as every result union has it: an expected "no". */
export interface FailureResult {
  readonly __typename: string;
  readonly code: FailureCode;
  readonly message: string;
  readonly retryable: boolean;
}

export function isFailure<Result extends { readonly __typename: string }>(result: Result): result is Extract<Result, FailureResult> {
  return 'code' in result;
}

/** The success of a result, its failures thrown as a LeaseQueueError whose `details` are the failure. */
export function unwrap<Result extends { readonly __typename: string }>(result: Result): Exclude<Result, FailureResult> {
  if (isFailure(result)) throw failureError(result);
  return result as Exclude<Result, FailureResult>;
}

function failureError(failure: FailureResult): LeaseQueueError {
  return new LeaseQueueError({ code: failure.code, message: failure.message, isRetryable: failure.retryable, details: failure });
}
