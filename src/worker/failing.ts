/** What was thrown, as the API wants to know it: cut to size, because reporting a failure must not fail. */
import type { JobErrorInput, RetryInput } from '../client/generated/graphql.ts';
import { LeaseQueueError } from '../client/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import { NonRetryable, RetryAfter } from './outcomes.ts';

export interface Failing {
  readonly error: unknown;
  /** Instead of the error's own name. */
  readonly type?: string;
  /** Null: by the job's own backoff. */
  readonly retry: RetryInput | null;
}

const NEVER: RetryInput = { never: true };
/** Of the details, which the server would replace by a marker where they are too large. */
const STACK_CHARACTERS_MAX = 8_000;
const RETRY_SECONDS_MAX = LIMITS.afterSecondsMax;

/** A payload or result that does not fit does not fit better next time. */
export function failingOf(error: unknown): Failing {
  if (error instanceof NonRetryable) return { error, retry: NEVER };
  if (error instanceof RetryAfter) return { error, retry: { afterSeconds: Math.min(RETRY_SECONDS_MAX, Math.ceil(error.afterMs / 1_000)) } };
  if (error instanceof LeaseQueueError && error.code === 'INVALID_PAYLOAD') return { error, type: 'InvalidPayload', retry: NEVER };
  return { error, retry: null };
}

export function refusedResult(error: LeaseQueueError): Failing {
  return { error, type: 'ResultRefused', retry: NEVER };
}

export function errorInput(error: unknown, type?: string): JobErrorInput & { readonly type: string } {
  const { name, message, stack, cause } = error instanceof Error ? error : { name: typeof error, message: String(error), stack: undefined, cause: undefined };
  const because = cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
  return {
    type: (type ?? name).slice(0, LIMITS.errorTypeCharactersMax),
    message: message.slice(0, LIMITS.errorTextBytesMax),
    details: {
      ...(stack !== undefined && { stack: stack.slice(0, STACK_CHARACTERS_MAX) }),
      ...(because !== undefined && { cause: because.slice(0, STACK_CHARACTERS_MAX / 4) }),
    },
  };
}
