/** Drives whatever answers like the lease repository: the repository itself, and the model of it. */
import type { JobEvent } from '../../src/domain/events.ts';
import type { Failure, Outcome } from '../../src/domain/failures.ts';
import type { Job, TenantId } from '../../src/domain/job.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { NOBODY } from '../support/tenants.ts';
import type { Answer, JobView, QueueDriver, Refusal } from './driver.ts';

/** The part of the repository that moves jobs and tells what became of them. */
export type DrivenRepository = Pick<
  LeaseRepository,
  | 'submit'
  | 'claim'
  | 'heartbeat'
  | 'complete'
  | 'fail'
  | 'release'
  | 'cancel'
  | 'redrive'
  | 'reschedule'
  | 'bulk'
  | 'configureQueue'
  | 'pauseQueue'
  | 'resumeQueue'
  | 'jobById'
  | 'attempts'
  | 'timeline'
  | 'eventsAfter'
  | 'queueStats'
  | 'sweep'
  | 'retain'
  | 'close'
>;

/** The whole of a list that a test can have. */
export const WHOLE_PAGE = { after: null, before: null, limit: 100, fromEnd: false };

function viewOf(job: Job): JobView {
  const { lease, cancelRequestedAtMs, cancelReason: _reason, releasesInRow: _releases, idempotentUntilMs: _until, updatedAtMs: _updated, ...shown } = job;
  return {
    ...shown,
    lease: lease === null ? null : { workerId: lease.workerId, expiresAtMs: lease.expiresAtMs, renewals: lease.renewals },
    isCancelRequested: cancelRequestedAtMs !== null,
  };
}

function refusalOf(failure: Failure): Refusal {
  return failure.code === 'IDEMPOTENCY_CONFLICT' ? { ...failure, existingJob: viewOf(failure.existingJob) } : failure;
}

function answered<Value, Shown>(outcome: Outcome<Value, Failure>, show: (value: Value) => Shown): Answer<Shown> {
  return outcome.ok ? { ok: true, value: show(outcome.value) } : { ok: false, failure: refusalOf(outcome.failure) };
}

function withView<Value extends { readonly job: Job }>(value: Value): Omit<Value, 'job'> & { readonly job: JobView } {
  return { ...value, job: viewOf(value.job) };
}

/** Everything in the tenant's log about one job, read page by page. A purged job's last event is only there. */
async function eventsOf(repository: DrivenRepository, tenant: TenantId, jobId: string): Promise<readonly JobEvent[]> {
  const events: JobEvent[] = [];
  for (
    let page = await repository.eventsAfter(tenant, null, { jobIds: [jobId] }, 100);
    ;
    page = await repository.eventsAfter(tenant, page.position, { jobIds: [jobId] }, 100)
  ) {
    events.push(...page.events);
    if (!page.hasMore) return events;
  }
}

export async function sweepAll(repository: Pick<DrivenRepository, 'sweep'>): Promise<number> {
  let expired = 0;
  for (let hasMore = true; hasMore; ) {
    const report = await repository.sweep();
    expired += report.expired;
    hasMore = report.hasMore;
  }
  return expired;
}

export async function retainAll(repository: Pick<DrivenRepository, 'retain'>): Promise<number> {
  let removed = 0;
  for (let hasMore = true; hasMore; ) {
    const step = await repository.retain();
    removed += step.removed;
    hasMore = step.hasMore;
  }
  return removed;
}

export function repositoryDriver(repository: DrivenRepository, clock: ManualClock): QueueDriver {
  return {
    clock,
    submit: async (tenant, requests, allOrNothing) =>
      (await repository.submit(tenant, NOBODY, requests, allOrNothing)).map((outcome) => answered(outcome, withView)),
    async claim(tenant, request) {
      const { completed, leases, idle, pollAgainInMs } = await repository.claim(tenant, NOBODY, request);
      return { completed: completed.map((outcome) => answered(outcome, withView)), leases: leases.map(withView), idle, pollAgainInMs };
    },
    heartbeat: async (tenant, requests) =>
      (await repository.heartbeat(tenant, NOBODY, requests)).results.map((outcome) => answered(outcome, (renewed) => renewed)),
    complete: async (tenant, requests) => (await repository.complete(tenant, NOBODY, requests)).map((outcome) => answered(outcome, withView)),
    fail: async (tenant, request) => answered(await repository.fail(tenant, NOBODY, request), withView),
    release: async (tenant, requests) => (await repository.release(tenant, NOBODY, requests)).map((outcome) => answered(outcome, withView)),
    cancel: async (tenant, request) => answered(await repository.cancel(tenant, NOBODY, request), withView),
    redrive: async (tenant, request) => answered(await repository.redrive(tenant, NOBODY, request), withView),
    reschedule: async (tenant, request) => answered(await repository.reschedule(tenant, NOBODY, request), withView),
    bulk: (tenant, request) => repository.bulk(tenant, NOBODY, request),
    configure: async (tenant, request) => answered(await repository.configureQueue(tenant, NOBODY, request), ({ queue }) => ({ version: queue.version })),
    pause: async (tenant, queue, reason) => answered(await repository.pauseQueue(tenant, NOBODY, queue, reason), ({ changed }) => ({ changed })),
    resume: async (tenant, queue) => answered(await repository.resumeQueue(tenant, NOBODY, queue), ({ changed }) => ({ changed })),
    sweep: () => sweepAll(repository),
    retain: () => retainAll(repository),
    async job(tenant, id) {
      const job = await repository.jobById(tenant, id);
      return job === null ? null : viewOf(job);
    },
    events: (tenant, jobId) => eventsOf(repository, tenant, jobId),
    async attempts(tenant, jobId) {
      const job = await repository.jobById(tenant, jobId);
      if (job === null) return [];
      return (await repository.attempts(tenant, job, WHOLE_PAGE)).rows.map(({ row }) => row).toReversed();
    },
    async stats(tenant, queue) {
      const { throughput: _throughput, lastHour: _lastHour, ...stats } = await repository.queueStats(tenant, queue);
      return stats;
    },
    close: () => repository.close(),
  };
}
