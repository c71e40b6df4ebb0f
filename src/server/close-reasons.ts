/** Why the server closes a socket: codes, and words that say what to do. */
import { cutText } from '../domain/json.ts';
import { LIMITS } from '../domain/limits.ts';

/** Of RFC 6455 and its registry; those of the protocol are the library's. */
export const CLOSE = {
  goingAway: 1001,
  policyViolation: 1008,
  /** Clients take it for a reason to come back, and resume from their cursor. */
  tryAgainLater: 1013,
} as const;

const REASON_BYTES_MAX = 123;

export const TOO_SLOW = 'Too slow: the reader did not take what was sent. Come back and resume from the last cursor.';
export const TOO_MANY_SOCKETS = 'Too many sockets: try again later.';
export const TOO_MANY_SILENT = 'Too many sockets without connection_init: send it as soon as the socket is open.';
export const TOO_MANY_OF_KEY = 'This API key has too many sockets: close one, or put the subscriptions on one of them.';
export const CANNOT_SERVE = 'The server cannot tell who is asking at the moment: come back and try again.';
export const TOO_MANY_OF_TENANT = 'This tenant has too many sockets: close one, or have its quota raised.';
export const TOO_MANY_MESSAGES = `Too many messages: at most ${LIMITS.socketMessagesPerSecondMax} a second, and ${LIMITS.socketMessagesAtOnceMax} at once.`;

/** Any text as a close reason: at most 123 bytes of UTF-8, cut on the border of a character. */
export function closeReason(text: string): string {
  return cutText(text.toWellFormed(), REASON_BYTES_MAX);
}
