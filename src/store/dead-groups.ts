/** Which group a dead letter belongs to, and what the group shows of it. */
import { type ErrorWords, errorFingerprint } from '../domain/error-fingerprint.ts';
import type { Job } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import { hexDigest } from '../runtime/digest.ts';

/** So many that no two groups of a tenant will ever share one: 96 bits. */
const ID_DIGITS = 24;

const NO_WORDS: ErrorWords = { type: null, message: '' };

/** The group that a job is in which died of its last error. Stable across tenants and servers: it says nothing but these three. */
export function deadGroupOf({ queue, task, lastError }: Pick<Job, 'queue' | 'task'> & { readonly lastError: ErrorWords | null }): string {
  return hexDigest(`${queue}\n${task}\n${errorFingerprint(lastError ?? NO_WORDS)}`, ID_DIGITS);
}

/** The beginning of a message. */
export function sampleOf(message: string): string {
  if (message.length <= LIMITS.groupMessageCharactersMax) return message;
  return Array.from(message.slice(0, 2 * LIMITS.groupMessageCharactersMax))
    .slice(0, LIMITS.groupMessageCharactersMax)
    .join('');
}
