/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
interface DocumentTypeDecoration<TResult, TVariables> { readonly __apiType?: (variables: TVariables) => TResult }
/** How an attempt ended. */
export type AttemptOutcome =
  /** The worker gave the job up after a cancel request. */
  | 'CANCELLED'
  /** The worker completed the job. */
  | 'COMPLETED'
  /** The worker reported a failure. */
  | 'FAILED'
  /** The lease ran out without a word from the worker. */
  | 'LEASE_EXPIRED'
  /** The worker handed the job back. */
  | 'RELEASED'
  /** An operator cancelled the job with `force`, which took the lease away. */
  | 'REVOKED'
  /** It has not ended yet. */
  | 'RUNNING';

/** What one failing item means to its batch. */
export type BatchPolicy =
  /** One failure stores nothing: the good items answer BatchRolledBack. */
  | 'ALL_OR_NOTHING'
  /** Items that fail are reported, the rest is stored. */
  | 'STORE_GOOD';

/** A job to cancel. */
export type CancelJobInput = {
  /** RUNNING only: revoke the lease now instead of asking the worker. */
  force?: boolean;
  /** The job. An unknown id answers JobNotFound. */
  id: string | number;
  /** Why, for people; up to 1000 characters. */
  reason?: string | null | undefined;
};

/** Jobs to cancel. */
export type CancelJobsInput = {
  /** Change nothing, and answer how many jobs match. */
  dryRun?: boolean;
  /** RUNNING jobs: revoke the lease now instead of asking the worker. */
  force?: boolean;
  /** Jobs that one call changes or skips at most, 1 to 1000. */
  limit?: number;
  /** Why, for people; up to 1000 characters. */
  reason?: string | null | undefined;
  /** Which jobs. */
  target: JobsTarget;
};

/** A request for work. */
export type ClaimJobsInput = {
  /** Complete these first, in the same commit, whether or not the claim finds anything; up to 100. */
  completing?: Array<CompleteJobInput> | null | undefined;
  /** Length of the leases, 5 to 3600. Null takes the queue's default (60). */
  leaseSeconds?: number | null | undefined;
  /** Leases at most, 1 to 100. */
  max?: number;
  /** 1 to 100 queues, each once, in order of preference: an earlier queue is emptied first. */
  queues?: Array<string>;
  /** Repeat a claim whose answer was lost: the same id from the same worker gets the same leases in these queues while they live, with fresh tokens. 1 to 128 visible ASCII characters. */
  requestId?: string | null | undefined;
  /** Only jobs of these tasks, 1 to 100. Absent: any task. */
  tasks?: Array<string> | null | undefined;
  /** Long poll, 0 to 30: hold the request until a job is ready. Going away ends the wait. */
  waitSeconds?: number;
  /** Names the worker, for people and for `requestId`: 1 to 128 visible characters. It proves nothing. */
  workerId: string;
};

/** A job that is done. */
export type CompleteJobInput = {
  /** The job. An unknown id answers JobNotFound. */
  jobId: string | number;
  /** The token that the claim answered. Any text is taken; whatever is not the current token answers LeaseLost. */
  leaseToken: string;
  /** What came out, kept with the job: at most 65536 bytes as JSON without spaces, 32 levels deep. */
  result?: unknown;
};

/** Jobs that are done. */
export type CompleteJobsInput = {
  /** 1 to 500 jobs, in one transaction. */
  jobs: Array<CompleteJobInput>;
};

/** A queue, and what to change of it. */
export type ConfigureQueueInput = {
  /** Absent: as they are. */
  defaults?: QueueDefaultsInput | null | undefined;
  /** The version that you read: another one answers VersionConflict. 0 is that of a queue that does not exist yet. Null overwrites whatever is there. */
  expectedVersion?: number | null | undefined;
  /** The queue, created if it does not exist yet. 1 to 64 characters: a letter or digit, then letters, digits, `.`, `_`, `:` and `-`. */
  name: string;
  /** Absent: as it is. */
  retention?: RetentionInput | null | undefined;
};

/** A key to make. */
export type CreateApiKeyInput = {
  /** From when on it is refused, in the future. Absent: never. */
  expiresAt?: string | null | undefined;
  /** For people, 1 to 128 characters; unique among the tenant's keys that are not revoked. Events show it. */
  name: string;
  /** Restricts it to these queues, up to 100. Not together with ADMIN or SYSTEM. Absent or empty: every queue. */
  queues?: Array<string> | null | undefined;
  /** What it may do, one scope at least. Only a SYSTEM key can grant SYSTEM. */
  scopes: Array<Scope>;
  /** SYSTEM keys only: whose key. Absent: of the own tenant. */
  tenantId?: string | number | null | undefined;
};

/** A tenant to create. */
export type CreateTenantInput = {
  /** Part of its keys, for ever: 1 to 64 characters of a-z, 0-9 and "-". Absent: made from the name, in lower case and with "-" for everything else. */
  id?: string | number | null | undefined;
  /** For people. Unique, 1 to 128 characters, none of them a control character. */
  name: string;
  /** Absent: the defaults. */
  quotas?: TenantQuotasInput | null | undefined;
};

/** A span of time. An absent end is open. */
export type DateTimeRange = {
  /** Inclusive. */
  from?: string | null | undefined;
  /** Exclusive. */
  to?: string | null | undefined;
};

/** The order of a list of groups. A group that changes while pages are read may be on two of them, or on none. */
export type DeadLetterGroupOrder =
  /** The one with the most dead letters first. */
  | 'COUNT'
  /** The one in which a job died last first. */
  | 'RECENT';

/** An attempt that failed. */
export type FailJobInput = {
  /** What went wrong. */
  error: JobErrorInput;
  /** The job. An unknown id answers JobNotFound. */
  jobId: string | number;
  /** The token that the claim answered. Any text is taken; whatever is not the current token answers LeaseLost. */
  leaseToken: string;
  /** When to try again. Absent: the job's own backoff. */
  retry?: RetryInput | null | undefined;
};

/** Names a failure for programs. Codes may be added: keep a default branch. */
export type FailureCode =
  /** No key of this tenant has this id. Check the id and the tenant. Do not repeat the call. */
  | 'API_KEY_NOT_FOUND'
  /** Nothing was wrong with this item; another item failed and the batch was all or nothing. Mend the item that failed and send the batch again. */
  | 'BATCH_ROLLED_BACK'
  /** The idempotency key belongs to a job that was submitted with a different request. Nothing was stored. Use a new key for new work, or send exactly the request that the key was first used with. */
  | 'IDEMPOTENCY_CONFLICT'
  /** The job is in a state that does not allow this action. Nothing was changed. Read the job again and decide anew. */
  | 'INVALID_TRANSITION'
  /** No job of this tenant has this id. Retention or an operator may have removed it. Check the id and the tenant. Do not repeat the call. */
  | 'JOB_NOT_FOUND'
  /** The token is not the current, live lease of the job. Nothing was changed. Stop working on the job. Do not repeat the call: somebody else may hold the job now. */
  | 'LEASE_LOST'
  /** Another one has this name already. Nothing was changed. Choose another name. */
  | 'NAME_TAKEN'
  /** No queue of this tenant has this name. A queue comes into being with its first job, with configureQueue or with pauseQueue. */
  | 'QUEUE_NOT_FOUND'
  /** The tenant is at this quota. Nothing was changed. Repeat the call, with the same idempotency key, when there is room again, or have the quota raised. */
  | 'QUOTA_EXCEEDED'
  /** No tenant that this key may see has this id. Check the id, and that the key may act for other tenants. Do not repeat the call. */
  | 'TENANT_NOT_FOUND'
  /** What the call is about was changed since the caller read it. Nothing was changed. Read it again and repeat the call with its current version. */
  | 'VERSION_CONFLICT';

/** Why events after a cursor cannot be read. */
export type GapReason =
  /** They were removed together with their jobs. */
  | 'RETENTION'
  /** The database was restored from a backup; the cursor is of the time before. */
  | 'STORE_RESTORED';

/** Leases to extend. */
export type HeartbeatInput = {
  /** 1 to 500 leases. */
  leases: Array<HeartbeatItemInput>;
};

/** A lease to extend. */
export type HeartbeatItemInput = {
  /** Counts from now and never shortens the lease: 5 to 3600. Null repeats the claim's length. */
  extendSeconds?: number | null | undefined;
  /** The job. An unknown id answers JobNotFound. */
  jobId: string | number;
  /** The token that the claim answered. Any text is taken; whatever is not the current token answers LeaseLost. */
  leaseToken: string;
  /** How far the work is. Absent: nothing new. */
  progress?: ProgressInput | null | undefined;
};

/** An idempotency key in its queue. */
export type IdempotencyKeyInput = {
  /** The key, 1 to 128 visible ASCII characters. */
  key: string;
  /** The queue that the job was submitted to. 1 to 64 characters: a letter or digit, then letters, digits, `.`, `_`, `:` and `-`. */
  queue: string;
};

/** Why a claim came back empty. */
export type IdleReason =
  /** No job of these queues and tasks is due. */
  | 'NO_READY_JOB'
  /** A queue of the claim is paused, and no other one had a due job. */
  | 'PAUSED'
  /** The server is stopping. Claim again elsewhere, or after `pollAgainInMs`. */
  | 'SHUTTING_DOWN';

/** What an operator can ask of a job. */
export type JobAction =
  /** End a job that is not finished. */
  | 'CANCEL'
  /** Remove a finished job with its ledger. */
  | 'PURGE'
  /** Put a dead letter back in its queue. */
  | 'REDRIVE'
  /** Change when a waiting job runs, or its priority. */
  | 'RESCHEDULE';

/** What went wrong. Nothing here is ever refused for its content: long text is cut, odd characters are replaced. */
export type JobErrorInput = {
  /** Whatever helps, up to 16384 bytes as JSON. What is larger, or no good JSON, becomes `{"truncated": true, "bytes": …}`. */
  details?: unknown;
  /** For people; cut at 4096 bytes. May be empty. */
  message: string;
  /** The kind of error, to group by; cut at 256 characters. */
  type?: string | null | undefined;
};

/** Fields are joined by AND; the values of one list by OR. An absent field does not filter. */
export type JobEventFilter = {
  /** Jobs, up to 100 of them; an empty list matches nothing. */
  jobIds?: Array<string | number> | null | undefined;
  /** What happened, up to 100 of them; an empty list matches nothing. */
  kinds?: Array<JobEventKind> | null | undefined;
  /** Queue names, up to 100 of them; an empty list matches nothing. */
  queues?: Array<string> | null | undefined;
  /** States after the transition, up to 100 of them; an empty list matches nothing. */
  states?: Array<JobState> | null | undefined;
  /** Tasks, up to 100 of them; an empty list matches nothing. */
  tasks?: Array<string> | null | undefined;
};

/** What happened to a job. Transitions only: a heartbeat writes no event. */
export type JobEventKind =
  /** It ended as cancelled. */
  | 'CANCELLED'
  /** An operator asked to cancel it while it ran; the worker learns it with its next heartbeat. */
  | 'CANCEL_REQUESTED'
  /** A worker took it under a lease. */
  | 'CLAIMED'
  /** Its worker completed it. */
  | 'COMPLETED'
  /** It became a dead letter; the detail says why. */
  | 'DEAD_LETTERED'
  /** A lease ran out unsettled, recorded when it was noticed. */
  | 'LEASE_EXPIRED'
  /** An operator removed it. The job's last event. */
  | 'PURGED'
  /** An operator put the dead letter back in its queue. */
  | 'REDRIVEN'
  /** Its worker handed it back. */
  | 'RELEASED'
  /** An operator changed its `runAt` or priority. */
  | 'RESCHEDULED'
  /** An attempt failed and another one is due at the `runAt` of the detail. */
  | 'RETRY_SCHEDULED'
  /** The job was stored. */
  | 'SUBMITTED';

/** Fields are joined by AND; the values of one list by OR. An absent field does not filter. */
export type JobFilter = {
  /** Concurrency keys, up to 100 of them; an empty list matches nothing. */
  concurrencyKeys?: Array<string> | null | undefined;
  /** When the job was submitted. */
  createdAt?: DateTimeRange | null | undefined;
  /** Dead letters of these groups, up to 100 of them; an empty list matches nothing. */
  deadLetterGroups?: Array<string | number> | null | undefined;
  /** When the job ended; leaves out jobs that have not. */
  finishedAt?: DateTimeRange | null | undefined;
  /** Queue names, each 1 to 64 characters: a letter or digit, then letters, digits, `.`, `_`, `:` and `-`; up to 100 of them; an empty list matches nothing. */
  queues?: Array<string> | null | undefined;
  /** When the job may run. */
  runAt?: DateTimeRange | null | undefined;
  /** States, up to 100 of them; an empty list matches nothing. */
  states?: Array<JobState> | null | undefined;
  /** All of them must match; up to 16. */
  tags?: Array<TagInput> | null | undefined;
  /** Tasks, each 1 to 64 characters: a letter or digit, then letters, digits, `.`, `_`, `:` and `-`; up to 100 of them; an empty list matches nothing. */
  tasks?: Array<string> | null | undefined;
  /** Workers that hold the lease now, up to 100 of them; an empty list matches nothing. */
  workerIds?: Array<string> | null | undefined;
};

/** The order of a list of jobs. */
export type JobOrder =
  /** RUNNING jobs only: by `lease.expiresAt`, the soonest first. */
  | 'LEASE_EXPIRY'
  /** By submission, the latest first. */
  | 'NEWEST_FIRST'
  /** As claims take them: by priority, then by `runAt`, then by submission. */
  | 'NEXT_TO_RUN'
  /** By submission, the first first. */
  | 'OLDEST_FIRST'
  /** By `finishedAt`, the latest first. Filter by finished states to see those only. */
  | 'RECENTLY_FINISHED';

/** Names one job. */
export type JobSelector =
  {   /** By its id. */
  id: string | number; idempotencyKey?: never; }
  |  { id?: never;   /** By the key that it was submitted with. */
  idempotencyKey: IdempotencyKeyInput; };

/** Where a job stands. COMPLETED and CANCELLED are final; DEAD ends by redrive or purge only. */
export type JobState =
  /** Ended by an operator. Never changes again. */
  | 'CANCELLED'
  /** Done. Never changes again. */
  | 'COMPLETED'
  /** A dead letter: the attempt budget is spent, or it failed with `retry: {never: true}`. */
  | 'DEAD'
  /** Waiting for a worker, with a full attempt budget; `runAt` may still be ahead. */
  | 'QUEUED'
  /** Failed or lost its lease; waiting for `runAt`, then claimed again. */
  | 'RETRY'
  /** Leased to a worker. */
  | 'RUNNING';

/** Which jobs a bulk call works on. */
export type JobsTarget =
  {   /** All jobs that match. Must name something: an empty filter is refused. */
  filter: JobFilter; ids?: never; }
  |  { filter?: never;   /** 1 to 1000 jobs. Unknown ids are skipped. */
  ids: Array<string | number>; };

/** Why a lease token proves nothing any more. */
export type LeaseLostReason =
  /** The lease ran out before the call came. */
  | 'EXPIRED'
  /** The lease ended otherwise: the job was settled or handed back with this token. */
  | 'FINISHED'
  /** An operator cancelled the job with `force`. */
  | 'REVOKED'
  /** A newer claim of the job exists. */
  | 'SUPERSEDED'
  /** The token never belonged to this job. */
  | 'UNKNOWN_TOKEN';

/** What an operator or an administrator did. Values may be added: keep a default branch. */
export type OperatorActionKind =
  /** Cancelled a job, or asked its worker to give it up. */
  | 'CANCEL_JOB'
  /** Cancelled many jobs. */
  | 'CANCEL_JOBS'
  /** Changed the defaults or the retention of a queue. */
  | 'CONFIGURE_QUEUE'
  /** Made a key. */
  | 'CREATE_API_KEY'
  /** Created the tenant. */
  | 'CREATE_TENANT'
  /** Paused a queue. */
  | 'PAUSE_QUEUE'
  /** Removed many finished jobs. */
  | 'PURGE_JOBS'
  /** Put a dead letter back in its queue, perhaps with another payload. */
  | 'REDRIVE_JOB'
  /** Redrove many dead letters. */
  | 'REDRIVE_JOBS'
  /** Changed when a job runs, or its priority. */
  | 'RESCHEDULE_JOB'
  /** Opened a paused queue. */
  | 'RESUME_QUEUE'
  /** Revoked a key. */
  | 'REVOKE_API_KEY'
  /** Set what is hidden from readers. */
  | 'SET_REDACTION_RULES'
  /** Renamed or suspended the tenant, let it go on, or set its quotas. */
  | 'UPDATE_TENANT';

/** A queue to pause. */
export type PauseQueueInput = {
  /** The queue, created if it does not exist yet. 1 to 64 characters: a letter or digit, then letters, digits, `.`, `_`, `:` and `-`. */
  name: string;
  /** Why, for people; up to 1000 characters. */
  reason?: string | null | undefined;
};

/** How far the work is. Replaces what was said before. */
export type ProgressInput = {
  /** For people, up to 1000 characters; more is PAYLOAD_TOO_LARGE. */
  note?: string | null | undefined;
  /** 0 to 100. */
  percent?: number | null | undefined;
};

/** Finished jobs to remove, with ledger and events. */
export type PurgeJobsInput = {
  /** Change nothing, and answer how many jobs match. */
  dryRun?: boolean;
  /** Jobs that one call changes or skips at most, 1 to 1000. */
  limit?: number;
  /** Which jobs. Finished jobs only: others are skipped. */
  target: JobsTarget;
};

/** What the queue's jobs and claims take that do not say otherwise. An absent field stays as it is; null goes back to the server's default. */
export type QueueDefaultsInput = {
  /** 5 to 3600. Absent: as it is. Null: the server's default, 60. */
  leaseSeconds?: number | null | undefined;
  /** 1 to 20. Absent: as it is. Null: the server's default, 3. */
  maxAttempts?: number | null | undefined;
  /** -100 to 100, higher first. Absent: as it is. Null: the server's default, 0. */
  priority?: number | null | undefined;
  /** 1 to 3600. Absent: as it is. Null: the server's default, 15. */
  retryBaseSeconds?: number | null | undefined;
  /** 1 to 86400, and not below `retryBaseSeconds`. Absent: as it is. Null: the server's default, 3600. */
  retryMaxSeconds?: number | null | undefined;
};

/** What to hide in payloads, results and error details of the jobs of some tasks. */
export type RedactionRuleInput = {
  /** Keys joined by dots, from the outermost on: `card.number`. `*` is any key or index of its level, as in `items.*.iban`; `**`, once at most, is any number of levels, as in `**.password`. `\` before a dot or a star takes its meaning away. 1 to 16 keys, 256 characters at most. */
  path: string;
  /** A task, or a pattern in which `*` stands for any text: `invoice.*`. 1 to 64 characters. */
  task: string;
};

/** A dead letter to put back in its queue. */
export type RedriveJobInput = {
  /** The job. An unknown id answers JobNotFound. */
  id: string | number;
  /** A new attempt budget, 1 to 20. Null keeps the old one. */
  maxAttempts?: number | null | undefined;
  /** Replace the payload of a poisoned job. At most 65536 bytes as JSON without spaces, 32 levels deep. More bytes are PAYLOAD_TOO_LARGE. Null keeps the old one. `[redacted]` where a redaction rule hides a value keeps the stored one; in a list of another length than the stored one, or where nothing is stored, it is refused. */
  payload?: Record<string, unknown> | null | undefined;
  /** When it may run. Absent: at once. */
  start?: StartInput | null | undefined;
};

/** Dead letters to put back in their queues. */
export type RedriveJobsInput = {
  /** Change nothing, and answer how many jobs match. */
  dryRun?: boolean;
  /** Jobs that one call changes or skips at most, 1 to 1000. */
  limit?: number;
  /** When they may run. Absent: at once. */
  start?: StartInput | null | undefined;
  /** Which jobs. */
  target: JobsTarget;
};

/** A job to hand back. */
export type ReleaseJobInput = {
  /** When it may run again, in seconds from now, 0 to 86400. 0 keeps its place in line. */
  afterSeconds?: number;
  /** The job. An unknown id answers JobNotFound. */
  jobId: string | number;
  /** The token that the claim answered. Any text is taken; whatever is not the current token answers LeaseLost. */
  leaseToken: string;
};

/** What to change of a waiting job: `start`, `priority` or both. */
export type RescheduleJobInput = {
  /** The job. An unknown id answers JobNotFound. */
  id: string | number;
  /** -100 to 100, higher first. Null keeps the old one. */
  priority?: number | null | undefined;
  /** When it may run. Absent: as it was. */
  start?: StartInput | null | undefined;
};

/** A queue to resume. */
export type ResumeQueueInput = {
  /** The queue. 1 to 64 characters: a letter or digit, then letters, digits, `.`, `_`, `:` and `-`. */
  name: string;
};

/** How long finished jobs are kept after their end. An absent field stays as it is; null goes back to the server's default. Holds for jobs that finish from now on. */
export type RetentionInput = {
  /** Seconds that CANCELLED jobs are kept, 0 to 315360000; 0 is for ever. Absent: as it is. Null: the server's default. */
  cancelledSeconds?: number | null | undefined;
  /** Seconds that COMPLETED jobs are kept, 0 to 315360000; 0 is for ever. Absent: as it is. Null: the server's default. */
  completedSeconds?: number | null | undefined;
  /** Seconds that DEAD jobs are kept, 0 to 315360000; 0 is for ever. Absent: as it is. Null: the server's default. */
  deadSeconds?: number | null | undefined;
};

/** When to try again. Absent: the job's own backoff. */
export type RetryInput =
  {   /** This many seconds from now instead of the backoff, 0 to 86400. */
  afterSeconds: number; never?: never; }
  |  { afterSeconds?: never;   /** Dead-letter now, whatever the attempt budget. Only true makes sense and is taken. */
  never: boolean; };

/** A key to revoke. */
export type RevokeApiKeyInput = {
  /** Its id. */
  id: string | number;
};

/** What an API key may do. Each stands for itself: none contains another. */
export type Scope =
  /** Keys and quotas of the own tenant. */
  | 'ADMIN'
  /** Cancel, redrive, reschedule, pause, bulk, limits, schedules. */
  | 'OPERATE'
  /** See the payloads and results of jobs. */
  | 'PAYLOADS'
  /** Read jobs, queues, events, stats; payloads and results only with PAYLOADS. */
  | 'READ'
  /** Submit jobs. */
  | 'SUBMIT'
  /** Every tenant; names one in the header `x-leasequeue-tenant`. */
  | 'SYSTEM'
  /** Claim jobs, keep their leases alive, settle them or hand them back. */
  | 'WORK';

/** How far back, and in which steps. */
export type SeriesPeriod =
  /** 96 steps of 15 minutes. */
  | 'DAY'
  /** 60 steps of a minute. */
  | 'HOUR'
  /** 168 steps of an hour. */
  | 'WEEK';

/** Rules in place of those that there are. */
export type SetRedactionRulesInput = {
  /** The version that you read: another one answers VersionConflict. 0 is that of rules that nobody set yet. Null overwrites whatever is there. */
  expectedVersion?: number | null | undefined;
  /** Up to 100; none hides nothing. */
  rules: Array<RedactionRuleInput>;
};

/** When the job may first run. Absent: at once. */
export type StartInput =
  {   /** At this instant, at most 2592000 seconds ahead. A past instant means now. */
  at: string; inSeconds?: never; }
  |  { at?: never;   /** This many seconds from now, 0 to 2592000. */
  inSeconds: number; };

/** A job to store. */
export type SubmitJobInput = {
  /** Jobs of one key belong together. 1 to 128 characters, no control characters. */
  concurrencyKey?: string | null | undefined;
  /** Makes repeating safe: the same key with the same request answers the job that it made, the same key with another request answers IdempotencyConflict. Unique in tenant and queue for as long as the job is kept, and for a day at least. 1 to 128 visible ASCII characters. Absent: nothing is deduplicated. */
  idempotencyKey?: string | null | undefined;
  /** The attempt budget, 1 to 20. Null takes the queue's default (3). */
  maxAttempts?: number | null | undefined;
  /** What the work is about. At most 65536 bytes as JSON without spaces, 32 levels deep. More bytes are PAYLOAD_TOO_LARGE. */
  payload?: Record<string, unknown>;
  /** -100 to 100, higher first. Null takes the queue's default (0). */
  priority?: number | null | undefined;
  /** The queue, created by its first use. 1 to 64 characters: a letter or digit, then letters, digits, `.`, `_`, `:` and `-`. */
  queue?: string;
  /** Wait after the first failed attempt, doubled after each further one, 1 to 3600. Null takes the queue's default (15). */
  retryBaseSeconds?: number | null | undefined;
  /** The longest wait between attempts, 1 to 86400, and not below `retryBaseSeconds`. Null takes the queue's default (3600). */
  retryMaxSeconds?: number | null | undefined;
  /** When it may first run. Absent: at once. */
  start?: StartInput | null | undefined;
  /** Labels to find it by, up to 16, each key once. */
  tags?: Array<TagInput> | null | undefined;
  /** The kind of work, such as `invoice.send`. 1 to 64 characters: a letter or digit, then letters, digits, `.`, `_`, `:` and `-`. */
  task: string;
};

/** Several jobs to store. */
export type SubmitJobsInput = {
  /** 1 to 500, in one transaction. Bad input in one of them refuses them all. */
  jobs: Array<SubmitJobInput>;
  /** What one failing item means to the others. */
  onFailure?: BatchPolicy;
  /** Makes repeating the whole call safe, whether or not its jobs have keys: the same call with the same id answers the jobs that it made and tries anew what failed. Another call with the id is refused. Unique in the tenant and the queue of the first job, and known for a day at least. 1 to 128 visible ASCII characters. */
  requestId?: string | null | undefined;
};

/** A label of a job. */
export type TagInput = {
  /** 1 to 64 characters, no control characters. Unique within a job. */
  key: string;
  /** 0 to 256 characters, no control characters. */
  value: string;
};

/** Quotas to set. An absent one stays as it is, null takes it back: a SYSTEM key goes back to the default, an ADMIN key to what was granted. An ADMIN key can set at most what was granted. */
export type TenantQuotasInput = {
  /** Cost of operations in a second, as a rate with a burst of one second, but of one operation at least. 1 to 2147483647; the default is 1000000. */
  costPerSecond?: number | null | undefined;
  /** API keys, those that were revoked included; at the quota the one that was revoked longest ago gives way to a new one. 0 to 1000; the default is 200. */
  maxApiKeys?: number | null | undefined;
  /** Subscriptions open at once, over WebSocket and event streams. 0 to 1000000; the default is 10000. */
  maxFeeds?: number | null | undefined;
  /** Queues. What would create another one gets QuotaExceeded. 0 to 1000000; the default is 10000. */
  maxQueues?: number | null | undefined;
  /** Schedules, which this version does not have yet. 0 to 100000; the default is 1000. */
  maxSchedules?: number | null | undefined;
  /** WebSockets open at once. 0 to 2000; the default is 2000. */
  maxSockets?: number | null | undefined;
  /** Payloads and results kept, in MiB of 1,048,576 bytes. Submissions past it get QuotaExceeded; a result is never refused. 0 to 2147483647; the default is 1048576. */
  maxStoredMebibytes?: number | null | undefined;
  /** Jobs that are QUEUED or in RETRY at once. Submissions and redrives past it get QuotaExceeded. 0 to 2147483647; the default is 100000000. */
  maxWaitingJobs?: number | null | undefined;
  /** Requests and subscriptions begun in a second, as a rate with a burst of one second. 1 to 2147483647; the default is 50000. */
  requestsPerSecond?: number | null | undefined;
};

/** A tenant, and what to change of it. */
export type UpdateTenantInput = {
  /** The tenant. ADMIN keys have their own only. */
  id: string | number;
  /** SYSTEM keys only. For people. Unique, 1 to 128 characters, none of them a control character. Absent or null: as it is. */
  name?: string | null | undefined;
  /** Absent or null: as they are. */
  quotas?: TenantQuotasInput | null | undefined;
  /** SYSTEM keys only. True: every key of it is refused; its jobs stay. Absent or null: as it is. */
  suspended?: boolean | null | undefined;
};

/** What the signs of a worker, its claims and heartbeats, tell about it. */
export type WorkerState =
  /** Holds leases, and was heard of in time. */
  | 'ACTIVE'
  /** Holds none, and was not heard of for longer: stopped, or waiting for its turn somewhere else. */
  | 'GONE'
  /** Holds none, and was heard of within the last 60 seconds. */
  | 'IDLE'
  /** Holds leases, and was not heard of for longer than half of the leases it takes and 5 seconds; or a lease of it has run out and was not recovered yet. */
  | 'SILENT';

export type ApiKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type ApiKeysQuery = { apiKeys: Array<{ id: string, name: string, prefix: string, scopes: Array<Scope>, queues: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null }> | null };

export type AuditLogQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  actions?: Array<OperatorActionKind> | OperatorActionKind | null | undefined;
}>;


export type AuditLogQuery = { auditLog: { nodes: Array<{ id: string, at: string, actor: string | null, action: OperatorActionKind, target: unknown, changed: number, skipped: number, reason: string | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type CancelJobMutationVariables = Exact<{
  input: CancelJobInput;
}>;


export type CancelJobMutation = { cancelJob:
    | { __typename: 'CancelJobSuccess', finished: boolean, job: { id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null } }
    | { __typename: 'InvalidTransition', jobId: string, from: JobState, attempted: JobAction, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'JobNotFound', code: FailureCode, message: string, retryable: boolean }
   | null };

export type CancelJobsMutationVariables = Exact<{
  input: CancelJobsInput;
}>;


export type CancelJobsMutation = { cancelJobs: { changed: number, skipped: number, hasMore: boolean, matched: { value: number, exact: boolean }, samples: Array<{ jobId: string, code: FailureCode }> } | null };

export type ClaimJobsMutationVariables = Exact<{
  input: ClaimJobsInput;
}>;


export type ClaimJobsMutation = { claimJobs: { idle: IdleReason | null, pollAgainInMs: number, serverTime: string, completed: Array<
      | { __typename: 'CompleteJobSuccess', replayed: boolean, job: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, finishedAt: string | null } }
      | { __typename: 'JobNotFound', code: FailureCode, message: string, retryable: boolean }
      | { __typename: 'LeaseLost', jobId: string, reason: LeaseLostReason, state: JobState, attempt: number, code: FailureCode, message: string, retryable: boolean }
    >, leases: Array<{ leaseToken: string, leaseExpiresAt: string, leaseSeconds: number, attempt: number, fence: number, job: { payload: Record<string, unknown> | null, payloadRedacted: boolean, redactedPaths: Array<string>, result: unknown, retryBaseSeconds: number, retryMaxSeconds: number, concurrencyKey: string | null, cancelRequestedAt: string | null, purgeAt: string | null, id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, progress: { percent: number | null, note: string | null, updatedAt: string } | null, lease: { workerId: string, startedAt: string, expiresAt: string, lastHeartbeatAt: string | null, leaseSeconds: number, renewals: number } | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null } }> } | null };

export type CompleteJobMutationVariables = Exact<{
  input: CompleteJobInput;
}>;


export type CompleteJobMutation = { completeJob:
    | { __typename: 'CompleteJobSuccess', replayed: boolean, job: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, finishedAt: string | null } }
    | { __typename: 'JobNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'LeaseLost', jobId: string, reason: LeaseLostReason, state: JobState, attempt: number, code: FailureCode, message: string, retryable: boolean }
   | null };

export type CompleteJobsMutationVariables = Exact<{
  input: CompleteJobsInput;
}>;


export type CompleteJobsMutation = { completeJobs: { results: Array<
      | { __typename: 'CompleteJobSuccess', replayed: boolean, job: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, finishedAt: string | null } }
      | { __typename: 'JobNotFound', code: FailureCode, message: string, retryable: boolean }
      | { __typename: 'LeaseLost', jobId: string, reason: LeaseLostReason, state: JobState, attempt: number, code: FailureCode, message: string, retryable: boolean }
    > } | null };

export type ConfigureQueueMutationVariables = Exact<{
  input: ConfigureQueueInput;
}>;


export type ConfigureQueueMutation = { configureQueue:
    | { __typename: 'ConfigureQueueSuccess', queue: { name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } } }
    | { __typename: 'QuotaExceeded', quota: string, limit: number, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'VersionConflict', currentVersion: number, code: FailureCode, message: string, retryable: boolean }
   | null };

export type AttemptFieldsFragment = { number: number, fence: number, workerId: string, startedAt: string, finishedAt: string | null, outcome: AttemptOutcome, lastHeartbeatAt: string | null, error: { type: string | null, message: string, details: unknown, at: string } | null };

export type JobPageQueryVariables = Exact<{
  id: string | number;
}>;


export type JobPageQuery = { job: { retryBaseSeconds: number, retryMaxSeconds: number, concurrencyKey: string | null, cancelRequestedAt: string | null, purgeAt: string | null, id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, progress: { percent: number | null, note: string | null, updatedAt: string } | null, lease: { workerId: string, startedAt: string, expiresAt: string, lastHeartbeatAt: string | null, leaseSeconds: number, renewals: number } | null, queue: { paused: boolean, pauseReason: string | null }, attempts: { nodes: Array<{ number: number, fence: number, workerId: string, startedAt: string, finishedAt: string | null, outcome: AttemptOutcome, lastHeartbeatAt: string | null, error: { type: string | null, message: string, details: unknown, at: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null } | null };

export type JobContentQueryVariables = Exact<{
  id: string | number;
}>;


export type JobContentQuery = { job: { payload: Record<string, unknown> | null, payloadRedacted: boolean, redactedPaths: Array<string>, result: unknown } | null };

export type JobAttemptsQueryVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type JobAttemptsQuery = { job: { attempts: { nodes: Array<{ number: number, fence: number, workerId: string, startedAt: string, finishedAt: string | null, outcome: AttemptOutcome, lastHeartbeatAt: string | null, error: { type: string | null, message: string, details: unknown, at: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type JobHistoryQueryVariables = Exact<{
  id: string | number;
  after?: string | null | undefined;
}>;


export type JobHistoryQuery = { job: { events: { cursor: string, hasMore: boolean, nodes: Array<{ cursor: string, kind: JobEventKind, jobId: string, queueName: string, task: string, fromState: JobState | null, toState: JobState, attempt: number, fence: number, at: string, workerId: string | null, actor: string | null, detail: unknown }> } } | null };

export type JobRowFragment = { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null };

export type JobRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: JobFilter | null | undefined;
  orderBy?: JobOrder | null | undefined;
  lookThroughMax?: number | null | undefined;
}>;


export type JobRowsQuery = { latestEventCursor: string | null, jobs: { isCutShort: boolean, nodes: Array<{ id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type JobArrivalsQueryVariables = Exact<{
  first?: number | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: JobFilter | null | undefined;
  lookThroughMax?: number | null | undefined;
}>;


export type JobArrivalsQuery = { jobs: { nodes: Array<{ id: string }> } | null };

export type TenJobRowsQueryVariables = Exact<{
  a: string | number;
  b: string | number;
  c: string | number;
  d: string | number;
  e: string | number;
  f: string | number;
  g: string | number;
  h: string | number;
  i: string | number;
  j: string | number;
}>;


export type TenJobRowsQuery = { a: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, b: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, c: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, d: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, e: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, f: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, g: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, h: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, i: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null, j: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string, finishedAt: string | null, cancelRequestedAt: string | null, lease: { workerId: string, expiresAt: string } | null, lastError: { type: string | null, message: string } | null } | null };

export type QueueNamesQueryVariables = Exact<{
  first?: number | null | undefined;
}>;


export type QueueNamesQuery = { queues: { nodes: Array<{ name: string }> } | null };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { createApiKey:
    | { __typename: 'CreateApiKeySuccess', secret: string, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, queues: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } }
    | { __typename: 'NameTaken', name: string, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'QuotaExceeded', quota: string, limit: number, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'TenantNotFound', code: FailureCode, message: string, retryable: boolean }
   | null };

export type CreateTenantMutationVariables = Exact<{
  input: CreateTenantInput;
}>;


export type CreateTenantMutation = { createTenant:
    | { __typename: 'NameTaken', name: string, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'TenantNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'TenantSuccess', tenant: { id: string, name: string, suspended: boolean, createdAt: string, quotas: { maxWaitingJobs: number, maxQueues: number, maxSchedules: number, maxApiKeys: number, maxStoredMebibytes: number, requestsPerSecond: number, costPerSecond: number, maxFeeds: number, maxSockets: number }, usage: { waitingJobs: number, queues: number, schedules: number, storedBytes: number, openFeeds: number, openSockets: number } } }
   | null };

export type DeadLetterGroupQueryVariables = Exact<{
  id: string | number;
}>;


export type DeadLetterGroupQuery = { deadLetterGroup: { id: string, queueName: string, task: string, errorType: string | null, message: string, count: number, firstAt: string, lastAt: string, trend: Array<{ at: string, died: number }> } | null };

export type DeadLetterGroupsQueryVariables = Exact<{
  queues?: Array<string> | string | null | undefined;
  tasks?: Array<string> | string | null | undefined;
  orderBy?: DeadLetterGroupOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DeadLetterGroupsQuery = { deadLetterGroups: { nodes: Array<{ id: string, queueName: string, task: string, errorType: string | null, message: string, count: number, firstAt: string, lastAt: string, trend: Array<{ at: string, died: number }> }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type FailJobMutationVariables = Exact<{
  input: FailJobInput;
}>;


export type FailJobMutation = { failJob:
    | { __typename: 'FailJobSuccess', retryAt: string | null, deadLettered: boolean, replayed: boolean, job: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, finishedAt: string | null } }
    | { __typename: 'JobNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'LeaseLost', jobId: string, reason: LeaseLostReason, state: JobState, attempt: number, code: FailureCode, message: string, retryable: boolean }
   | null };

type FailureFields_ApiKeyNotFound_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_BatchRolledBack_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_IdempotencyConflict_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_InvalidTransition_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_JobNotFound_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_LeaseLost_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_NameTaken_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_QueueNotFound_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_QuotaExceeded_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_TenantNotFound_Fragment = { code: FailureCode, message: string, retryable: boolean };

type FailureFields_VersionConflict_Fragment = { code: FailureCode, message: string, retryable: boolean };

export type FailureFieldsFragment =
  | FailureFields_ApiKeyNotFound_Fragment
  | FailureFields_BatchRolledBack_Fragment
  | FailureFields_IdempotencyConflict_Fragment
  | FailureFields_InvalidTransition_Fragment
  | FailureFields_JobNotFound_Fragment
  | FailureFields_LeaseLost_Fragment
  | FailureFields_NameTaken_Fragment
  | FailureFields_QueueNotFound_Fragment
  | FailureFields_QuotaExceeded_Fragment
  | FailureFields_TenantNotFound_Fragment
  | FailureFields_VersionConflict_Fragment
;

export type PageFieldsFragment = { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null };

export type ErrorFieldsFragment = { type: string | null, message: string, details: unknown, at: string };

export type SubmittedJobFragment = { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string };

export type SettledJobFragment = { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, finishedAt: string | null };

export type LeaseFieldsFragment = { workerId: string, startedAt: string, expiresAt: string, lastHeartbeatAt: string | null, leaseSeconds: number, renewals: number };

export type JobSummaryFragment = { id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null };

export type JobDetailsFragment = { payload: Record<string, unknown> | null, payloadRedacted: boolean, redactedPaths: Array<string>, result: unknown, retryBaseSeconds: number, retryMaxSeconds: number, concurrencyKey: string | null, cancelRequestedAt: string | null, purgeAt: string | null, id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, progress: { percent: number | null, note: string | null, updatedAt: string } | null, lease: { workerId: string, startedAt: string, expiresAt: string, lastHeartbeatAt: string | null, leaseSeconds: number, renewals: number } | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null };

export type CountFieldsFragment = { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number };

export type ThroughputFieldsFragment = { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number };

export type QueueSettingsFragment = { name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } };

export type QueueFieldsFragment = { name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, stats: { ready: number, delayed: number, oldestReadySeconds: number | null, waitP95Seconds: number | null, runP95Seconds: number | null, diedLastHour: number, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } }, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } };

export type SeriesFieldsFragment = { period: SeriesPeriod, stepSeconds: number, from: string, to: string, points: Array<{ at: string, submitted: number, claimed: number, completed: number, failed: number, died: number, expired: number, ready: number | null, delayed: number | null, running: number | null, retry: number | null, dead: number | null, waitP50Seconds: number | null, waitP95Seconds: number | null, waitP99Seconds: number | null, runP50Seconds: number | null, runP95Seconds: number | null, runP99Seconds: number | null }> };

export type StatsFieldsFragment = { ready: number, oldestReadySeconds: number | null, workers: number, asOf: string, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } };

export type GapFieldsFragment = { reason: GapReason, resumeAt: string, oldestAvailable: string | null };

export type EventFieldsFragment = { cursor: string, kind: JobEventKind, jobId: string, queueName: string, task: string, fromState: JobState | null, toState: JobState, attempt: number, fence: number, at: string, workerId: string | null, actor: string | null, detail: unknown };

export type LeaseLostFieldsFragment = { jobId: string, reason: LeaseLostReason, state: JobState, attempt: number };

export type InvalidTransitionFieldsFragment = { jobId: string, from: JobState, attempted: JobAction };

export type BulkFieldsFragment = { changed: number, skipped: number, hasMore: boolean, matched: { value: number, exact: boolean }, samples: Array<{ jobId: string, code: FailureCode }> };

export type DeadLetterGroupFieldsFragment = { id: string, queueName: string, task: string, errorType: string | null, message: string, count: number, firstAt: string, lastAt: string, trend: Array<{ at: string, died: number }> };

export type ApiKeyFieldsFragment = { id: string, name: string, prefix: string, scopes: Array<Scope>, queues: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null };

export type QuotaExceededFieldsFragment = { quota: string, limit: number };

export type TenantFieldsFragment = { id: string, name: string, suspended: boolean, createdAt: string, quotas: { maxWaitingJobs: number, maxQueues: number, maxSchedules: number, maxApiKeys: number, maxStoredMebibytes: number, requestsPerSecond: number, costPerSecond: number, maxFeeds: number, maxSockets: number } };

export type TenantUsageFieldsFragment = { usage: { waitingJobs: number, queues: number, schedules: number, storedBytes: number, openFeeds: number, openSockets: number } };

export type RedactionRuleFieldsFragment = { version: number, rules: Array<{ task: string, path: string }> };

export type HeartbeatMutationVariables = Exact<{
  input: HeartbeatInput;
}>;


export type HeartbeatMutation = { heartbeat: { serverTime: string, results: Array<
      | { __typename: 'JobNotFound', jobId: string, code: FailureCode, message: string, retryable: boolean }
      | { __typename: 'LeaseLost', jobId: string, reason: LeaseLostReason, state: JobState, attempt: number, code: FailureCode, message: string, retryable: boolean }
      | { __typename: 'LeaseRenewed', jobId: string, leaseExpiresAt: string, leaseSeconds: number, cancelRequested: boolean, cancelReason: string | null }
    > } | null };

export type JobEventsQueryVariables = Exact<{
  after?: string | null | undefined;
  first?: number | null | undefined;
  filter?: JobEventFilter | null | undefined;
}>;


export type JobEventsQuery = { jobEvents: { cursor: string, hasMore: boolean, nodes: Array<{ cursor: string, kind: JobEventKind, jobId: string, queueName: string, task: string, fromState: JobState | null, toState: JobState, attempt: number, fence: number, at: string, workerId: string | null, actor: string | null, detail: unknown }>, gap: { reason: GapReason, resumeAt: string, oldestAvailable: string | null } | null } | null };

export type LatestEventCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type LatestEventCursorQuery = { latestEventCursor: string | null };

export type FollowJobEventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  filter?: JobEventFilter | null | undefined;
  maxBatch?: number;
  everyMs?: number;
  newestOnly?: boolean;
}>;


export type FollowJobEventsSubscription = { jobEvents:
    | { __typename: 'JobEventBatch', cursor: string, caughtUp: boolean, passedOver: number | null, events: Array<{ cursor: string, kind: JobEventKind, jobId: string, queueName: string, task: string, fromState: JobState | null, toState: JobState, attempt: number, fence: number, at: string, workerId: string | null, actor: string | null, detail: unknown }> }
    | { __typename: 'JobEventGap', reason: GapReason, resumeAt: string, oldestAvailable: string | null }
   };

export type JobQueryVariables = Exact<{
  by: JobSelector;
  attempts?: number | null | undefined;
  events?: number | null | undefined;
}>;


export type JobQuery = { job: { payload: Record<string, unknown> | null, payloadRedacted: boolean, redactedPaths: Array<string>, result: unknown, retryBaseSeconds: number, retryMaxSeconds: number, concurrencyKey: string | null, cancelRequestedAt: string | null, purgeAt: string | null, id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, attempts: { nodes: Array<{ number: number, fence: number, workerId: string, startedAt: string, finishedAt: string | null, outcome: AttemptOutcome, lastHeartbeatAt: string | null, error: { type: string | null, message: string, details: unknown, at: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } }, events: { cursor: string, hasMore: boolean, nodes: Array<{ cursor: string, kind: JobEventKind, jobId: string, queueName: string, task: string, fromState: JobState | null, toState: JobState, attempt: number, fence: number, at: string, workerId: string | null, actor: string | null, detail: unknown }>, gap: { reason: GapReason, resumeAt: string, oldestAvailable: string | null } | null }, progress: { percent: number | null, note: string | null, updatedAt: string } | null, lease: { workerId: string, startedAt: string, expiresAt: string, lastHeartbeatAt: string | null, leaseSeconds: number, renewals: number } | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null } | null };

export type JobsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: JobFilter | null | undefined;
  orderBy?: JobOrder | null | undefined;
  lookThroughMax?: number | null | undefined;
}>;


export type JobsQuery = { jobs: { lookedThrough: number | null, isCutShort: boolean, nodes: Array<{ id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type JobDetailsPageQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: JobFilter | null | undefined;
  orderBy?: JobOrder | null | undefined;
}>;


export type JobDetailsPageQuery = { jobs: { nodes: Array<{ payload: Record<string, unknown> | null, payloadRedacted: boolean, redactedPaths: Array<string>, result: unknown, retryBaseSeconds: number, retryMaxSeconds: number, concurrencyKey: string | null, cancelRequestedAt: string | null, purgeAt: string | null, id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, progress: { percent: number | null, note: string | null, updatedAt: string } | null, lease: { workerId: string, startedAt: string, expiresAt: string, lastHeartbeatAt: string | null, leaseSeconds: number, renewals: number } | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type CountJobsQueryVariables = Exact<{
  filter?: JobFilter | null | undefined;
  lookThroughMax?: number | null | undefined;
}>;


export type CountJobsQuery = { jobs: { count: { value: number, exact: boolean } } | null };

export type LeasesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: JobFilter | null | undefined;
  lookThroughMax?: number | null | undefined;
}>;


export type LeasesQuery = { jobs: { isCutShort: boolean, nodes: Array<{ id: string, queueName: string, task: string, state: JobState, attempt: number, fence: number, maxAttempts: number, cancelRequestedAt: string | null, progress: { percent: number | null, note: string | null, updatedAt: string } | null, lease: { workerId: string, startedAt: string, expiresAt: string, lastHeartbeatAt: string | null, leaseSeconds: number, renewals: number } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type PauseQueueMutationVariables = Exact<{
  input: PauseQueueInput;
}>;


export type PauseQueueMutation = { pauseQueue:
    | { __typename: 'QueueNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'QueueStateSuccess', changed: boolean, queue: { name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } } }
    | { __typename: 'QuotaExceeded', quota: string, limit: number, code: FailureCode, message: string, retryable: boolean }
   | null };

export type PurgeJobsMutationVariables = Exact<{
  input: PurgeJobsInput;
}>;


export type PurgeJobsMutation = { purgeJobs: { changed: number, skipped: number, hasMore: boolean, matched: { value: number, exact: boolean }, samples: Array<{ jobId: string, code: FailureCode }> } | null };

export type FollowQueueSubscriptionVariables = Exact<{
  name: string;
  everySeconds?: number;
}>;


export type FollowQueueSubscription = { queue: { name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, stats: { ready: number, delayed: number, oldestReadySeconds: number | null, waitP95Seconds: number | null, runP95Seconds: number | null, diedLastHour: number, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } }, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } } | null };

export type QueuesByTroubleQueryVariables = Exact<{
  first?: number | null | undefined;
}>;


export type QueuesByTroubleQuery = { queues: { nodes: Array<{ name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, stats: { ready: number, delayed: number, oldestReadySeconds: number | null, waitP95Seconds: number | null, runP95Seconds: number | null, diedLastHour: number, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } }, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } }> } | null };

export type FollowQueuesSubscriptionVariables = Exact<{
  first?: number | null | undefined;
  everySeconds?: number;
}>;


export type FollowQueuesSubscription = { queues: Array<{ name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, stats: { ready: number, delayed: number, oldestReadySeconds: number | null, waitP95Seconds: number | null, runP95Seconds: number | null, diedLastHour: number, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } }, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } }> };

export type QueueQueryVariables = Exact<{
  name: string;
}>;


export type QueueQuery = { queue: { name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, stats: { ready: number, delayed: number, oldestReadySeconds: number | null, waitP95Seconds: number | null, runP95Seconds: number | null, diedLastHour: number, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } }, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } } | null };

export type QueuesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  namePrefix?: string | null | undefined;
}>;


export type QueuesQuery = { queues: { nodes: Array<{ name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, stats: { ready: number, delayed: number, oldestReadySeconds: number | null, waitP95Seconds: number | null, runP95Seconds: number | null, diedLastHour: number, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } }, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type RedactionRulesQueryVariables = Exact<{ [key: string]: never; }>;


export type RedactionRulesQuery = { redactionRules: { version: number, rules: Array<{ task: string, path: string }> } | null };

export type RedriveJobMutationVariables = Exact<{
  input: RedriveJobInput;
}>;


export type RedriveJobMutation = { redriveJob:
    | { __typename: 'InvalidTransition', jobId: string, from: JobState, attempted: JobAction, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'JobNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'QuotaExceeded', quota: string, limit: number, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'RedriveJobSuccess', job: { id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null } }
   | null };

export type RedriveJobsMutationVariables = Exact<{
  input: RedriveJobsInput;
}>;


export type RedriveJobsMutation = { redriveJobs: { changed: number, skipped: number, hasMore: boolean, matched: { value: number, exact: boolean }, samples: Array<{ jobId: string, code: FailureCode }> } | null };

export type ReleaseJobMutationVariables = Exact<{
  input: ReleaseJobInput;
}>;


export type ReleaseJobMutation = { releaseJob:
    | { __typename: 'JobNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'LeaseLost', jobId: string, reason: LeaseLostReason, state: JobState, attempt: number, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'ReleaseJobSuccess', replayed: boolean, job: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, finishedAt: string | null } }
   | null };

export type RescheduleJobMutationVariables = Exact<{
  input: RescheduleJobInput;
}>;


export type RescheduleJobMutation = { rescheduleJob:
    | { __typename: 'InvalidTransition', jobId: string, from: JobState, attempted: JobAction, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'JobNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'RescheduleJobSuccess', job: { id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null } }
   | null };

export type ResumeQueueMutationVariables = Exact<{
  input: ResumeQueueInput;
}>;


export type ResumeQueueMutation = { resumeQueue:
    | { __typename: 'QueueNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'QueueStateSuccess', changed: boolean, queue: { name: string, paused: boolean, pausedAt: string | null, pauseReason: string | null, version: number, createdAt: string, defaults: { priority: number, maxAttempts: number, retryBaseSeconds: number, retryMaxSeconds: number, leaseSeconds: number }, retention: { completedSeconds: number, cancelledSeconds: number, deadSeconds: number } } }
    | { __typename: 'QuotaExceeded', code: FailureCode, message: string, retryable: boolean }
   | null };

export type RevokeApiKeyMutationVariables = Exact<{
  input: RevokeApiKeyInput;
}>;


export type RevokeApiKeyMutation = { revokeApiKey:
    | { __typename: 'ApiKeyNotFound', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'RevokeApiKeySuccess', apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, queues: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } }
   | null };

export type SeriesQueryVariables = Exact<{
  queue?: string | null | undefined;
  period?: SeriesPeriod;
}>;


export type SeriesQuery = { series: { period: SeriesPeriod, stepSeconds: number, from: string, to: string, points: Array<{ at: string, submitted: number, claimed: number, completed: number, failed: number, died: number, expired: number, ready: number | null, delayed: number | null, running: number | null, retry: number | null, dead: number | null, waitP50Seconds: number | null, waitP95Seconds: number | null, waitP99Seconds: number | null, runP50Seconds: number | null, runP95Seconds: number | null, runP99Seconds: number | null }> } | null };

export type SetRedactionRulesMutationVariables = Exact<{
  input: SetRedactionRulesInput;
}>;


export type SetRedactionRulesMutation = { setRedactionRules:
    | { __typename: 'SetRedactionRulesSuccess', redactionRules: { version: number, rules: Array<{ task: string, path: string }> } }
    | { __typename: 'VersionConflict', currentVersion: number, code: FailureCode, message: string, retryable: boolean }
   | null };

export type StatsQueryVariables = Exact<{ [key: string]: never; }>;


export type StatsQuery = { stats: { ready: number, oldestReadySeconds: number | null, workers: number, asOf: string, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } } | null };

export type FollowStatsSubscriptionVariables = Exact<{
  everySeconds?: number;
}>;


export type FollowStatsSubscription = { stats: { ready: number, oldestReadySeconds: number | null, workers: number, asOf: string, counts: { queued: number, running: number, retry: number, completed: number, dead: number, cancelled: number }, throughput: { submittedPerSecond: number, claimedPerSecond: number, completedPerSecond: number, failedPerSecond: number } } };

export type SubmitJobMutationVariables = Exact<{
  input: SubmitJobInput;
}>;


export type SubmitJobMutation = { submitJob:
    | { __typename: 'BatchRolledBack', code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'IdempotencyConflict', differingFields: Array<string>, code: FailureCode, message: string, retryable: boolean, existingJob: { id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null } }
    | { __typename: 'QuotaExceeded', quota: string, limit: number, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'SubmitJobSuccess', deduplicated: boolean, job: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string } }
   | null };

export type SubmitJobsMutationVariables = Exact<{
  input: SubmitJobsInput;
}>;


export type SubmitJobsMutation = { submitJobs: { stored: number, deduplicated: number, failed: number, rolledBack: boolean, results: Array<
      | { __typename: 'BatchRolledBack', code: FailureCode, message: string, retryable: boolean }
      | { __typename: 'IdempotencyConflict', differingFields: Array<string>, code: FailureCode, message: string, retryable: boolean, existingJob: { id: string, queueName: string, task: string, state: JobState, priority: number, attempt: number, fence: number, maxAttempts: number, runAt: string, ready: boolean, createdAt: string, updatedAt: string, finishedAt: string | null, deadLetterGroupId: string | null, tags: Array<{ key: string, value: string }>, lastError: { type: string | null, message: string, details: unknown, at: string } | null } }
      | { __typename: 'QuotaExceeded', quota: string, limit: number, code: FailureCode, message: string, retryable: boolean }
      | { __typename: 'SubmitJobSuccess', deduplicated: boolean, job: { id: string, queueName: string, task: string, state: JobState, attempt: number, maxAttempts: number, runAt: string, createdAt: string } }
    > } | null };

export type TenantQueryVariables = Exact<{
  id: string | number;
}>;


export type TenantQuery = { tenant: { id: string, name: string, suspended: boolean, createdAt: string, quotas: { maxWaitingJobs: number, maxQueues: number, maxSchedules: number, maxApiKeys: number, maxStoredMebibytes: number, requestsPerSecond: number, costPerSecond: number, maxFeeds: number, maxSockets: number }, usage: { waitingJobs: number, queues: number, schedules: number, storedBytes: number, openFeeds: number, openSockets: number } } | null };

export type TenantsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type TenantsQuery = { tenants: { nodes: Array<{ id: string, name: string, suspended: boolean, createdAt: string, quotas: { maxWaitingJobs: number, maxQueues: number, maxSchedules: number, maxApiKeys: number, maxStoredMebibytes: number, requestsPerSecond: number, costPerSecond: number, maxFeeds: number, maxSockets: number }, usage: { waitingJobs: number, queues: number, schedules: number, storedBytes: number, openFeeds: number, openSockets: number } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } | null };

export type TryRedactionQueryVariables = Exact<{
  task: string;
  value: unknown;
  rules?: Array<RedactionRuleInput> | RedactionRuleInput | null | undefined;
}>;


export type TryRedactionQuery = { tryRedaction: unknown };

export type UpdateTenantMutationVariables = Exact<{
  input: UpdateTenantInput;
}>;


export type UpdateTenantMutation = { updateTenant:
    | { __typename: 'NameTaken', name: string, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'TenantNotFound', id: string, code: FailureCode, message: string, retryable: boolean }
    | { __typename: 'TenantSuccess', tenant: { id: string, name: string, suspended: boolean, createdAt: string, quotas: { maxWaitingJobs: number, maxQueues: number, maxSchedules: number, maxApiKeys: number, maxStoredMebibytes: number, requestsPerSecond: number, costPerSecond: number, maxFeeds: number, maxSockets: number }, usage: { waitingJobs: number, queues: number, schedules: number, storedBytes: number, openFeeds: number, openSockets: number } } }
   | null };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { serverTime: string, tenant: { id: string, name: string, suspended: boolean, createdAt: string }, apiKey: { id: string, name: string, prefix: string, scopes: Array<Scope>, queues: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } } | null };

export type WorkerClaimMutationVariables = Exact<{
  claim: ClaimJobsInput;
}>;


export type WorkerClaimMutation = { claimJobs: { idle: IdleReason | null, pollAgainInMs: number, completed: Array<
      | { __typename: 'CompleteJobSuccess' }
      | { __typename: 'JobNotFound', code: FailureCode, message: string }
      | { __typename: 'LeaseLost', reason: LeaseLostReason, code: FailureCode, message: string }
    >, leases: Array<{ leaseToken: string, leaseSeconds: number, attempt: number, fence: number, job: { id: string, queueName: string, task: string, payload: Record<string, unknown> | null, priority: number, maxAttempts: number, createdAt: string, tags: Array<{ key: string, value: string }> } }> } | null };

export type WorkerTurnMutationVariables = Exact<{
  heartbeat: HeartbeatInput;
  claim: ClaimJobsInput;
}>;


export type WorkerTurnMutation = { heartbeat: { results: Array<
      | { __typename: 'JobNotFound', code: FailureCode, message: string }
      | { __typename: 'LeaseLost', reason: LeaseLostReason, code: FailureCode, message: string }
      | { __typename: 'LeaseRenewed', leaseSeconds: number, cancelRequested: boolean, cancelReason: string | null }
    > } | null, claimJobs: { idle: IdleReason | null, pollAgainInMs: number, completed: Array<
      | { __typename: 'CompleteJobSuccess' }
      | { __typename: 'JobNotFound', code: FailureCode, message: string }
      | { __typename: 'LeaseLost', reason: LeaseLostReason, code: FailureCode, message: string }
    >, leases: Array<{ leaseToken: string, leaseSeconds: number, attempt: number, fence: number, job: { id: string, queueName: string, task: string, payload: Record<string, unknown> | null, priority: number, maxAttempts: number, createdAt: string, tags: Array<{ key: string, value: string }> } }> } | null };

export type WorkerBeatMutationVariables = Exact<{
  heartbeat: HeartbeatInput;
}>;


export type WorkerBeatMutation = { heartbeat: { results: Array<
      | { __typename: 'JobNotFound', code: FailureCode, message: string }
      | { __typename: 'LeaseLost', reason: LeaseLostReason, code: FailureCode, message: string }
      | { __typename: 'LeaseRenewed', leaseSeconds: number, cancelRequested: boolean, cancelReason: string | null }
    > } | null };

export type WorkerClaimFieldsFragment = { idle: IdleReason | null, pollAgainInMs: number, completed: Array<
    | { __typename: 'CompleteJobSuccess' }
    | { __typename: 'JobNotFound', code: FailureCode, message: string }
    | { __typename: 'LeaseLost', reason: LeaseLostReason, code: FailureCode, message: string }
  >, leases: Array<{ leaseToken: string, leaseSeconds: number, attempt: number, fence: number, job: { id: string, queueName: string, task: string, payload: Record<string, unknown> | null, priority: number, maxAttempts: number, createdAt: string, tags: Array<{ key: string, value: string }> } }> };

export type WorkerBeatFieldsFragment = { results: Array<
    | { __typename: 'JobNotFound', code: FailureCode, message: string }
    | { __typename: 'LeaseLost', reason: LeaseLostReason, code: FailureCode, message: string }
    | { __typename: 'LeaseRenewed', leaseSeconds: number, cancelRequested: boolean, cancelReason: string | null }
  > };

export type WorkersQueryVariables = Exact<{
  seenWithinSeconds?: number | null | undefined;
  first?: number | null | undefined;
  after?: string | number | null | undefined;
  states?: Array<WorkerState> | WorkerState | null | undefined;
}>;


export type WorkersQuery = { workers: Array<{ id: string, queues: Array<string>, tasks: Array<string> | null, state: WorkerState, runningJobs: number, soonestLeaseExpiresAt: string | null, firstSeenAt: string, lastSeenAt: string }> | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const ErrorFieldsFragmentDoc = new TypedDocumentString(`
    fragment ErrorFields on JobError {
  type
  message
  details
  at
}
    `, {"fragmentName":"ErrorFields"}) as unknown as TypedDocumentString<ErrorFieldsFragment, unknown>;
export const AttemptFieldsFragmentDoc = new TypedDocumentString(`
    fragment AttemptFields on Attempt {
  number
  fence
  workerId
  startedAt
  finishedAt
  outcome
  error {
    ...ErrorFields
  }
  lastHeartbeatAt
}
    fragment ErrorFields on JobError {
  type
  message
  details
  at
}`, {"fragmentName":"AttemptFields"}) as unknown as TypedDocumentString<AttemptFieldsFragment, unknown>;
export const JobRowFragmentDoc = new TypedDocumentString(`
    fragment JobRow on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  createdAt
  finishedAt
  cancelRequestedAt
  lease {
    workerId
    expiresAt
  }
  lastError {
    type
    message
  }
}
    `, {"fragmentName":"JobRow"}) as unknown as TypedDocumentString<JobRowFragment, unknown>;
export const FailureFieldsFragmentDoc = new TypedDocumentString(`
    fragment FailureFields on Failure {
  code
  message
  retryable
}
    `, {"fragmentName":"FailureFields"}) as unknown as TypedDocumentString<FailureFieldsFragment, unknown>;
export const PageFieldsFragmentDoc = new TypedDocumentString(`
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
    `, {"fragmentName":"PageFields"}) as unknown as TypedDocumentString<PageFieldsFragment, unknown>;
export const SubmittedJobFragmentDoc = new TypedDocumentString(`
    fragment SubmittedJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  createdAt
}
    `, {"fragmentName":"SubmittedJob"}) as unknown as TypedDocumentString<SubmittedJobFragment, unknown>;
export const SettledJobFragmentDoc = new TypedDocumentString(`
    fragment SettledJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  finishedAt
}
    `, {"fragmentName":"SettledJob"}) as unknown as TypedDocumentString<SettledJobFragment, unknown>;
export const JobSummaryFragmentDoc = new TypedDocumentString(`
    fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
    fragment ErrorFields on JobError {
  type
  message
  details
  at
}`, {"fragmentName":"JobSummary"}) as unknown as TypedDocumentString<JobSummaryFragment, unknown>;
export const LeaseFieldsFragmentDoc = new TypedDocumentString(`
    fragment LeaseFields on LeaseInfo {
  workerId
  startedAt
  expiresAt
  lastHeartbeatAt
  leaseSeconds
  renewals
}
    `, {"fragmentName":"LeaseFields"}) as unknown as TypedDocumentString<LeaseFieldsFragment, unknown>;
export const JobDetailsFragmentDoc = new TypedDocumentString(`
    fragment JobDetails on Job {
  ...JobSummary
  payload
  payloadRedacted
  redactedPaths
  result
  retryBaseSeconds
  retryMaxSeconds
  concurrencyKey
  progress {
    percent
    note
    updatedAt
  }
  lease {
    ...LeaseFields
  }
  cancelRequestedAt
  purgeAt
}
    fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment LeaseFields on LeaseInfo {
  workerId
  startedAt
  expiresAt
  lastHeartbeatAt
  leaseSeconds
  renewals
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}`, {"fragmentName":"JobDetails"}) as unknown as TypedDocumentString<JobDetailsFragment, unknown>;
export const QueueSettingsFragmentDoc = new TypedDocumentString(`
    fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}
    `, {"fragmentName":"QueueSettings"}) as unknown as TypedDocumentString<QueueSettingsFragment, unknown>;
export const CountFieldsFragmentDoc = new TypedDocumentString(`
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
    `, {"fragmentName":"CountFields"}) as unknown as TypedDocumentString<CountFieldsFragment, unknown>;
export const ThroughputFieldsFragmentDoc = new TypedDocumentString(`
    fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
    `, {"fragmentName":"ThroughputFields"}) as unknown as TypedDocumentString<ThroughputFieldsFragment, unknown>;
export const QueueFieldsFragmentDoc = new TypedDocumentString(`
    fragment QueueFields on Queue {
  ...QueueSettings
  stats {
    counts {
      ...CountFields
    }
    ready
    delayed
    oldestReadySeconds
    throughput {
      ...ThroughputFields
    }
    waitP95Seconds
    runP95Seconds
    diedLastHour
  }
}
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}`, {"fragmentName":"QueueFields"}) as unknown as TypedDocumentString<QueueFieldsFragment, unknown>;
export const SeriesFieldsFragmentDoc = new TypedDocumentString(`
    fragment SeriesFields on Series {
  period
  stepSeconds
  from
  to
  points {
    at
    submitted
    claimed
    completed
    failed
    died
    expired
    ready
    delayed
    running
    retry
    dead
    waitP50Seconds
    waitP95Seconds
    waitP99Seconds
    runP50Seconds
    runP95Seconds
    runP99Seconds
  }
}
    `, {"fragmentName":"SeriesFields"}) as unknown as TypedDocumentString<SeriesFieldsFragment, unknown>;
export const StatsFieldsFragmentDoc = new TypedDocumentString(`
    fragment StatsFields on Stats {
  counts {
    ...CountFields
  }
  ready
  oldestReadySeconds
  throughput {
    ...ThroughputFields
  }
  workers
  asOf
}
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}`, {"fragmentName":"StatsFields"}) as unknown as TypedDocumentString<StatsFieldsFragment, unknown>;
export const GapFieldsFragmentDoc = new TypedDocumentString(`
    fragment GapFields on JobEventGap {
  reason
  resumeAt
  oldestAvailable
}
    `, {"fragmentName":"GapFields"}) as unknown as TypedDocumentString<GapFieldsFragment, unknown>;
export const EventFieldsFragmentDoc = new TypedDocumentString(`
    fragment EventFields on JobEvent {
  cursor
  kind
  jobId
  queueName
  task
  fromState
  toState
  attempt
  fence
  at
  workerId
  actor
  detail
}
    `, {"fragmentName":"EventFields"}) as unknown as TypedDocumentString<EventFieldsFragment, unknown>;
export const LeaseLostFieldsFragmentDoc = new TypedDocumentString(`
    fragment LeaseLostFields on LeaseLost {
  jobId
  reason
  state
  attempt
}
    `, {"fragmentName":"LeaseLostFields"}) as unknown as TypedDocumentString<LeaseLostFieldsFragment, unknown>;
export const InvalidTransitionFieldsFragmentDoc = new TypedDocumentString(`
    fragment InvalidTransitionFields on InvalidTransition {
  jobId
  from
  attempted
}
    `, {"fragmentName":"InvalidTransitionFields"}) as unknown as TypedDocumentString<InvalidTransitionFieldsFragment, unknown>;
export const BulkFieldsFragmentDoc = new TypedDocumentString(`
    fragment BulkFields on BulkPayload {
  matched {
    value
    exact
  }
  changed
  skipped
  hasMore
  samples {
    jobId
    code
  }
}
    `, {"fragmentName":"BulkFields"}) as unknown as TypedDocumentString<BulkFieldsFragment, unknown>;
export const DeadLetterGroupFieldsFragmentDoc = new TypedDocumentString(`
    fragment DeadLetterGroupFields on DeadLetterGroup {
  id
  queueName
  task
  errorType
  message
  count
  firstAt
  lastAt
  trend {
    at
    died
  }
}
    `, {"fragmentName":"DeadLetterGroupFields"}) as unknown as TypedDocumentString<DeadLetterGroupFieldsFragment, unknown>;
export const ApiKeyFieldsFragmentDoc = new TypedDocumentString(`
    fragment ApiKeyFields on ApiKey {
  id
  name
  prefix
  scopes
  queues
  createdAt
  lastUsedAt
  expiresAt
  revokedAt
}
    `, {"fragmentName":"ApiKeyFields"}) as unknown as TypedDocumentString<ApiKeyFieldsFragment, unknown>;
export const QuotaExceededFieldsFragmentDoc = new TypedDocumentString(`
    fragment QuotaExceededFields on QuotaExceeded {
  quota
  limit
}
    `, {"fragmentName":"QuotaExceededFields"}) as unknown as TypedDocumentString<QuotaExceededFieldsFragment, unknown>;
export const TenantFieldsFragmentDoc = new TypedDocumentString(`
    fragment TenantFields on Tenant {
  id
  name
  suspended
  quotas {
    maxWaitingJobs
    maxQueues
    maxSchedules
    maxApiKeys
    maxStoredMebibytes
    requestsPerSecond
    costPerSecond
    maxFeeds
    maxSockets
  }
  createdAt
}
    `, {"fragmentName":"TenantFields"}) as unknown as TypedDocumentString<TenantFieldsFragment, unknown>;
export const TenantUsageFieldsFragmentDoc = new TypedDocumentString(`
    fragment TenantUsageFields on Tenant {
  usage {
    waitingJobs
    queues
    schedules
    storedBytes
    openFeeds
    openSockets
  }
}
    `, {"fragmentName":"TenantUsageFields"}) as unknown as TypedDocumentString<TenantUsageFieldsFragment, unknown>;
export const RedactionRuleFieldsFragmentDoc = new TypedDocumentString(`
    fragment RedactionRuleFields on RedactionRules {
  rules {
    task
    path
  }
  version
}
    `, {"fragmentName":"RedactionRuleFields"}) as unknown as TypedDocumentString<RedactionRuleFieldsFragment, unknown>;
export const WorkerClaimFieldsFragmentDoc = new TypedDocumentString(`
    fragment WorkerClaimFields on ClaimJobsPayload {
  completed {
    __typename
    ... on LeaseLost {
      reason
    }
    ... on Failure {
      code
      message
    }
  }
  leases {
    leaseToken
    leaseSeconds
    attempt
    fence
    job {
      id
      queueName
      task
      payload
      priority
      maxAttempts
      createdAt
      tags {
        key
        value
      }
    }
  }
  idle
  pollAgainInMs
}
    `, {"fragmentName":"WorkerClaimFields"}) as unknown as TypedDocumentString<WorkerClaimFieldsFragment, unknown>;
export const WorkerBeatFieldsFragmentDoc = new TypedDocumentString(`
    fragment WorkerBeatFields on HeartbeatPayload {
  results {
    __typename
    ... on LeaseRenewed {
      leaseSeconds
      cancelRequested
      cancelReason
    }
    ... on LeaseLost {
      reason
    }
    ... on Failure {
      code
      message
    }
  }
}
    `, {"fragmentName":"WorkerBeatFields"}) as unknown as TypedDocumentString<WorkerBeatFieldsFragment, unknown>;
export const ApiKeysDocument = new TypedDocumentString(`
    query ApiKeys {
  apiKeys {
    ...ApiKeyFields
  }
}
    fragment ApiKeyFields on ApiKey {
  id
  name
  prefix
  scopes
  queues
  createdAt
  lastUsedAt
  expiresAt
  revokedAt
}`) as unknown as TypedDocumentString<ApiKeysQuery, ApiKeysQueryVariables>;
export const AuditLogDocument = new TypedDocumentString(`
    query AuditLog($first: Int, $after: String, $actions: [OperatorActionKind!]) {
  auditLog(first: $first, after: $after, actions: $actions) {
    nodes {
      id
      at
      actor
      action
      target
      changed
      skipped
      reason
    }
    pageInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<AuditLogQuery, AuditLogQueryVariables>;
export const CancelJobDocument = new TypedDocumentString(`
    mutation CancelJob($input: CancelJobInput!) {
  cancelJob(input: $input) {
    __typename
    ... on CancelJobSuccess {
      job {
        ...JobSummary
      }
      finished
    }
    ... on InvalidTransition {
      ...InvalidTransitionFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
fragment InvalidTransitionFields on InvalidTransition {
  jobId
  from
  attempted
}`) as unknown as TypedDocumentString<CancelJobMutation, CancelJobMutationVariables>;
export const CancelJobsDocument = new TypedDocumentString(`
    mutation CancelJobs($input: CancelJobsInput!) {
  cancelJobs(input: $input) {
    ...BulkFields
  }
}
    fragment BulkFields on BulkPayload {
  matched {
    value
    exact
  }
  changed
  skipped
  hasMore
  samples {
    jobId
    code
  }
}`) as unknown as TypedDocumentString<CancelJobsMutation, CancelJobsMutationVariables>;
export const ClaimJobsDocument = new TypedDocumentString(`
    mutation ClaimJobs($input: ClaimJobsInput!) {
  claimJobs(input: $input) {
    completed {
      __typename
      ... on CompleteJobSuccess {
        job {
          ...SettledJob
        }
        replayed
      }
      ... on LeaseLost {
        ...LeaseLostFields
      }
      ... on Failure {
        ...FailureFields
      }
    }
    leases {
      job {
        ...JobDetails
      }
      leaseToken
      leaseExpiresAt
      leaseSeconds
      attempt
      fence
    }
    idle
    pollAgainInMs
    serverTime
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment SettledJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  finishedAt
}
fragment LeaseFields on LeaseInfo {
  workerId
  startedAt
  expiresAt
  lastHeartbeatAt
  leaseSeconds
  renewals
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
fragment JobDetails on Job {
  ...JobSummary
  payload
  payloadRedacted
  redactedPaths
  result
  retryBaseSeconds
  retryMaxSeconds
  concurrencyKey
  progress {
    percent
    note
    updatedAt
  }
  lease {
    ...LeaseFields
  }
  cancelRequestedAt
  purgeAt
}
fragment LeaseLostFields on LeaseLost {
  jobId
  reason
  state
  attempt
}`) as unknown as TypedDocumentString<ClaimJobsMutation, ClaimJobsMutationVariables>;
export const CompleteJobDocument = new TypedDocumentString(`
    mutation CompleteJob($input: CompleteJobInput!) {
  completeJob(input: $input) {
    __typename
    ... on CompleteJobSuccess {
      job {
        ...SettledJob
      }
      replayed
    }
    ... on LeaseLost {
      ...LeaseLostFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment SettledJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  finishedAt
}
fragment LeaseLostFields on LeaseLost {
  jobId
  reason
  state
  attempt
}`) as unknown as TypedDocumentString<CompleteJobMutation, CompleteJobMutationVariables>;
export const CompleteJobsDocument = new TypedDocumentString(`
    mutation CompleteJobs($input: CompleteJobsInput!) {
  completeJobs(input: $input) {
    results {
      __typename
      ... on CompleteJobSuccess {
        job {
          ...SettledJob
        }
        replayed
      }
      ... on LeaseLost {
        ...LeaseLostFields
      }
      ... on Failure {
        ...FailureFields
      }
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment SettledJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  finishedAt
}
fragment LeaseLostFields on LeaseLost {
  jobId
  reason
  state
  attempt
}`) as unknown as TypedDocumentString<CompleteJobsMutation, CompleteJobsMutationVariables>;
export const ConfigureQueueDocument = new TypedDocumentString(`
    mutation ConfigureQueue($input: ConfigureQueueInput!) {
  configureQueue(input: $input) {
    __typename
    ... on ConfigureQueueSuccess {
      queue {
        ...QueueSettings
      }
    }
    ... on VersionConflict {
      currentVersion
    }
    ... on QuotaExceeded {
      ...QuotaExceededFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}
fragment QuotaExceededFields on QuotaExceeded {
  quota
  limit
}`) as unknown as TypedDocumentString<ConfigureQueueMutation, ConfigureQueueMutationVariables>;
export const JobPageDocument = new TypedDocumentString(`
    query JobPage($id: ID!) {
  job(by: { id: $id }) {
    ...JobSummary
    retryBaseSeconds
    retryMaxSeconds
    concurrencyKey
    progress {
      percent
      note
      updatedAt
    }
    lease {
      ...LeaseFields
    }
    cancelRequestedAt
    purgeAt
    queue {
      paused
      pauseReason
    }
    attempts(first: 20) {
      nodes {
        ...AttemptFields
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment AttemptFields on Attempt {
  number
  fence
  workerId
  startedAt
  finishedAt
  outcome
  error {
    ...ErrorFields
  }
  lastHeartbeatAt
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment LeaseFields on LeaseInfo {
  workerId
  startedAt
  expiresAt
  lastHeartbeatAt
  leaseSeconds
  renewals
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}`) as unknown as TypedDocumentString<JobPageQuery, JobPageQueryVariables>;
export const JobContentDocument = new TypedDocumentString(`
    query JobContent($id: ID!) {
  job(by: { id: $id }) {
    payload
    payloadRedacted
    redactedPaths
    result
  }
}
    `) as unknown as TypedDocumentString<JobContentQuery, JobContentQueryVariables>;
export const JobAttemptsDocument = new TypedDocumentString(`
    query JobAttempts($id: ID!, $after: String) {
  job(by: { id: $id }) {
    attempts(first: 100, after: $after) {
      nodes {
        ...AttemptFields
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment AttemptFields on Attempt {
  number
  fence
  workerId
  startedAt
  finishedAt
  outcome
  error {
    ...ErrorFields
  }
  lastHeartbeatAt
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}`) as unknown as TypedDocumentString<JobAttemptsQuery, JobAttemptsQueryVariables>;
export const JobHistoryDocument = new TypedDocumentString(`
    query JobHistory($id: ID!, $after: EventCursor) {
  job(by: { id: $id }) {
    events(first: 100, after: $after) {
      nodes {
        ...EventFields
      }
      cursor
      hasMore
    }
  }
}
    fragment EventFields on JobEvent {
  cursor
  kind
  jobId
  queueName
  task
  fromState
  toState
  attempt
  fence
  at
  workerId
  actor
  detail
}`) as unknown as TypedDocumentString<JobHistoryQuery, JobHistoryQueryVariables>;
export const JobRowsDocument = new TypedDocumentString(`
    query JobRows($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter, $orderBy: JobOrder, $lookThroughMax: Int) {
  latestEventCursor
  jobs(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
    orderBy: $orderBy
    lookThroughMax: $lookThroughMax
  ) {
    nodes {
      ...JobRow
    }
    pageInfo {
      ...PageFields
    }
    isCutShort
  }
}
    fragment JobRow on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  createdAt
  finishedAt
  cancelRequestedAt
  lease {
    workerId
    expiresAt
  }
  lastError {
    type
    message
  }
}
fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`) as unknown as TypedDocumentString<JobRowsQuery, JobRowsQueryVariables>;
export const JobArrivalsDocument = new TypedDocumentString(`
    query JobArrivals($first: Int, $last: Int, $before: String, $filter: JobFilter, $lookThroughMax: Int) {
  jobs(
    first: $first
    last: $last
    before: $before
    filter: $filter
    orderBy: NEWEST_FIRST
    lookThroughMax: $lookThroughMax
  ) {
    nodes {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<JobArrivalsQuery, JobArrivalsQueryVariables>;
export const TenJobRowsDocument = new TypedDocumentString(`
    query TenJobRows($a: ID!, $b: ID!, $c: ID!, $d: ID!, $e: ID!, $f: ID!, $g: ID!, $h: ID!, $i: ID!, $j: ID!) {
  a: job(by: { id: $a }) {
    ...JobRow
  }
  b: job(by: { id: $b }) {
    ...JobRow
  }
  c: job(by: { id: $c }) {
    ...JobRow
  }
  d: job(by: { id: $d }) {
    ...JobRow
  }
  e: job(by: { id: $e }) {
    ...JobRow
  }
  f: job(by: { id: $f }) {
    ...JobRow
  }
  g: job(by: { id: $g }) {
    ...JobRow
  }
  h: job(by: { id: $h }) {
    ...JobRow
  }
  i: job(by: { id: $i }) {
    ...JobRow
  }
  j: job(by: { id: $j }) {
    ...JobRow
  }
}
    fragment JobRow on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  createdAt
  finishedAt
  cancelRequestedAt
  lease {
    workerId
    expiresAt
  }
  lastError {
    type
    message
  }
}`) as unknown as TypedDocumentString<TenJobRowsQuery, TenJobRowsQueryVariables>;
export const QueueNamesDocument = new TypedDocumentString(`
    query QueueNames($first: Int) {
  queues(first: $first) {
    nodes {
      name
    }
  }
}
    `) as unknown as TypedDocumentString<QueueNamesQuery, QueueNamesQueryVariables>;
export const CreateApiKeyDocument = new TypedDocumentString(`
    mutation CreateApiKey($input: CreateApiKeyInput!) {
  createApiKey(input: $input) {
    __typename
    ... on CreateApiKeySuccess {
      apiKey {
        ...ApiKeyFields
      }
      secret
    }
    ... on NameTaken {
      name
    }
    ... on QuotaExceeded {
      ...QuotaExceededFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment ApiKeyFields on ApiKey {
  id
  name
  prefix
  scopes
  queues
  createdAt
  lastUsedAt
  expiresAt
  revokedAt
}
fragment QuotaExceededFields on QuotaExceeded {
  quota
  limit
}`) as unknown as TypedDocumentString<CreateApiKeyMutation, CreateApiKeyMutationVariables>;
export const CreateTenantDocument = new TypedDocumentString(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    __typename
    ... on TenantSuccess {
      tenant {
        ...TenantFields
        ...TenantUsageFields
      }
    }
    ... on NameTaken {
      name
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment TenantFields on Tenant {
  id
  name
  suspended
  quotas {
    maxWaitingJobs
    maxQueues
    maxSchedules
    maxApiKeys
    maxStoredMebibytes
    requestsPerSecond
    costPerSecond
    maxFeeds
    maxSockets
  }
  createdAt
}
fragment TenantUsageFields on Tenant {
  usage {
    waitingJobs
    queues
    schedules
    storedBytes
    openFeeds
    openSockets
  }
}`) as unknown as TypedDocumentString<CreateTenantMutation, CreateTenantMutationVariables>;
export const DeadLetterGroupDocument = new TypedDocumentString(`
    query DeadLetterGroup($id: ID!) {
  deadLetterGroup(id: $id) {
    ...DeadLetterGroupFields
  }
}
    fragment DeadLetterGroupFields on DeadLetterGroup {
  id
  queueName
  task
  errorType
  message
  count
  firstAt
  lastAt
  trend {
    at
    died
  }
}`) as unknown as TypedDocumentString<DeadLetterGroupQuery, DeadLetterGroupQueryVariables>;
export const DeadLetterGroupsDocument = new TypedDocumentString(`
    query DeadLetterGroups($queues: [String!], $tasks: [String!], $orderBy: DeadLetterGroupOrder = COUNT, $first: Int = 20, $after: String) {
  deadLetterGroups(
    queues: $queues
    tasks: $tasks
    orderBy: $orderBy
    first: $first
    after: $after
  ) {
    nodes {
      ...DeadLetterGroupFields
    }
    pageInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment DeadLetterGroupFields on DeadLetterGroup {
  id
  queueName
  task
  errorType
  message
  count
  firstAt
  lastAt
  trend {
    at
    died
  }
}`) as unknown as TypedDocumentString<DeadLetterGroupsQuery, DeadLetterGroupsQueryVariables>;
export const FailJobDocument = new TypedDocumentString(`
    mutation FailJob($input: FailJobInput!) {
  failJob(input: $input) {
    __typename
    ... on FailJobSuccess {
      job {
        ...SettledJob
      }
      retryAt
      deadLettered
      replayed
    }
    ... on LeaseLost {
      ...LeaseLostFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment SettledJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  finishedAt
}
fragment LeaseLostFields on LeaseLost {
  jobId
  reason
  state
  attempt
}`) as unknown as TypedDocumentString<FailJobMutation, FailJobMutationVariables>;
export const HeartbeatDocument = new TypedDocumentString(`
    mutation Heartbeat($input: HeartbeatInput!) {
  heartbeat(input: $input) {
    results {
      __typename
      ... on LeaseRenewed {
        jobId
        leaseExpiresAt
        leaseSeconds
        cancelRequested
        cancelReason
      }
      ... on LeaseLost {
        ...LeaseLostFields
      }
      ... on JobNotFound {
        jobId
      }
      ... on Failure {
        ...FailureFields
      }
    }
    serverTime
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment LeaseLostFields on LeaseLost {
  jobId
  reason
  state
  attempt
}`) as unknown as TypedDocumentString<HeartbeatMutation, HeartbeatMutationVariables>;
export const JobEventsDocument = new TypedDocumentString(`
    query JobEvents($after: EventCursor, $first: Int = 100, $filter: JobEventFilter) {
  jobEvents(after: $after, first: $first, filter: $filter) {
    nodes {
      ...EventFields
    }
    gap {
      ...GapFields
    }
    cursor
    hasMore
  }
}
    fragment GapFields on JobEventGap {
  reason
  resumeAt
  oldestAvailable
}
fragment EventFields on JobEvent {
  cursor
  kind
  jobId
  queueName
  task
  fromState
  toState
  attempt
  fence
  at
  workerId
  actor
  detail
}`) as unknown as TypedDocumentString<JobEventsQuery, JobEventsQueryVariables>;
export const LatestEventCursorDocument = new TypedDocumentString(`
    query LatestEventCursor {
  latestEventCursor
}
    `) as unknown as TypedDocumentString<LatestEventCursorQuery, LatestEventCursorQueryVariables>;
export const FollowJobEventsDocument = new TypedDocumentString(`
    subscription FollowJobEvents($after: EventCursor, $filter: JobEventFilter, $maxBatch: Int! = 200, $everyMs: Int! = 50, $newestOnly: Boolean! = false) {
  jobEvents(
    after: $after
    filter: $filter
    maxBatch: $maxBatch
    everyMs: $everyMs
    newestOnly: $newestOnly
  ) {
    __typename
    ... on JobEventBatch {
      events {
        ...EventFields
      }
      cursor
      caughtUp
      passedOver
    }
    ... on JobEventGap {
      ...GapFields
    }
  }
}
    fragment GapFields on JobEventGap {
  reason
  resumeAt
  oldestAvailable
}
fragment EventFields on JobEvent {
  cursor
  kind
  jobId
  queueName
  task
  fromState
  toState
  attempt
  fence
  at
  workerId
  actor
  detail
}`) as unknown as TypedDocumentString<FollowJobEventsSubscription, FollowJobEventsSubscriptionVariables>;
export const JobDocument = new TypedDocumentString(`
    query Job($by: JobSelector!, $attempts: Int = 20, $events: Int = 50) {
  job(by: $by) {
    ...JobDetails
    attempts(first: $attempts) {
      nodes {
        number
        fence
        workerId
        startedAt
        finishedAt
        outcome
        error {
          ...ErrorFields
        }
        lastHeartbeatAt
      }
      pageInfo {
        ...PageFields
      }
    }
    events(first: $events) {
      nodes {
        ...EventFields
      }
      gap {
        ...GapFields
      }
      cursor
      hasMore
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment LeaseFields on LeaseInfo {
  workerId
  startedAt
  expiresAt
  lastHeartbeatAt
  leaseSeconds
  renewals
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
fragment JobDetails on Job {
  ...JobSummary
  payload
  payloadRedacted
  redactedPaths
  result
  retryBaseSeconds
  retryMaxSeconds
  concurrencyKey
  progress {
    percent
    note
    updatedAt
  }
  lease {
    ...LeaseFields
  }
  cancelRequestedAt
  purgeAt
}
fragment GapFields on JobEventGap {
  reason
  resumeAt
  oldestAvailable
}
fragment EventFields on JobEvent {
  cursor
  kind
  jobId
  queueName
  task
  fromState
  toState
  attempt
  fence
  at
  workerId
  actor
  detail
}`) as unknown as TypedDocumentString<JobQuery, JobQueryVariables>;
export const JobsDocument = new TypedDocumentString(`
    query Jobs($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter, $orderBy: JobOrder = NEWEST_FIRST, $lookThroughMax: Int) {
  jobs(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
    orderBy: $orderBy
    lookThroughMax: $lookThroughMax
  ) {
    nodes {
      ...JobSummary
    }
    pageInfo {
      ...PageFields
    }
    lookedThrough
    isCutShort
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}`) as unknown as TypedDocumentString<JobsQuery, JobsQueryVariables>;
export const JobDetailsPageDocument = new TypedDocumentString(`
    query JobDetailsPage($first: Int, $after: String, $filter: JobFilter, $orderBy: JobOrder = OLDEST_FIRST) {
  jobs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    nodes {
      ...JobDetails
    }
    pageInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment LeaseFields on LeaseInfo {
  workerId
  startedAt
  expiresAt
  lastHeartbeatAt
  leaseSeconds
  renewals
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
fragment JobDetails on Job {
  ...JobSummary
  payload
  payloadRedacted
  redactedPaths
  result
  retryBaseSeconds
  retryMaxSeconds
  concurrencyKey
  progress {
    percent
    note
    updatedAt
  }
  lease {
    ...LeaseFields
  }
  cancelRequestedAt
  purgeAt
}`) as unknown as TypedDocumentString<JobDetailsPageQuery, JobDetailsPageQueryVariables>;
export const CountJobsDocument = new TypedDocumentString(`
    query CountJobs($filter: JobFilter, $lookThroughMax: Int) {
  jobs(first: 1, filter: $filter, lookThroughMax: $lookThroughMax) {
    count {
      value
      exact
    }
  }
}
    `) as unknown as TypedDocumentString<CountJobsQuery, CountJobsQueryVariables>;
export const LeasesDocument = new TypedDocumentString(`
    query Leases($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter, $lookThroughMax: Int) {
  jobs(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
    orderBy: LEASE_EXPIRY
    lookThroughMax: $lookThroughMax
  ) {
    nodes {
      id
      queueName
      task
      state
      attempt
      fence
      maxAttempts
      progress {
        percent
        note
        updatedAt
      }
      lease {
        ...LeaseFields
      }
      cancelRequestedAt
    }
    pageInfo {
      ...PageFields
    }
    isCutShort
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment LeaseFields on LeaseInfo {
  workerId
  startedAt
  expiresAt
  lastHeartbeatAt
  leaseSeconds
  renewals
}`) as unknown as TypedDocumentString<LeasesQuery, LeasesQueryVariables>;
export const PauseQueueDocument = new TypedDocumentString(`
    mutation PauseQueue($input: PauseQueueInput!) {
  pauseQueue(input: $input) {
    __typename
    ... on QueueStateSuccess {
      queue {
        ...QueueSettings
      }
      changed
    }
    ... on QuotaExceeded {
      ...QuotaExceededFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}
fragment QuotaExceededFields on QuotaExceeded {
  quota
  limit
}`) as unknown as TypedDocumentString<PauseQueueMutation, PauseQueueMutationVariables>;
export const PurgeJobsDocument = new TypedDocumentString(`
    mutation PurgeJobs($input: PurgeJobsInput!) {
  purgeJobs(input: $input) {
    ...BulkFields
  }
}
    fragment BulkFields on BulkPayload {
  matched {
    value
    exact
  }
  changed
  skipped
  hasMore
  samples {
    jobId
    code
  }
}`) as unknown as TypedDocumentString<PurgeJobsMutation, PurgeJobsMutationVariables>;
export const FollowQueueDocument = new TypedDocumentString(`
    subscription FollowQueue($name: String!, $everySeconds: Int! = 2) {
  queue(name: $name, everySeconds: $everySeconds) {
    ...QueueFields
  }
}
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}
fragment QueueFields on Queue {
  ...QueueSettings
  stats {
    counts {
      ...CountFields
    }
    ready
    delayed
    oldestReadySeconds
    throughput {
      ...ThroughputFields
    }
    waitP95Seconds
    runP95Seconds
    diedLastHour
  }
}`) as unknown as TypedDocumentString<FollowQueueSubscription, FollowQueueSubscriptionVariables>;
export const QueuesByTroubleDocument = new TypedDocumentString(`
    query QueuesByTrouble($first: Int = 50) {
  queues(first: $first, orderBy: TROUBLE) {
    nodes {
      ...QueueFields
    }
  }
}
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}
fragment QueueFields on Queue {
  ...QueueSettings
  stats {
    counts {
      ...CountFields
    }
    ready
    delayed
    oldestReadySeconds
    throughput {
      ...ThroughputFields
    }
    waitP95Seconds
    runP95Seconds
    diedLastHour
  }
}`) as unknown as TypedDocumentString<QueuesByTroubleQuery, QueuesByTroubleQueryVariables>;
export const FollowQueuesDocument = new TypedDocumentString(`
    subscription FollowQueues($first: Int = 50, $everySeconds: Int! = 2) {
  queues(first: $first, everySeconds: $everySeconds) {
    ...QueueFields
  }
}
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}
fragment QueueFields on Queue {
  ...QueueSettings
  stats {
    counts {
      ...CountFields
    }
    ready
    delayed
    oldestReadySeconds
    throughput {
      ...ThroughputFields
    }
    waitP95Seconds
    runP95Seconds
    diedLastHour
  }
}`) as unknown as TypedDocumentString<FollowQueuesSubscription, FollowQueuesSubscriptionVariables>;
export const QueueDocument = new TypedDocumentString(`
    query Queue($name: String!) {
  queue(name: $name) {
    ...QueueFields
  }
}
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}
fragment QueueFields on Queue {
  ...QueueSettings
  stats {
    counts {
      ...CountFields
    }
    ready
    delayed
    oldestReadySeconds
    throughput {
      ...ThroughputFields
    }
    waitP95Seconds
    runP95Seconds
    diedLastHour
  }
}`) as unknown as TypedDocumentString<QueueQuery, QueueQueryVariables>;
export const QueuesDocument = new TypedDocumentString(`
    query Queues($first: Int = 50, $after: String, $namePrefix: String) {
  queues(first: $first, after: $after, namePrefix: $namePrefix) {
    nodes {
      ...QueueFields
    }
    pageInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}
fragment QueueFields on Queue {
  ...QueueSettings
  stats {
    counts {
      ...CountFields
    }
    ready
    delayed
    oldestReadySeconds
    throughput {
      ...ThroughputFields
    }
    waitP95Seconds
    runP95Seconds
    diedLastHour
  }
}`) as unknown as TypedDocumentString<QueuesQuery, QueuesQueryVariables>;
export const RedactionRulesDocument = new TypedDocumentString(`
    query RedactionRules {
  redactionRules {
    ...RedactionRuleFields
  }
}
    fragment RedactionRuleFields on RedactionRules {
  rules {
    task
    path
  }
  version
}`) as unknown as TypedDocumentString<RedactionRulesQuery, RedactionRulesQueryVariables>;
export const RedriveJobDocument = new TypedDocumentString(`
    mutation RedriveJob($input: RedriveJobInput!) {
  redriveJob(input: $input) {
    __typename
    ... on RedriveJobSuccess {
      job {
        ...JobSummary
      }
    }
    ... on InvalidTransition {
      ...InvalidTransitionFields
    }
    ... on QuotaExceeded {
      ...QuotaExceededFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
fragment InvalidTransitionFields on InvalidTransition {
  jobId
  from
  attempted
}
fragment QuotaExceededFields on QuotaExceeded {
  quota
  limit
}`) as unknown as TypedDocumentString<RedriveJobMutation, RedriveJobMutationVariables>;
export const RedriveJobsDocument = new TypedDocumentString(`
    mutation RedriveJobs($input: RedriveJobsInput!) {
  redriveJobs(input: $input) {
    ...BulkFields
  }
}
    fragment BulkFields on BulkPayload {
  matched {
    value
    exact
  }
  changed
  skipped
  hasMore
  samples {
    jobId
    code
  }
}`) as unknown as TypedDocumentString<RedriveJobsMutation, RedriveJobsMutationVariables>;
export const ReleaseJobDocument = new TypedDocumentString(`
    mutation ReleaseJob($input: ReleaseJobInput!) {
  releaseJob(input: $input) {
    __typename
    ... on ReleaseJobSuccess {
      job {
        ...SettledJob
      }
      replayed
    }
    ... on LeaseLost {
      ...LeaseLostFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment SettledJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  finishedAt
}
fragment LeaseLostFields on LeaseLost {
  jobId
  reason
  state
  attempt
}`) as unknown as TypedDocumentString<ReleaseJobMutation, ReleaseJobMutationVariables>;
export const RescheduleJobDocument = new TypedDocumentString(`
    mutation RescheduleJob($input: RescheduleJobInput!) {
  rescheduleJob(input: $input) {
    __typename
    ... on RescheduleJobSuccess {
      job {
        ...JobSummary
      }
    }
    ... on InvalidTransition {
      ...InvalidTransitionFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
fragment InvalidTransitionFields on InvalidTransition {
  jobId
  from
  attempted
}`) as unknown as TypedDocumentString<RescheduleJobMutation, RescheduleJobMutationVariables>;
export const ResumeQueueDocument = new TypedDocumentString(`
    mutation ResumeQueue($input: ResumeQueueInput!) {
  resumeQueue(input: $input) {
    __typename
    ... on QueueStateSuccess {
      queue {
        ...QueueSettings
      }
      changed
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment QueueSettings on Queue {
  name
  paused
  pausedAt
  pauseReason
  defaults {
    priority
    maxAttempts
    retryBaseSeconds
    retryMaxSeconds
    leaseSeconds
  }
  retention {
    completedSeconds
    cancelledSeconds
    deadSeconds
  }
  version
  createdAt
}`) as unknown as TypedDocumentString<ResumeQueueMutation, ResumeQueueMutationVariables>;
export const RevokeApiKeyDocument = new TypedDocumentString(`
    mutation RevokeApiKey($input: RevokeApiKeyInput!) {
  revokeApiKey(input: $input) {
    __typename
    ... on RevokeApiKeySuccess {
      apiKey {
        ...ApiKeyFields
      }
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment ApiKeyFields on ApiKey {
  id
  name
  prefix
  scopes
  queues
  createdAt
  lastUsedAt
  expiresAt
  revokedAt
}`) as unknown as TypedDocumentString<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>;
export const SeriesDocument = new TypedDocumentString(`
    query Series($queue: String, $period: SeriesPeriod! = HOUR) {
  series(queue: $queue, period: $period) {
    ...SeriesFields
  }
}
    fragment SeriesFields on Series {
  period
  stepSeconds
  from
  to
  points {
    at
    submitted
    claimed
    completed
    failed
    died
    expired
    ready
    delayed
    running
    retry
    dead
    waitP50Seconds
    waitP95Seconds
    waitP99Seconds
    runP50Seconds
    runP95Seconds
    runP99Seconds
  }
}`) as unknown as TypedDocumentString<SeriesQuery, SeriesQueryVariables>;
export const SetRedactionRulesDocument = new TypedDocumentString(`
    mutation SetRedactionRules($input: SetRedactionRulesInput!) {
  setRedactionRules(input: $input) {
    __typename
    ... on SetRedactionRulesSuccess {
      redactionRules {
        ...RedactionRuleFields
      }
    }
    ... on VersionConflict {
      currentVersion
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment RedactionRuleFields on RedactionRules {
  rules {
    task
    path
  }
  version
}`) as unknown as TypedDocumentString<SetRedactionRulesMutation, SetRedactionRulesMutationVariables>;
export const StatsDocument = new TypedDocumentString(`
    query Stats {
  stats {
    ...StatsFields
  }
}
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
fragment StatsFields on Stats {
  counts {
    ...CountFields
  }
  ready
  oldestReadySeconds
  throughput {
    ...ThroughputFields
  }
  workers
  asOf
}`) as unknown as TypedDocumentString<StatsQuery, StatsQueryVariables>;
export const FollowStatsDocument = new TypedDocumentString(`
    subscription FollowStats($everySeconds: Int! = 2) {
  stats(everySeconds: $everySeconds) {
    ...StatsFields
  }
}
    fragment CountFields on JobStateCounts {
  queued
  running
  retry
  completed
  dead
  cancelled
}
fragment ThroughputFields on Throughput {
  submittedPerSecond
  claimedPerSecond
  completedPerSecond
  failedPerSecond
}
fragment StatsFields on Stats {
  counts {
    ...CountFields
  }
  ready
  oldestReadySeconds
  throughput {
    ...ThroughputFields
  }
  workers
  asOf
}`) as unknown as TypedDocumentString<FollowStatsSubscription, FollowStatsSubscriptionVariables>;
export const SubmitJobDocument = new TypedDocumentString(`
    mutation SubmitJob($input: SubmitJobInput!) {
  submitJob(input: $input) {
    __typename
    ... on SubmitJobSuccess {
      job {
        ...SubmittedJob
      }
      deduplicated
    }
    ... on IdempotencyConflict {
      existingJob {
        ...JobSummary
      }
      differingFields
    }
    ... on QuotaExceeded {
      ...QuotaExceededFields
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment SubmittedJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  createdAt
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
fragment QuotaExceededFields on QuotaExceeded {
  quota
  limit
}`) as unknown as TypedDocumentString<SubmitJobMutation, SubmitJobMutationVariables>;
export const SubmitJobsDocument = new TypedDocumentString(`
    mutation SubmitJobs($input: SubmitJobsInput!) {
  submitJobs(input: $input) {
    results {
      __typename
      ... on SubmitJobSuccess {
        job {
          ...SubmittedJob
        }
        deduplicated
      }
      ... on IdempotencyConflict {
        existingJob {
          ...JobSummary
        }
        differingFields
      }
      ... on QuotaExceeded {
        ...QuotaExceededFields
      }
      ... on Failure {
        ...FailureFields
      }
    }
    stored
    deduplicated
    failed
    rolledBack
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment ErrorFields on JobError {
  type
  message
  details
  at
}
fragment SubmittedJob on Job {
  id
  queueName
  task
  state
  attempt
  maxAttempts
  runAt
  createdAt
}
fragment JobSummary on Job {
  id
  queueName
  task
  state
  priority
  attempt
  fence
  maxAttempts
  runAt
  ready
  tags {
    key
    value
  }
  lastError {
    ...ErrorFields
  }
  createdAt
  updatedAt
  finishedAt
  deadLetterGroupId
}
fragment QuotaExceededFields on QuotaExceeded {
  quota
  limit
}`) as unknown as TypedDocumentString<SubmitJobsMutation, SubmitJobsMutationVariables>;
export const TenantDocument = new TypedDocumentString(`
    query Tenant($id: ID!) {
  tenant(id: $id) {
    ...TenantFields
    ...TenantUsageFields
  }
}
    fragment TenantFields on Tenant {
  id
  name
  suspended
  quotas {
    maxWaitingJobs
    maxQueues
    maxSchedules
    maxApiKeys
    maxStoredMebibytes
    requestsPerSecond
    costPerSecond
    maxFeeds
    maxSockets
  }
  createdAt
}
fragment TenantUsageFields on Tenant {
  usage {
    waitingJobs
    queues
    schedules
    storedBytes
    openFeeds
    openSockets
  }
}`) as unknown as TypedDocumentString<TenantQuery, TenantQueryVariables>;
export const TenantsDocument = new TypedDocumentString(`
    query Tenants($first: Int = 50, $after: String) {
  tenants(first: $first, after: $after) {
    nodes {
      ...TenantFields
      ...TenantUsageFields
    }
    pageInfo {
      ...PageFields
    }
  }
}
    fragment PageFields on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment TenantFields on Tenant {
  id
  name
  suspended
  quotas {
    maxWaitingJobs
    maxQueues
    maxSchedules
    maxApiKeys
    maxStoredMebibytes
    requestsPerSecond
    costPerSecond
    maxFeeds
    maxSockets
  }
  createdAt
}
fragment TenantUsageFields on Tenant {
  usage {
    waitingJobs
    queues
    schedules
    storedBytes
    openFeeds
    openSockets
  }
}`) as unknown as TypedDocumentString<TenantsQuery, TenantsQueryVariables>;
export const TryRedactionDocument = new TypedDocumentString(`
    query TryRedaction($task: String!, $value: JSON!, $rules: [RedactionRuleInput!]) {
  tryRedaction(task: $task, value: $value, rules: $rules)
}
    `) as unknown as TypedDocumentString<TryRedactionQuery, TryRedactionQueryVariables>;
export const UpdateTenantDocument = new TypedDocumentString(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    __typename
    ... on TenantSuccess {
      tenant {
        ...TenantFields
        ...TenantUsageFields
      }
    }
    ... on NameTaken {
      name
    }
    ... on TenantNotFound {
      id
    }
    ... on Failure {
      ...FailureFields
    }
  }
}
    fragment FailureFields on Failure {
  code
  message
  retryable
}
fragment TenantFields on Tenant {
  id
  name
  suspended
  quotas {
    maxWaitingJobs
    maxQueues
    maxSchedules
    maxApiKeys
    maxStoredMebibytes
    requestsPerSecond
    costPerSecond
    maxFeeds
    maxSockets
  }
  createdAt
}
fragment TenantUsageFields on Tenant {
  usage {
    waitingJobs
    queues
    schedules
    storedBytes
    openFeeds
    openSockets
  }
}`) as unknown as TypedDocumentString<UpdateTenantMutation, UpdateTenantMutationVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    tenant {
      id
      name
      suspended
      createdAt
    }
    apiKey {
      ...ApiKeyFields
    }
    serverTime
  }
}
    fragment ApiKeyFields on ApiKey {
  id
  name
  prefix
  scopes
  queues
  createdAt
  lastUsedAt
  expiresAt
  revokedAt
}`) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const WorkerClaimDocument = new TypedDocumentString(`
    mutation WorkerClaim($claim: ClaimJobsInput!) {
  claimJobs(input: $claim) {
    ...WorkerClaimFields
  }
}
    fragment WorkerClaimFields on ClaimJobsPayload {
  completed {
    __typename
    ... on LeaseLost {
      reason
    }
    ... on Failure {
      code
      message
    }
  }
  leases {
    leaseToken
    leaseSeconds
    attempt
    fence
    job {
      id
      queueName
      task
      payload
      priority
      maxAttempts
      createdAt
      tags {
        key
        value
      }
    }
  }
  idle
  pollAgainInMs
}`) as unknown as TypedDocumentString<WorkerClaimMutation, WorkerClaimMutationVariables>;
export const WorkerTurnDocument = new TypedDocumentString(`
    mutation WorkerTurn($heartbeat: HeartbeatInput!, $claim: ClaimJobsInput!) {
  heartbeat(input: $heartbeat) {
    ...WorkerBeatFields
  }
  claimJobs(input: $claim) {
    ...WorkerClaimFields
  }
}
    fragment WorkerClaimFields on ClaimJobsPayload {
  completed {
    __typename
    ... on LeaseLost {
      reason
    }
    ... on Failure {
      code
      message
    }
  }
  leases {
    leaseToken
    leaseSeconds
    attempt
    fence
    job {
      id
      queueName
      task
      payload
      priority
      maxAttempts
      createdAt
      tags {
        key
        value
      }
    }
  }
  idle
  pollAgainInMs
}
fragment WorkerBeatFields on HeartbeatPayload {
  results {
    __typename
    ... on LeaseRenewed {
      leaseSeconds
      cancelRequested
      cancelReason
    }
    ... on LeaseLost {
      reason
    }
    ... on Failure {
      code
      message
    }
  }
}`) as unknown as TypedDocumentString<WorkerTurnMutation, WorkerTurnMutationVariables>;
export const WorkerBeatDocument = new TypedDocumentString(`
    mutation WorkerBeat($heartbeat: HeartbeatInput!) {
  heartbeat(input: $heartbeat) {
    ...WorkerBeatFields
  }
}
    fragment WorkerBeatFields on HeartbeatPayload {
  results {
    __typename
    ... on LeaseRenewed {
      leaseSeconds
      cancelRequested
      cancelReason
    }
    ... on LeaseLost {
      reason
    }
    ... on Failure {
      code
      message
    }
  }
}`) as unknown as TypedDocumentString<WorkerBeatMutation, WorkerBeatMutationVariables>;
export const WorkersDocument = new TypedDocumentString(`
    query Workers($seenWithinSeconds: Int = 300, $first: Int, $after: ID, $states: [WorkerState!]) {
  workers(
    seenWithinSeconds: $seenWithinSeconds
    first: $first
    after: $after
    states: $states
  ) {
    id
    queues
    tasks
    state
    runningJobs
    soonestLeaseExpiresAt
    firstSeenAt
    lastSeenAt
  }
}
    `) as unknown as TypedDocumentString<WorkersQuery, WorkersQueryVariables>;