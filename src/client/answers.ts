/** Reads what the server answered: the data of an operation, or what is wrong as an error with its code. */
import { type Issue, LeaseQueueError, type RequestErrorCode } from './errors.ts';
import { TransportFault, type WireAnswer } from './transport.ts';

/** Of one answer. Fields that failed are null in the data and have their error here. */
export interface Answered<Result> {
  readonly data: Result | null;
  readonly errors: readonly LocatedError[];
}
export interface LocatedError {
  /** The root field that failed; null where it was the whole request. */
  readonly field: string | null;
  readonly error: LeaseQueueError;
}

export type ParseJson = (text: string) => unknown;

interface WireError {
  readonly message?: unknown;
  readonly path?: readonly unknown[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The same call may go through later without anybody changing anything. */
const TRANSIENT: ReadonlySet<string> = new Set(['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'UNREACHABLE']);

export function readAnswer<Result>(answer: WireAnswer, parse: ParseJson): Answered<Result> {
  const body = parsed(answer, parse);
  if (body === null) return { data: null, errors: [{ field: null, error: strangeAnswer(answer) }] };
  const errors = body.errors ?? [];
  return { data: (body.data ?? null) as Result | null, errors: errors.map((error) => located(error, answer)) };
}

function parsed({ text }: WireAnswer, parse: ParseJson): { readonly data?: unknown; readonly errors?: readonly WireError[] } | null {
  try {
    const value = parse(text) as { readonly data?: unknown; readonly errors?: unknown } | null;
    if (typeof value !== 'object' || value === null) return null;
    const { data, errors } = value;
    if (Array.isArray(errors)) return { data, errors: errors as readonly WireError[] };
    return data === undefined || data === null ? null : { data };
  } catch {
    return null;
  }
}

/** To where else is not said: it may be anywhere. */
function redirected(): LeaseQueueError {
  return new LeaseQueueError({
    code: 'UNREADABLE_ANSWER',
    message: 'What answers at this address sends on to another one, which is not followed: the key and the payloads would go there too. Nothing was done.',
  });
}

/** A proxy's page, another program's, or half an answer. Gateways say with 502 to 504 that the server behind them is away. */
function strangeAnswer({ status, retryAfterSeconds }: WireAnswer): LeaseQueueError {
  // Browsers show a redirect that is not followed with status 0.
  if (status === 0 || (status >= 300 && status < 400)) return redirected();
  const isGateway = status >= 502 && status <= 504;
  return new LeaseQueueError({
    code: isGateway ? 'UNREACHABLE' : 'UNREADABLE_ANSWER',
    message: isGateway
      ? `Something between here and the server answered with HTTP ${status}. Whether the call was carried out is unknown.`
      : `The answer (HTTP ${status}) is not one of LeaseQueue's API. Check the address; whether the call was carried out is unknown.`,
    isOutcomeUnknown: true,
    isRetryable: isGateway,
    retryAfterMs: retryAfterSeconds === null ? null : retryAfterSeconds * 1_000,
  });
}

function located({ message, path, extensions = {} }: WireError, { retryAfterSeconds }: WireAnswer): LocatedError {
  const [first] = path ?? [];
  const field = typeof first === 'string' ? first : null;
  const code = (typeof extensions['code'] === 'string' ? extensions['code'] : 'UNREADABLE_ANSWER') as RequestErrorCode;
  const { retryAfterMs, outcomeUnknown, requestId, issues } = extensions;
  const error = new LeaseQueueError({
    code,
    message: typeof message === 'string' ? message : 'The server gave no reason.',
    isOutcomeUnknown: outcomeUnknown === true || code === 'INTERNAL_SERVER_ERROR',
    isRetryable: TRANSIENT.has(code),
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : retryAfterSeconds === null ? null : retryAfterSeconds * 1_000,
    issues: Array.isArray(issues) ? (issues as readonly Issue[]) : [],
    requestId: typeof requestId === 'string' ? requestId : null,
    field,
    details: extensions,
  });
  return { field, error };
}

/** What stands for an answer that did not come. */
export function unreachable(fault: unknown, endpoint: string): LeaseQueueError {
  const isSent = !(fault instanceof TransportFault) || fault.isSent;
  const doubt = isSent ? 'Whether the call was carried out is unknown' : 'Nothing was sent';
  return new LeaseQueueError({
    code: 'UNREACHABLE',
    message: `The server at ${endpoint} does not answer (${fault instanceof Error ? fault.message : 'no reason given'}). ${doubt}.`,
    isOutcomeUnknown: isSent,
    isRetryable: true,
    cause: fault,
  });
}

/** What ends a connection to the event log that is followed on another one. */
export function streamLost(fault: unknown, endpoint: string): LeaseQueueError {
  const reason = fault instanceof Error ? fault.message : 'no reason given';
  return new LeaseQueueError({ code: 'UNREACHABLE', message: `The server at ${endpoint} sends no events (${reason}).`, isRetryable: true, cause: fault });
}
