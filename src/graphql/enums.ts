/** The enums of the schema, with the domain's values inside and what each value means to a client. */
import { GONE_AFTER_MS, SIGN_NOTED_EVERY_MS } from '../domain/worker-state.ts';
import { builder } from './builder.ts';

export const JobStateEnum = builder.enumType('JobState', {
  description: 'Where a job stands. COMPLETED and CANCELLED are final; DEAD ends by redrive or purge only.',
  values: {
    QUEUED: { value: 'queued', description: 'Waiting for a worker, with a full attempt budget; `runAt` may still be ahead.' },
    RUNNING: { value: 'running', description: 'Leased to a worker.' },
    RETRY: { value: 'retry', description: 'Failed or lost its lease; waiting for `runAt`, then claimed again.' },
    COMPLETED: { value: 'completed', description: 'Done. Never changes again.' },
    DEAD: { value: 'dead', description: 'A dead letter: the attempt budget is spent, or it failed with `retry: {never: true}`.' },
    CANCELLED: { value: 'cancelled', description: 'Ended by an operator. Never changes again.' },
  },
});

export const AttemptOutcomeEnum = builder.enumType('AttemptOutcome', {
  description: 'How an attempt ended.',
  values: {
    RUNNING: { value: 'running', description: 'It has not ended yet.' },
    COMPLETED: { value: 'completed', description: 'The worker completed the job.' },
    FAILED: { value: 'failed', description: 'The worker reported a failure.' },
    LEASE_EXPIRED: { value: 'lease_expired', description: 'The lease ran out without a word from the worker.' },
    RELEASED: { value: 'released', description: 'The worker handed the job back.' },
    CANCELLED: { value: 'cancelled', description: 'The worker gave the job up after a cancel request.' },
    REVOKED: { value: 'revoked', description: 'An operator cancelled the job with `force`, which took the lease away.' },
  },
});

export const LeaseLostReasonEnum = builder.enumType('LeaseLostReason', {
  description: 'Why a lease token proves nothing any more.',
  values: {
    EXPIRED: { value: 'expired', description: 'The lease ran out before the call came.' },
    REVOKED: { value: 'revoked', description: 'An operator cancelled the job with `force`.' },
    SUPERSEDED: { value: 'superseded', description: 'A newer claim of the job exists.' },
    FINISHED: { value: 'finished', description: 'The lease ended otherwise: the job was settled or handed back with this token.' },
    UNKNOWN_TOKEN: { value: 'unknown_token', description: 'The token never belonged to this job.' },
  },
});

export const JobActionEnum = builder.enumType('JobAction', {
  description: 'What an operator can ask of a job.',
  values: {
    CANCEL: { value: 'cancel', description: 'End a job that is not finished.' },
    REDRIVE: { value: 'redrive', description: 'Put a dead letter back in its queue.' },
    RESCHEDULE: { value: 'reschedule', description: 'Change when a waiting job runs, or its priority.' },
    PURGE: { value: 'purge', description: 'Remove a finished job with its ledger.' },
  },
});

export const JobOrderEnum = builder.enumType('JobOrder', {
  description: 'The order of a list of jobs.',
  values: {
    NEWEST_FIRST: { value: 'newest_first', description: 'By submission, the latest first.' },
    OLDEST_FIRST: { value: 'oldest_first', description: 'By submission, the first first.' },
    NEXT_TO_RUN: { value: 'next_to_run', description: 'As claims take them: by priority, then by `runAt`, then by submission.' },
    LEASE_EXPIRY: { value: 'lease_expiry', description: 'RUNNING jobs only: by `lease.expiresAt`, the soonest first.' },
    RECENTLY_FINISHED: { value: 'recently_finished', description: 'By `finishedAt`, the latest first. Filter by finished states to see those only.' },
  },
});

export const QueueOrderEnum = builder.enumType('QueueOrder', {
  description: 'The order of a list of queues.',
  values: {
    NAME: { value: 'name', description: 'By name.' },
    TROUBLE: {
      value: 'trouble',
      description:
        'The queues that need somebody to look at them first: one point for each second that the oldest ready job has been due, 60 for each dead letter ' +
        'of the last hour, one for each job that waits for another attempt, at most 3600 points of each kind, and 600 for a pause while jobs wait. ' +
        'Among very many queues with jobs, those with most of a kind are looked at. Queues without points follow by name.',
    },
  },
});

export const WorkerStateEnum = builder.enumType('WorkerState', {
  description: 'What the signs of a worker, its claims and heartbeats, tell about it.',
  values: {
    ACTIVE: { value: 'active', description: 'Holds leases, and was heard of in time.' },
    IDLE: { value: 'idle', description: `Holds none, and was heard of within the last ${GONE_AFTER_MS / 1000} seconds.` },
    SILENT: {
      value: 'silent',
      description: `Holds leases, and was not heard of for longer than half of the leases it takes and ${SIGN_NOTED_EVERY_MS / 1000} seconds; or a lease of it has run out and was not recovered yet.`,
    },
    GONE: { value: 'gone', description: 'Holds none, and was not heard of for longer: stopped, or waiting for its turn somewhere else.' },
  },
});

export const JobEventKindEnum = builder.enumType('JobEventKind', {
  description: 'What happened to a job. Transitions only: a heartbeat writes no event.',
  values: {
    SUBMITTED: { description: 'The job was stored.' },
    CLAIMED: { description: 'A worker took it under a lease.' },
    COMPLETED: { description: 'Its worker completed it.' },
    RETRY_SCHEDULED: { description: 'An attempt failed and another one is due at the `runAt` of the detail.' },
    DEAD_LETTERED: { description: 'It became a dead letter; the detail says why.' },
    LEASE_EXPIRED: { description: 'A lease ran out unsettled, recorded when it was noticed.' },
    RELEASED: { description: 'Its worker handed it back.' },
    CANCEL_REQUESTED: { description: 'An operator asked to cancel it while it ran; the worker learns it with its next heartbeat.' },
    CANCELLED: { description: 'It ended as cancelled.' },
    REDRIVEN: { description: 'An operator put the dead letter back in its queue.' },
    RESCHEDULED: { description: 'An operator changed its `runAt` or priority.' },
    PURGED: { description: "An operator removed it. The job's last event." },
  },
});

export const OperatorActionKindEnum = builder.enumType('OperatorActionKind', {
  description: 'What an operator or an administrator did. Values may be added: keep a default branch.',
  values: {
    CANCEL_JOB: { value: 'cancel_job', description: 'Cancelled a job, or asked its worker to give it up.' },
    REDRIVE_JOB: { value: 'redrive_job', description: 'Put a dead letter back in its queue, perhaps with another payload.' },
    RESCHEDULE_JOB: { value: 'reschedule_job', description: 'Changed when a job runs, or its priority.' },
    CANCEL_JOBS: { value: 'cancel_jobs', description: 'Cancelled many jobs.' },
    REDRIVE_JOBS: { value: 'redrive_jobs', description: 'Redrove many dead letters.' },
    PURGE_JOBS: { value: 'purge_jobs', description: 'Removed many finished jobs.' },
    PAUSE_QUEUE: { value: 'pause_queue', description: 'Paused a queue.' },
    RESUME_QUEUE: { value: 'resume_queue', description: 'Opened a paused queue.' },
    CONFIGURE_QUEUE: { value: 'configure_queue', description: 'Changed the defaults or the retention of a queue.' },
    CREATE_API_KEY: { value: 'create_api_key', description: 'Made a key.' },
    REVOKE_API_KEY: { value: 'revoke_api_key', description: 'Revoked a key.' },
    CREATE_TENANT: { value: 'create_tenant', description: 'Created the tenant.' },
    UPDATE_TENANT: { value: 'update_tenant', description: 'Renamed or suspended the tenant, let it go on, or set its quotas.' },
    SET_REDACTION_RULES: { value: 'set_redaction_rules', description: 'Set what is hidden from readers.' },
  },
});

export const GapReasonEnum = builder.enumType('GapReason', {
  description: 'Why events after a cursor cannot be read.',
  values: {
    RETENTION: { value: 'retention', description: 'They were removed together with their jobs.' },
    STORE_RESTORED: { value: 'store_restored', description: 'The database was restored from a backup; the cursor is of the time before.' },
  },
});

export const IdleReasonEnum = builder.enumType('IdleReason', {
  description: 'Why a claim came back empty.',
  values: {
    NO_READY_JOB: { value: 'no_ready_job', description: 'No job of these queues and tasks is due.' },
    PAUSED: { value: 'paused', description: 'A queue of the claim is paused, and no other one had a due job.' },
    SHUTTING_DOWN: { value: 'shutting_down', description: 'The server is stopping. Claim again elsewhere, or after `pollAgainInMs`.' },
  },
});

export const BatchPolicyEnum = builder.enumType('BatchPolicy', {
  description: 'What one failing item means to its batch.',
  values: {
    STORE_GOOD: { value: 'store_good', description: 'Items that fail are reported, the rest is stored.' },
    ALL_OR_NOTHING: { value: 'all_or_nothing', description: 'One failure stores nothing: the good items answer BatchRolledBack.' },
  },
});

export const ScopeEnum = builder.enumType('Scope', {
  description: 'What an API key may do. Each stands for itself: none contains another.',
  values: {
    READ: { description: 'Read jobs, queues, events, stats; payloads and results only with PAYLOADS.' },
    PAYLOADS: { description: 'See the payloads and results of jobs.' },
    SUBMIT: { description: 'Submit jobs.' },
    WORK: { description: 'Claim jobs, keep their leases alive, settle them or hand them back.' },
    OPERATE: { description: 'Cancel, redrive, reschedule, pause, bulk, limits, schedules.' },
    ADMIN: { description: 'Keys and quotas of the own tenant.' },
    SYSTEM: { description: 'Every tenant; names one in the header `x-leasequeue-tenant`.' },
  },
});
