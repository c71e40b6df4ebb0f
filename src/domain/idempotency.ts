/** When two submissions are the same request: the canonical text of everything that shapes the job. */
import { canonicalJson } from './json.ts';
import type { Tag } from './job.ts';
import { LIMITS } from './limits.ts';

/** When a job may first run: an instant in epoch milliseconds, or a wait in seconds. */
export type Start = { readonly atMs: number } | { readonly inSeconds: number };

/** A submission as its producer gave it: null is an absent value. */
export interface SubmitRequest {
  readonly queue: string;
  readonly task: string;
  /** Canonical JSON of an object. */
  readonly payloadJson: string;
  readonly priority: number | null;
  readonly maxAttempts: number | null;
  readonly retryBaseSeconds: number | null;
  readonly retryMaxSeconds: number | null;
  readonly start: Start | null;
  readonly concurrencyKey: string | null;
  readonly tags: readonly Tag[];
  readonly idempotencyKey: string | null;
}

export const FINGERPRINT_FIELDS = [
  'queue',
  'task',
  'payload',
  'priority',
  'maxAttempts',
  'retryBaseSeconds',
  'retryMaxSeconds',
  'start',
  'concurrencyKey',
  'tags',
] as const;
export type FingerprintField = (typeof FINGERPRINT_FIELDS)[number];

/**
 * Canonical text per field. An absent value and the schema's default are the same request; a default configured on
 * the queue counts as absent; `inSeconds` is compared as seconds, an instant as an instant.
 */
export function canonicalRequest(request: SubmitRequest): Readonly<Record<FingerprintField, string>> {
  // In the order of their names, so that writing them out is canonical too.
  return {
    concurrencyKey: canonicalJson(request.concurrencyKey),
    maxAttempts: String(request.maxAttempts ?? LIMITS.maxAttemptsDefault),
    payload: request.payloadJson,
    priority: String(request.priority ?? LIMITS.priorityDefault),
    queue: request.queue,
    retryBaseSeconds: String(request.retryBaseSeconds ?? LIMITS.retryBaseSecondsDefault),
    retryMaxSeconds: String(request.retryMaxSeconds ?? LIMITS.retryMaxSecondsDefault),
    start: canonicalJson(request.start),
    tags: canonicalJson(request.tags.toSorted((a, b) => (a.key < b.key ? -1 : 1))),
    task: request.task,
  };
}

/**
 * The text that tells one call to submit from another: everything that was said, in an order that stays, since a repeat may
 * reach a later version of the server.
 */
export function callText(requests: readonly SubmitRequest[], isAllOrNothing: boolean): string {
  return JSON.stringify([isAllOrNothing, requests.map(saidIn)]);
}

/** What every request says, and of one that says more, all of it. */
function saidIn(request: SubmitRequest): readonly unknown[] {
  const { queue, task, payloadJson, priority, maxAttempts, retryBaseSeconds, retryMaxSeconds, start, concurrencyKey, tags, idempotencyKey } = request;
  const more = [priority, maxAttempts, retryBaseSeconds, retryMaxSeconds, start, concurrencyKey, idempotencyKey];
  if (tags.length === 0 && more.every((value) => value === null)) return [queue, task, payloadJson];
  return [queue, task, payloadJson, ...more, tags.map(({ key, value }) => [key, value])];
}

/** Canonical text per field of a request that says as little as it can. No task is empty. */
export const USUAL_REQUEST = canonicalRequest({
  ...{ queue: 'default', task: '', payloadJson: '{}', priority: null, maxAttempts: null, retryBaseSeconds: null, retryMaxSeconds: null },
  ...{ start: null, concurrencyKey: null, tags: [], idempotencyKey: null },
});

/** The text whose SHA-256 is the fingerprint: canonical JSON, because the fields stand in order and are texts. */
export function fingerprintText(canonical: Readonly<Record<FingerprintField, string>>): string {
  return JSON.stringify(canonical);
}
