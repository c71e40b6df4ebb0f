/**
 * The queue as the contract tells it, over plain lists: `decide` judges, and everything around it (who is located,
 * in which order, and what a repeated call is answered) is written out in the most obvious way. It is the oracle of
 * the conformance tests; it keeps nothing, shares nothing, and is in no hurry.
 */
import type { Action } from '../../src/domain/actions.ts';
import { type EventFilter, type JobEvent, matchesFilter } from '../../src/domain/events.ts';
import { failed, type InvalidTransition, type JobNotFound, type LeaseLost, type Outcome, succeeded } from '../../src/domain/failures.ts';
import { isDue, isLeaseLive, isWaiting, JOB_STATES, type Job, type JobState, type LeaseToken, type Retention, type TenantId } from '../../src/domain/job.ts';
import { cutText } from '../../src/domain/json.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type {
  BulkAnswer,
  Cancelled,
  ClaimAnswer,
  ClaimedJob,
  CompleteOutcome,
  EventPage,
  Failed,
  HeartbeatOutcome,
  JobStateCounts,
  QueueStats,
  Settled,
  SubmitOutcome,
} from '../../src/store/answers.ts';
import type {
  BulkRequest,
  Caller,
  CancelRequest,
  ClaimRequest,
  CompleteRequest,
  ConfigureQueueRequest,
  FailRequest,
  HeartbeatRequest,
  JobFilter,
  LogPosition,
  RedriveRequest,
  ReleaseRequest,
  RescheduleRequest,
} from '../../src/store/requests.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { ModelBook } from './model-book.ts';
import { isReplay, type ModelEntry, rekeyEntry } from './model-entry.ts';
import { ModelQueues } from './model-queues.ts';
import type { DrivenRepository } from './repository-driver.ts';

type Settling = Extract<Action, { readonly name: 'complete' | 'fail' | 'release' }>;
type Holder = { readonly jobId: string; readonly leaseToken: string };

export class ModelQueue implements DrivenRepository {
  readonly #queues: ModelQueues;
  readonly #book: ModelBook;
  readonly #retention: Retention;

  constructor(clock: ManualClock, retention: Retention) {
    this.#retention = retention;
    this.#queues = new ModelQueues(retention);
    this.#book = new ModelBook(clock, this.#queues);
  }

  async submit(tenant: TenantId, _caller: Caller, requests: readonly SubmitRequest[], allOrNothing: boolean): Promise<readonly SubmitOutcome[]> {
    const outcomes = this.#book.submit(tenant, requests, allOrNothing);
    for (const outcome of outcomes) if (outcome.ok) this.#queues.open(tenant, outcome.value.job.queue, this.#book.nowMs);
    return outcomes;
  }

  async claim(tenant: TenantId, _caller: Caller, request: ClaimRequest): Promise<ClaimAnswer> {
    const completed = request.completing.map((item) => this.#settle(tenant, item, { name: 'complete', resultJson: item.resultJson }));
    const repeated = this.#repeated(tenant, request);
    const leases = repeated.length > 0 ? repeated : this.#lease(tenant, request);
    const known = request.queues.filter((queue) => this.#queues.find(tenant, queue) !== null);
    const arePaused = known.length > 0 && known.every((queue) => this.#book.isPaused(tenant, queue));
    const idle = leases.length > 0 ? null : arePaused ? 'paused' : 'no_ready_job';
    return { completed, leases, idle, pollAgainInMs: 0, nowMs: this.#book.nowMs };
  }

  async heartbeat(tenant: TenantId, _caller: Caller, requests: readonly HeartbeatRequest[]): ReturnType<DrivenRepository['heartbeat']> {
    const results = requests.map((request): HeartbeatOutcome => {
      const entry = this.#book.find(tenant, request.jobId);
      if (entry === null) return failed({ code: 'JOB_NOT_FOUND', jobId: request.jobId });
      const { extendSeconds, progress } = request;
      const refusal = this.#book.move(entry, { name: 'heartbeat', extendSeconds, progress }, request.leaseToken);
      if (refusal?.code === 'LEASE_LOST') return failed(refusal);
      const { lease, cancelRequestedAtMs, cancelReason } = entry.job;
      const expiresAtMs = lease?.expiresAtMs ?? 0;
      return succeeded({
        jobId: entry.job.id,
        leaseExpiresAtMs: expiresAtMs,
        leaseSeconds: (expiresAtMs - this.#book.nowMs) / 1000,
        cancelRequested: cancelRequestedAtMs !== null,
        cancelReason,
      });
    });
    return { results, nowMs: this.#book.nowMs };
  }

  async complete(tenant: TenantId, _caller: Caller, requests: readonly CompleteRequest[]): Promise<readonly CompleteOutcome[]> {
    return requests.map((request) => this.#settle(tenant, request, { name: 'complete', resultJson: request.resultJson }));
  }

  async fail(tenant: TenantId, _caller: Caller, request: FailRequest): Promise<Outcome<Failed, LeaseLost | JobNotFound>> {
    const { type, message, detailsJson } = request.error;
    const error = { type, message: cutText(message, LIMITS.errorTextBytesMax), detailsJson, atMs: this.#book.nowMs };
    const { retry } = request;
    const retryAfterSeconds = retry !== null && 'afterSeconds' in retry ? retry.afterSeconds : null;
    const outcome = this.#settle(tenant, request, { name: 'fail', error, retryAfterSeconds, retryNever: retry !== null && 'never' in retry });
    if (!outcome.ok) return outcome;
    // A repeat is told what was told the first time, whatever has become of the job since.
    const left = this.#book.find(tenant, request.jobId)?.claims.at(-1)?.settledAs ?? outcome.value.job;
    return succeeded({ ...outcome.value, retryAtMs: left.state === 'retry' ? left.runAtMs : null, deadLettered: left.state === 'dead' });
  }

  async release(tenant: TenantId, _caller: Caller, requests: readonly ReleaseRequest[]): Promise<readonly Outcome<Settled, LeaseLost | JobNotFound>[]> {
    return requests.map((request) => this.#settle(tenant, request, { name: 'release', afterSeconds: request.afterSeconds }));
  }

  async cancel(tenant: TenantId, _caller: Caller, { jobId, reason, force }: CancelRequest): Promise<Outcome<Cancelled, InvalidTransition | JobNotFound>> {
    const outcome = this.#operate(tenant, jobId, { name: 'cancel', reason, force });
    return outcome.ok ? succeeded({ job: outcome.value.job, finished: outcome.value.job.state === 'cancelled' }) : outcome;
  }

  async redrive(tenant: TenantId, _caller: Caller, request: RedriveRequest): Promise<Outcome<{ readonly job: Job }, InvalidTransition | JobNotFound>> {
    const { jobId, start, maxAttempts, payloadJson } = request;
    return this.#operate(tenant, jobId, { name: 'redrive', runAtMs: this.#instant(start), maxAttempts, payloadJson });
  }

  async reschedule(tenant: TenantId, _caller: Caller, request: RescheduleRequest): Promise<Outcome<{ readonly job: Job }, InvalidTransition | JobNotFound>> {
    return this.#operate(tenant, request.jobId, { name: 'reschedule', runAtMs: this.#instant(request.start), priority: request.priority });
  }

  async bulk(tenant: TenantId, _caller: Caller, { target, action, limit, dryRun }: BulkRequest): Promise<BulkAnswer> {
    const ids = 'ids' in target ? target.ids : this.#jobsOf(tenant, target.filter).map(({ id }) => id);
    const known = ids.filter((id) => this.#book.find(tenant, id) !== null);
    const whole: Action = action.name === 'redrive' ? { name: 'redrive', runAtMs: this.#instant(action.start), maxAttempts: null, payloadJson: null } : action;
    const tried = ids.slice(0, limit);
    const samples = tried.flatMap((jobId) => {
      const outcome = this.#operate(tenant, jobId, whole, dryRun);
      return outcome.ok ? [] : [{ jobId, code: outcome.failure.code }];
    });
    const skipped = samples.length;
    return {
      matched: { value: known.length, exact: true },
      changed: tried.length - skipped,
      skipped,
      hasMore: ids.length > tried.length,
      samples: samples.slice(0, LIMITS.bulkSamplesMax),
    };
  }

  async configureQueue(tenant: TenantId, _caller: Caller, request: ConfigureQueueRequest): ReturnType<DrivenRepository['configureQueue']> {
    return this.#queues.configure(tenant, request, this.#book.nowMs);
  }

  async pauseQueue(tenant: TenantId, _caller: Caller, name: string, reason: string | null): ReturnType<DrivenRepository['pauseQueue']> {
    return this.#queues.pause(tenant, name, reason, this.#book.nowMs);
  }

  async resumeQueue(tenant: TenantId, _caller: Caller, name: string): ReturnType<DrivenRepository['resumeQueue']> {
    return this.#queues.resume(tenant, name);
  }

  async jobById(tenant: TenantId, id: string): Promise<Job | null> {
    return this.#book.find(tenant, id)?.job ?? null;
  }

  async attempts(tenant: TenantId, job: Job): ReturnType<DrivenRepository['attempts']> {
    const claims = this.#book.find(tenant, job.id)?.claims ?? [];
    const rows = claims.toReversed().map(({ attempt }) => ({ key: [attempt.fence], row: attempt }));
    return { rows, hasNext: false, hasPrevious: false };
  }

  async timeline(tenant: TenantId, jobId: string): Promise<EventPage> {
    return this.#page(tenant, this.#book.find(tenant, jobId)?.events ?? []);
  }

  async eventsAfter(tenant: TenantId, after: LogPosition | null, filter: EventFilter): Promise<EventPage> {
    const events = this.#book.log(tenant).filter((event) => event.seq > (after?.seq ?? 0) && matchesFilter(event, filter));
    return this.#page(tenant, events);
  }

  async queueStats(tenant: TenantId, name: string): Promise<QueueStats> {
    const jobs = this.#jobsOf(tenant, { queues: [name] });
    const due = jobs.filter((job) => isDue(job, this.#book.nowMs));
    const countOf = (state: JobState): number => jobs.filter((job) => job.state === state).length;
    const agesMs = this.#book.inTurn(tenant, name).map(({ job }) => this.#book.nowMs - job.runAtMs);
    return {
      counts: Object.fromEntries(JOB_STATES.map((state) => [state, countOf(state)])) as JobStateCounts,
      ready: due.length,
      delayed: jobs.filter(isWaiting).length - due.length,
      oldestReadySeconds: agesMs.length === 0 ? null : Math.max(...agesMs) / 1000,
      throughput: { submitted: 0, claimed: 0, completed: 0, failed: 0 },
      lastHour: { waitP95Seconds: null, runP95Seconds: null, died: 0 },
    };
  }

  async sweep(): ReturnType<DrivenRepository['sweep']> {
    return { expired: this.#book.recover(null), promoted: 0, hasMore: false, nextDueAtMs: null };
  }

  async retain(): ReturnType<DrivenRepository['retain']> {
    return { removed: this.#book.retain(this.#retention.completedSeconds * 1000), hasMore: false };
  }

  async close(): Promise<void> {}

  #page(tenant: TenantId, events: readonly JobEvent[]): EventPage {
    return { events, gap: null, position: { epoch: 'model', seq: this.#book.latestSeq(tenant) }, hasMore: false };
  }

  #jobsOf(tenant: TenantId, { queues, tasks, states }: JobFilter): readonly Job[] {
    const jobs = this.#book.all(tenant).map(({ job }) => job);
    return jobs.filter((job) => (queues?.includes(job.queue) ?? true) && (tasks?.includes(job.task) ?? true) && (states?.includes(job.state) ?? true));
  }

  /** A start in the past means now; none means that nothing is said about it. */
  #instant(start: SubmitRequest['start']): number | null {
    if (start === null) return null;
    return 'atMs' in start ? Math.max(start.atMs, this.#book.nowMs) : this.#book.nowMs + start.inSeconds * 1000;
  }

  #settle(tenant: TenantId, { jobId, leaseToken }: Holder, action: Settling): Outcome<Settled, LeaseLost | JobNotFound> {
    const entry = this.#book.find(tenant, jobId);
    if (entry === null) return failed({ code: 'JOB_NOT_FOUND', jobId });
    if (isReplay(entry, leaseToken, action.name)) return succeeded({ job: entry.job, replayed: true });
    const refusal = this.#book.move(entry, action, leaseToken);
    return refusal?.code === 'LEASE_LOST' ? failed(refusal) : succeeded({ job: entry.job, replayed: false });
  }

  #operate(tenant: TenantId, jobId: string, action: Action, dryRun = false): Outcome<{ readonly job: Job }, InvalidTransition | JobNotFound> {
    const entry = this.#book.find(tenant, jobId);
    if (entry === null) return failed({ code: 'JOB_NOT_FOUND', jobId });
    const refusal = dryRun ? this.#book.refusalOf(entry, action) : this.#book.move(entry, action, null);
    return refusal?.code === 'INVALID_TRANSITION' ? failed(refusal) : succeeded({ job: entry.job });
  }

  /** The live leases of an earlier claim of this worker with this request id in these queues, each with a fresh token. */
  #repeated(tenant: TenantId, { requestId, workerId, queues }: ClaimRequest): readonly ClaimedJob[] {
    if (requestId === null) return [];
    const held = this.#book.all(tenant).filter(({ job: { lease } }) => lease?.requestId === requestId && lease.workerId === workerId);
    return held
      .filter(({ job }) => queues.includes(job.queue))
      .filter(({ job: { lease } }) => lease !== null && isLeaseLive(lease, this.#book.nowMs))
      .map((entry) => {
        const token = this.#book.mint();
        rekeyEntry(entry, token);
        return this.#claimed(entry, token);
      });
  }

  #lease(tenant: TenantId, request: ClaimRequest): readonly ClaimedJob[] {
    const { queues, tasks, max, workerId, leaseSeconds, requestId } = request;
    for (const queue of queues) this.#book.recover({ tenant, queue });
    const inTurn = [...new Set(queues)].flatMap((queue) => this.#book.inTurn(tenant, queue));
    const eligible = inTurn.filter(({ job }) => tasks === null || tasks.includes(job.task));
    return eligible.slice(0, max).map((entry) => {
      const seconds = leaseSeconds ?? this.#queues.settingsOf(tenant, entry.job.queue).defaults.leaseSeconds;
      this.#book.move(entry, { name: 'claim', workerId, leaseSeconds: seconds, requestId }, null);
      const token = this.#book.mint();
      const { attempt: number, fence } = entry.job;
      const attempt = {
        number,
        fence,
        workerId,
        startedAtMs: this.#book.nowMs,
        lastHeartbeatAtMs: null,
        finishedAtMs: null,
        outcome: 'running',
        error: null,
        errorGroup: null,
      } as const;
      entry.claims = [...entry.claims, { token, attempt, settledBy: null, settledAs: null }];
      return this.#claimed(entry, token);
    });
  }

  #claimed({ job }: ModelEntry, leaseToken: LeaseToken): ClaimedJob {
    const leaseExpiresAtMs = job.lease?.expiresAtMs ?? 0;
    return { job, leaseToken, leaseExpiresAtMs, leaseSeconds: (leaseExpiresAtMs - this.#book.nowMs) / 1000 };
  }
}
