/** Drives a whole server over HTTP, as any client would. Only the sweeper and retention are run by the test's hand. */
import type { EventDetail, EventKind } from '../../src/domain/events.ts';
import { LEASE_LOST_REASONS, OPERATOR_ACTIONS } from '../../src/domain/failures.ts';
import type { Start } from '../../src/domain/idempotency.ts';
import { ATTEMPT_OUTCOMES, type Attempt, JOB_STATES, type JobError, type JobState, type TenantId } from '../../src/domain/job.ts';
import { canonicalJson } from '../../src/domain/json.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { BulkAnswer, IdleReason, QueueStats } from '../../src/store/answers.ts';
import type { BulkRequest } from '../../src/store/requests.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Answer, ClaimView, DriverMaker, EventView, FailedView, JobView, QueueDriver, Refusal, RenewedView, SettledView } from './driver.ts';
import { type DocumentName, DOCUMENTS, type ErrorNode, type FailureNode, type JobNode, type ResultNode } from './graphql-documents.ts';
import { retainAll, sweepAll } from './repository-driver.ts';

type Call = <Result>(tenant: TenantId, document: DocumentName, variables: object) => Promise<Result>;
interface SettledNode {
  readonly job: JobNode;
  readonly replayed: boolean;
}

const NO_JOBS = { queued: 0, running: 0, retry: 0, completed: 0, dead: 0, cancelled: 0 };

export const graphqlDriver: DriverMaker = { name: 'a server over HTTP', make: () => makeDriver(true) };
/** The same without the short way of plain requests. */
export const longWayDriver: DriverMaker = { name: 'a server over HTTP, the long way', make: () => makeDriver(false) };

async function makeDriver(shortWay: boolean): Promise<QueueDriver> {
  let whole: LeaseRepository | null = null;
  const app = await startApp({
    shortWay,
    spoil: (store) => {
      whole = store;
      return {
        ...store,
        sweep: async () => ({ expired: 0, promoted: 0, hasMore: false, nextDueAtMs: null }),
        retain: async () => ({ removed: 0, hasMore: false }),
      };
    },
  });
  if (whole === null) throw new Error('the server was started without a store');
  return driverOf(app, whole);
}

function caller(app: TestApp): Call {
  return async (tenant, document, variables) => {
    const { data, errors, text } = await app.graphql(DOCUMENTS[document], variables, { 'x-leasequeue-tenant': tenant });
    if (errors.length > 0) throw new Error(`${document} was answered with errors: ${text}`);
    return data[document === 'attempts' ? 'job' : document === 'queueStats' ? 'queue' : document];
  };
}

function driverOf(app: TestApp, store: LeaseRepository): QueueDriver {
  const call = caller(app);
  return {
    clock: app.clock,
    ...workerVerbs(call),
    ...operatorVerbs(call),
    ...reads(call),
    async submit(tenant, requests, allOrNothing) {
      const jobs = requests.map(({ payloadJson, start, idempotencyKey, ...request }) => ({
        ...request,
        idempotencyKey: recognisable(idempotencyKey),
        payload: parsed(payloadJson),
        start: startInput(start),
      }));
      type Node = ResultNode<{ readonly job: JobNode; readonly deduplicated: boolean }>;
      const { results } = await call<{ results: readonly Node[] }>(tenant, 'submitJobs', {
        input: { jobs, onFailure: allOrNothing ? 'ALL_OR_NOTHING' : 'STORE_GOOD' },
      });
      return results.map((result) => answered(result, ({ job, deduplicated }) => ({ job: view(job), deduplicated })));
    },
    sweep: () => sweepAll(store),
    retain: () => retainAll(store),
    close: () => app.app.stop(),
  };
}

/** As it is sent: so long that wherever it came back it would be seen. An empty one stays wrong. */
const recognisable = (word: string | null): string | null => (word === null || word === '' ? word : `recognisable-${word}`);

function workerVerbs(call: Call): Pick<QueueDriver, 'claim' | 'heartbeat' | 'complete' | 'fail' | 'release'> {
  return {
    async claim(tenant, { completing, requestId, ...request }): Promise<ClaimView> {
      const input = {
        ...request,
        requestId: recognisable(requestId),
        completing: completing.map(({ resultJson, ...held }) => ({ ...held, result: parsed(resultJson) })),
      };
      type Lease = { readonly job: JobNode; readonly leaseToken: string; readonly leaseExpiresAt: string; readonly attempt: number; readonly fence: number };
      type Payload = {
        readonly completed: readonly ResultNode<SettledNode>[];
        readonly leases: readonly Lease[];
        readonly idle: string | null;
        readonly pollAgainInMs: number;
      };
      const { completed, leases, idle, pollAgainInMs } = await call<Payload>(tenant, 'claimJobs', { input });
      return {
        completed: completed.map(settled),
        leases: leases.map(({ job, leaseToken, leaseExpiresAt, attempt, fence }) => {
          if (attempt !== job.attempt || fence !== job.fence)
            throw new Error(`the lease says attempt ${attempt} and fence ${fence}, its job ${job.attempt} and ${job.fence}`);
          return { job: view(job), leaseToken, leaseExpiresAtMs: Date.parse(leaseExpiresAt) };
        }),
        idle: idle === null ? null : (idle.toLowerCase() as IdleReason),
        pollAgainInMs,
      };
    },
    async heartbeat(tenant, requests): Promise<readonly Answer<RenewedView>[]> {
      type Node = ResultNode<{ readonly leaseExpiresAt: string; readonly cancelRequested: boolean; readonly cancelReason: string | null }>;
      const { results } = await call<{ results: readonly Node[] }>(tenant, 'heartbeat', { input: { leases: requests } });
      return results.map((result) =>
        answered(result, ({ leaseExpiresAt, cancelRequested, cancelReason }) => ({
          leaseExpiresAtMs: Date.parse(leaseExpiresAt),
          cancelRequested,
          cancelReason,
        })),
      );
    },
    async complete(tenant, requests) {
      const jobs = requests.map(({ resultJson, ...held }) => ({ ...held, result: parsed(resultJson) }));
      return (await call<{ results: readonly ResultNode<SettledNode>[] }>(tenant, 'completeJobs', { input: { jobs } })).results.map(settled);
    },
    async fail(tenant, { error: { detailsJson, ...error }, ...request }): Promise<Answer<FailedView>> {
      type Node = ResultNode<SettledNode & { readonly retryAt: string | null; readonly deadLettered: boolean }>;
      const result = await call<Node>(tenant, 'failJob', { input: { ...request, error: { ...error, details: parsed(detailsJson) } } });
      return answered(result, ({ job, replayed, retryAt, deadLettered }) => ({ job: view(job), replayed, deadLettered, retryAtMs: instant(retryAt) }));
    },
    async release(tenant, requests) {
      const answers: Answer<SettledView>[] = [];
      for (const request of requests) answers.push(settled(await call<ResultNode<SettledNode>>(tenant, 'releaseJob', { input: request })));
      return answers;
    },
  };
}

function operatorVerbs(call: Call): Pick<QueueDriver, 'cancel' | 'redrive' | 'reschedule' | 'bulk' | 'configure' | 'pause' | 'resume'> {
  type Changed = ResultNode<{ readonly job: JobNode; readonly finished: boolean }>;
  const changed = (result: Changed): Answer<{ readonly job: JobView }> => answered(result, ({ job }) => ({ job: view(job) }));
  return {
    async cancel(tenant, { jobId: id, ...request }) {
      const result = await call<Changed>(tenant, 'cancelJob', { input: { id, ...request } });
      return answered(result, ({ job, finished }) => ({ job: view(job), finished }));
    },
    async redrive(tenant, { jobId: id, start, payloadJson, ...request }) {
      return changed(await call<Changed>(tenant, 'redriveJob', { input: { id, start: startInput(start), payload: parsed(payloadJson), ...request } }));
    },
    async reschedule(tenant, { jobId: id, start, ...request }) {
      return changed(await call<Changed>(tenant, 'rescheduleJob', { input: { id, start: startInput(start), ...request } }));
    },
    bulk: (tenant, request) => call<BulkAnswer>(tenant, `${request.action.name}Jobs`, { input: bulkInput(request) }),
    async configure(tenant, { retention, defaults, ...request }) {
      type Node = ResultNode<{ readonly queue: { readonly version: number } }>;
      return answered(await call<Node>(tenant, 'configureQueue', { input: { ...request, retention, defaults } }), ({ queue }) => ({ version: queue.version }));
    },
    async pause(tenant, name, reason) {
      return answered(await call<ResultNode<{ readonly changed: boolean }>>(tenant, 'pauseQueue', { input: { name, reason } }), (state) => ({
        changed: state.changed,
      }));
    },
    async resume(tenant, name) {
      return answered(await call<ResultNode<{ readonly changed: boolean }>>(tenant, 'resumeQueue', { input: { name } }), (state) => ({
        changed: state.changed,
      }));
    },
  };
}

function bulkInput({ target, action: { name: _name, ...action }, limit, dryRun }: BulkRequest): object {
  const wanted =
    'ids' in target
      ? target
      : { filter: { ...target.filter, ...(target.filter.states !== undefined && { states: target.filter.states.map((state) => state.toUpperCase()) }) } };
  return { target: wanted, limit, dryRun, ...action };
}

function reads(call: Call): Pick<QueueDriver, 'job' | 'events' | 'attempts' | 'stats'> {
  return {
    async job(tenant, id) {
      const job = await call<JobNode | null>(tenant, 'job', { id });
      return job === null ? null : view(job);
    },
    async events(tenant, jobId) {
      type Page = { readonly nodes: readonly EventNode[]; readonly gap: unknown; readonly cursor: string; readonly hasMore: boolean };
      const events: EventView[] = [];
      for (let after: string | null = null, hasMore = true; hasMore; ) {
        const page: Page = await call<Page>(tenant, 'jobEvents', { after, filter: { jobIds: [jobId] } });
        if (page.gap !== null) throw new Error('reading from the oldest event gave a gap');
        events.push(...page.nodes.map(eventView));
        ({ cursor: after, hasMore } = page);
      }
      return events;
    },
    async attempts(tenant, jobId) {
      const job = await call<{ readonly attempts: { readonly nodes: readonly AttemptNode[] } } | null>(tenant, 'attempts', { id: jobId });
      return (job?.attempts.nodes ?? []).map(attemptView).toReversed();
    },
    async stats(tenant, name) {
      const queue = await call<{ readonly stats: Omit<QueueStats, 'throughput' | 'lastHour'> } | null>(tenant, 'queueStats', { name });
      return queue?.stats ?? { counts: NO_JOBS, ready: 0, delayed: 0, oldestReadySeconds: null };
    },
  };
}

interface DetailNode extends Omit<EventDetail, 'runAtMs' | 'leaseExpiresAtMs'> {
  readonly runAt?: string;
  readonly leaseExpiresAt?: string;
}
interface EventNode {
  readonly kind: EventKind;
  readonly fromState: string | null;
  readonly toState: string;
  readonly attempt: number;
  readonly fence: number;
  readonly workerId: string | null;
  readonly at: string;
  readonly detail: DetailNode | null;
}
interface AttemptNode {
  readonly number: number;
  readonly fence: number;
  readonly workerId: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly lastHeartbeatAt: string | null;
  readonly deadLetterGroupId: string | null;
  readonly outcome: string;
  readonly error: ErrorNode | null;
}

function detailView({ runAt, leaseExpiresAt, ...same }: DetailNode): EventDetail {
  return {
    ...same,
    ...(runAt !== undefined && { runAtMs: Date.parse(runAt) }),
    ...(leaseExpiresAt !== undefined && { leaseExpiresAtMs: Date.parse(leaseExpiresAt) }),
  };
}

function eventView({ fromState, toState, at, detail, ...event }: EventNode): EventView {
  return {
    ...event,
    detail: detail && detailView(detail),
    fromState: fromState === null ? null : stateOf(fromState),
    toState: stateOf(toState),
    atMs: Date.parse(at),
  };
}

function attemptView({ startedAt, finishedAt, lastHeartbeatAt, outcome, error, deadLetterGroupId, ...attempt }: AttemptNode): Attempt {
  return {
    ...attempt,
    startedAtMs: Date.parse(startedAt),
    finishedAtMs: instant(finishedAt),
    lastHeartbeatAtMs: instant(lastHeartbeatAt),
    outcome: lowerCase(['running', ...ATTEMPT_OUTCOMES] as const, outcome),
    error: errorView(error),
    errorGroup: deadLetterGroupId,
  };
}

function view(job: JobNode): JobView {
  const {
    queueName,
    state,
    payload,
    result,
    runAt,
    createdAt,
    finishedAt,
    purgeAt,
    lastError,
    progress,
    lease,
    cancelRequestedAt,
    ready: _ready,
    ...same
  } = job;
  return {
    ...same,
    queue: queueName,
    state: stateOf(state),
    payloadJson: canonicalJson(payload),
    resultJson: result === null ? null : canonicalJson(result),
    runAtMs: Date.parse(runAt),
    progress: progress === null ? null : { percent: progress.percent, note: progress.note, updatedAtMs: Date.parse(progress.updatedAt) },
    lease: lease === null ? null : { workerId: lease.workerId, expiresAtMs: Date.parse(lease.expiresAt), renewals: lease.renewals },
    isCancelRequested: cancelRequestedAt !== null,
    lastError: errorView(lastError),
    createdAtMs: Date.parse(createdAt),
    finishedAtMs: instant(finishedAt),
    purgeAtMs: instant(purgeAt),
  };
}

function errorView(error: ErrorNode | null): JobError | null {
  if (error === null) return null;
  const { type, message, details, at } = error;
  return { type, message, detailsJson: details === null ? null : canonicalJson(details), atMs: Date.parse(at) };
}

function settled(result: ResultNode<SettledNode>): Answer<SettledView> {
  return answered(result, ({ job, replayed }) => ({ job: view(job), replayed }));
}

function answered<Success, Shown>(result: ResultNode<Success>, show: (success: Success) => Shown): Answer<Shown> {
  return result.code === undefined ? { ok: true, value: show(result) } : { ok: false, failure: refusal(result) };
}

function refusal(node: FailureNode): Refusal {
  const { code, jobId, reason, state, attempt, from, attempted } = node;
  switch (code) {
    case 'JOB_NOT_FOUND':
      return { code, jobId };
    case 'LEASE_LOST':
      return { code, jobId, reason: lowerCase(LEASE_LOST_REASONS, reason), state: stateOf(state), attempt };
    case 'INVALID_TRANSITION':
      return { code, jobId, from: stateOf(from), attempted: lowerCase(OPERATOR_ACTIONS, attempted) };
    case 'IDEMPOTENCY_CONFLICT':
      return { code, existingJob: view(node.existingJob), differingFields: node.differingFields };
    case 'BATCH_ROLLED_BACK':
      return { code };
    case 'QUEUE_NOT_FOUND':
      return { code, name: node.name };
    case 'VERSION_CONFLICT':
      return { code, currentVersion: node.currentVersion };
    default:
      throw new Error(`a failure with the code ${code}`);
  }
}

/** The domain's word for an enum's value. */
function lowerCase<Word extends string>(words: readonly Word[], value: string): Word {
  const found = words.find((word) => word === value.toLowerCase());
  if (found === undefined) throw new Error(`${value} is none of ${words.join(', ')}`);
  return found;
}

function stateOf(value: string): JobState {
  return lowerCase(JOB_STATES, value);
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}

function startInput(start: Start | null): object | null {
  return start === null || 'inSeconds' in start ? start : { at: new Date(start.atMs).toISOString() };
}
