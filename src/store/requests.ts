/** What callers may ask of the lease repository. */
import type { SubmitRequest } from '../domain/idempotency.ts';
import type { JobState, Retention, Tag } from '../domain/job.ts';
import type { RedactionRule } from '../domain/redaction.ts';
import type { WorkerState } from '../domain/worker-state.ts';

/** Who asks, for the record. */
export interface Caller {
  /** Name of the API key; null where nobody has to sign in. */
  readonly actor: string | null;
}

export interface CompleteRequest {
  readonly jobId: string;
  /** As sent: any text, compared by digest only. */
  readonly leaseToken: string;
  readonly resultJson: string | null;
}

export interface ClaimRequest {
  /** Tried in the order given. */
  readonly queues: readonly string[];
  readonly workerId: string;
  readonly max: number;
  /** Null takes the queue's default. */
  readonly leaseSeconds: number | null;
  readonly waitSeconds: number;
  /** Null: any task. */
  readonly tasks: readonly string[] | null;
  readonly requestId: string | null;
  readonly completing: readonly CompleteRequest[];
}

export interface HeartbeatRequest {
  readonly jobId: string;
  readonly leaseToken: string;
  /** Null repeats the claim's length. */
  readonly extendSeconds: number | null;
  readonly progress: { readonly percent: number | null; readonly note: string | null } | null;
}

export interface FailRequest {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly error: { readonly type: string | null; readonly message: string; readonly detailsJson: string | null };
  /** Null: the job's own backoff. */
  readonly retry: { readonly afterSeconds: number } | { readonly never: true } | null;
}

export interface ReleaseRequest {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly afterSeconds: number;
}

export interface CancelRequest {
  readonly jobId: string;
  readonly reason: string | null;
  readonly force: boolean;
}

export interface RedriveRequest {
  readonly jobId: string;
  readonly start: SubmitRequest['start'];
  readonly maxAttempts: number | null;
  readonly payloadJson: string | null;
}

export interface RescheduleRequest {
  readonly jobId: string;
  readonly start: SubmitRequest['start'];
  readonly priority: number | null;
}

/** Inclusive from, exclusive to. */
export interface InstantRange {
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Fields are joined by AND, the values of one list by OR; tags must all match. An empty list matches nothing. */
export interface JobFilter {
  readonly queues?: readonly string[];
  readonly tasks?: readonly string[];
  readonly states?: readonly JobState[];
  readonly workerIds?: readonly string[];
  readonly concurrencyKeys?: readonly string[];
  readonly tags?: readonly Tag[];
  readonly createdAt?: InstantRange;
  readonly runAt?: InstantRange;
  readonly finishedAt?: InstantRange;
  /** Dead letters of these groups. */
  readonly deadLetterGroups?: readonly string[];
  /** The caller may know of no other queues: neither may how far a look came tell of them. */
  readonly isConfined?: true;
}

export type JobsTarget = { readonly ids: readonly string[] } | { readonly filter: JobFilter };

/** The change that a bulk call makes to each job it finds. */
export type BulkAction =
  | { readonly name: 'cancel'; readonly reason: string | null; readonly force: boolean }
  | { readonly name: 'redrive'; readonly start: SubmitRequest['start'] }
  | { readonly name: 'purge' };

export interface BulkRequest {
  readonly target: JobsTarget;
  readonly action: BulkAction;
  /** Jobs that one call changes or skips at most. */
  readonly limit: number;
  readonly dryRun: boolean;
}

export interface QueueDefaults {
  readonly priority: number;
  readonly maxAttempts: number;
  readonly retryBaseSeconds: number;
  readonly retryMaxSeconds: number;
  readonly leaseSeconds: number;
}

export interface ConfigureQueueRequest {
  readonly name: string;
  readonly expectedVersion: number | null;
  /** An absent field stays as it is; null goes back to the server's own default. */
  readonly defaults: { readonly [Field in keyof QueueDefaults]?: number | null };
  readonly retention: { readonly [Field in keyof Retention]?: number | null };
}

export interface RedactionRulesRequest {
  readonly rules: readonly RedactionRule[];
  /** Null overwrites whatever is there. */
  readonly expectedVersion: number | null;
}

export const JOB_ORDERS = ['newest_first', 'oldest_first', 'next_to_run', 'lease_expiry', 'recently_finished'] as const;

export type JobOrder = (typeof JOB_ORDERS)[number];

/** Fields are joined by AND, the values of one list by OR. An empty list matches nothing. */
export interface DeadLetterGroupFilter {
  readonly queues?: readonly string[];
  readonly tasks?: readonly string[];
}

export const DEAD_LETTER_GROUP_ORDERS = ['count', 'recent'] as const;

export type DeadLetterGroupOrder = (typeof DEAD_LETTER_GROUP_ORDERS)[number];

/** Place of a row in a keyset order: the values of the order's columns. */
export type PageKey = readonly (number | string)[];

export interface PageRequest {
  /** Rows strictly after this place, in the order asked for. */
  readonly after: PageKey | null;
  readonly before: PageKey | null;
  readonly limit: number;
  /** True: the `limit` rows nearest to `before`, still answered in the order asked for. */
  readonly fromEnd: boolean;
}

/** Which workers of those that were heard of, by id. */
export interface WorkerSelection {
  /** Absent: any. */
  readonly states?: readonly WorkerState[] | undefined;
  /** Only workers after this id. */
  readonly after?: string | undefined;
  /** Absent: all of them. */
  readonly limit?: number | undefined;
  /** Absent: all. Otherwise what is told of a worker is about these queues alone. */
  readonly queues?: readonly string[] | undefined;
}

/** A place in a tenant's event log. `epoch` names the part of it that was being written when the place was handed out. */
export interface LogPosition {
  readonly epoch: string;
  readonly seq: number;
}
