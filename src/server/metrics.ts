/**
 * The figures of one server, in a registry of its own, so that two servers in one process do not meet. Fed by commits,
 * by feeds and by the operations' answers; the figures of queues are read when somebody asks. Labels stay bounded.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { QUOTA_NAMES, type QuotaName } from '../domain/access.ts';
import { type Failure, FAILURES } from '../domain/failures.ts';
import { JOB_STATES } from '../domain/job.ts';
import { LIMITS } from '../domain/limits.ts';
import type { FeedObserver } from '../feed/tail.ts';
import type { Clock } from '../runtime/clock.ts';
import type { CommitReport, LogFigures, QueueGauge, StoreUpkeep } from '../store/housekeeping.ts';
import { type Transport, TRANSPORTS } from './exchange.ts';
import { type MetricDefinition, METRICS } from './metric-table.ts';
import { figuresOf, type TenantGauge } from './tenant-gauges.ts';
import { within } from './within.ts';

/** A scraper gets an answer within two seconds, with the store's figures or without. */
const GAUGES_MS_MAX = 1_500;

function createInstruments(registry: Registry) {
  const options = ({ name, help, labels }: MetricDefinition) => ({ name, help, labelNames: [...labels], registers: [registry] });
  const histogram = (metric: MetricDefinition) => new Histogram({ ...options(metric), buckets: [...(metric.buckets ?? [])] });
  return {
    up: new Gauge(options(METRICS.up)),
    jobs: new Gauge(options(METRICS.jobs)),
    ready: new Gauge(options(METRICS.ready)),
    delayed: new Gauge(options(METRICS.delayed)),
    oldestReady: new Gauge(options(METRICS.oldestReady)),
    transitions: new Counter(options(METRICS.transitions)),
    claimWait: histogram(METRICS.claimWait),
    run: histogram(METRICS.run),
    failures: new Counter(options(METRICS.failures)),
    quotaRefusals: new Counter(options(METRICS.quotaRefusals)),
    tenantQuota: new Gauge(options(METRICS.tenantQuota)),
    tenantUse: new Gauge(options(METRICS.tenantUse)),
    leaseExpiries: new Counter(options(METRICS.leaseExpiries)),
    deduplicated: new Counter(options(METRICS.deduplicated)),
    commit: histogram(METRICS.commit),
    commitOperations: histogram(METRICS.commitOperations),
    logBytes: new Gauge(options(METRICS.logBytes)),
    checkpoints: new Counter(options(METRICS.checkpoints)),
    subscribers: new Gauge(options(METRICS.subscribers)),
    eventLag: histogram(METRICS.eventLag),
  };
}

export interface MetricsParts {
  readonly store: Pick<StoreUpkeep, 'gauges' | 'logFigures'>;
  readonly tenantGauges: () => Promise<readonly TenantGauge[]>;
  /** Of the store: events carry its instants. */
  readonly nowMs: () => number;
  /** For the time limit of a reading. */
  readonly clock: Pick<Clock, 'sleep'>;
}

export class Metrics {
  readonly #parts: MetricsParts;
  readonly #registry = new Registry();
  readonly #instruments = createInstruments(this.#registry);
  readonly #queues = new Set<string>();
  #reading: Promise<readonly QueueGauge[]> | null = null;
  #readingTenants: Promise<readonly TenantGauge[]> | null = null;
  #page: Promise<string> | null = null;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    collectDefaultMetrics({ register: this.#registry });
    // A series that starts with its first increase looks as if nothing had happened before.
    for (const code of Object.keys(FAILURES)) this.#instruments.failures.inc({ code }, 0);
    for (const quota of QUOTA_NAMES) this.#instruments.quotaRefusals.inc({ quota }, 0);
    for (const transport of TRANSPORTS) this.#instruments.subscribers.set({ transport }, 0);
  }

  recordCommit({ operations, durationMs, events, deduplicated }: CommitReport): void {
    const { commit, commitOperations, transitions, claimWait, run, leaseExpiries, deduplicated: known } = this.#instruments;
    commit.observe(durationMs / 1_000);
    commitOperations.observe(operations);
    known.inc(deduplicated);
    for (const { queue: name, kind, waitMs, runMs } of events) {
      const queue = this.#queueLabel(name);
      transitions.inc({ kind, queue });
      if (kind === 'LEASE_EXPIRED') leaseExpiries.inc({ queue });
      if (waitMs !== null) claimWait.observe(waitMs / 1_000);
      if (runMs !== null) run.observe(runMs / 1_000);
    }
  }

  recordFailure(failure: Pick<Failure, 'code'>): void {
    this.#instruments.failures.inc({ code: failure.code });
    if ('quota' in failure && typeof failure.quota === 'string') this.#instruments.quotaRefusals.inc({ quota: failure.quota });
  }

  recordQuotaRefusal(quota: QuotaName): void {
    this.#instruments.quotaRefusals.inc({ quota });
  }

  /** Counts the feeds of a transport, and how late their live events are. */
  feedObserver(transport: Transport): FeedObserver {
    const { subscribers, eventLag } = this.#instruments;
    return {
      opened: () => subscribers.inc({ transport }),
      delivered: (events) => {
        const nowMs = this.#parts.nowMs();
        for (const { atMs } of events) eventLag.observe(Math.max(0, nowMs - atMs) / 1_000);
      },
      closed: () => subscribers.dec({ transport }),
    };
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The page in Prometheus' text format. However many ask at once, it is made once. Never rejects for the store's sake. */
  page(): Promise<string> {
    this.#page ??= this.#makePage().finally(() => {
      this.#page = null;
    });
    return this.#page;
  }

  close(): void {
    this.#registry.clear();
  }

  async #makePage(): Promise<string> {
    const [queues, tenants] = await Promise.all([this.#readGauges(), this.#readTenants()]);
    this.#showGauges(queues);
    this.#showTenants(tenants ?? []);
    this.#showLog(this.#parts.store.logFigures());
    return this.#registry.metrics();
  }

  /** Null where the store did not answer in time or at all. A reading that hangs is waited for, not repeated. */
  async #readGauges(): Promise<readonly QueueGauge[] | null> {
    this.#reading ??= this.#parts.store.gauges(LIMITS.metricQueuesMax).finally(() => {
      this.#reading = null;
    });
    return this.#inTime(this.#reading);
  }

  #readTenants(): Promise<readonly TenantGauge[] | null> {
    this.#readingTenants ??= this.#parts.tenantGauges().finally(() => {
      this.#readingTenants = null;
    });
    return this.#inTime(this.#readingTenants);
  }

  async #inTime<Read>(reading: Promise<Read>): Promise<Read | null> {
    try {
      const read = await within(reading, GAUGES_MS_MAX, this.#parts.clock);
      return read === 'late' ? null : read.value;
    } catch {
      return null;
    }
  }

  #showTenants(gauges: readonly TenantGauge[]): void {
    const { tenantQuota, tenantUse } = this.#instruments;
    for (const gauge of [tenantQuota, tenantUse]) gauge.reset();
    for (const gauge of gauges) {
      for (const { quota, limit, used } of figuresOf(gauge)) {
        tenantQuota.set({ tenant: gauge.tenant, quota }, limit);
        if (used !== null) tenantUse.set({ tenant: gauge.tenant, quota }, used);
      }
    }
  }

  /** Missing figures are left out: a zero, or an old number, would look healthy. */
  #showGauges(gauges: readonly QueueGauge[] | null): void {
    const { up, jobs, ready, delayed, oldestReady } = this.#instruments;
    for (const gauge of [jobs, ready, delayed, oldestReady]) gauge.reset();
    up.set(gauges === null ? 0 : 1);
    const oldest = new Map<string, number>();
    for (const { queue, counts, ready: readyJobs, delayed: delayedJobs, oldestReadySeconds } of gauges ?? []) {
      // Tenants may have queues of the same name, which share a label.
      for (const state of JOB_STATES) jobs.inc({ queue, state }, counts[state]);
      ready.inc({ queue }, readyJobs);
      delayed.inc({ queue }, delayedJobs);
      if (oldestReadySeconds !== null) oldest.set(queue, Math.max(oldest.get(queue) ?? 0, oldestReadySeconds));
    }
    for (const [queue, seconds] of oldest) oldestReady.set({ queue }, seconds);
  }

  #showLog({ bytes, checkpoints: { background, writer } }: LogFigures): void {
    const { logBytes, checkpoints } = this.#instruments;
    logBytes.set(bytes);
    checkpoints.reset();
    checkpoints.inc({ by: 'background' }, background);
    checkpoints.inc({ by: 'writer' }, writer);
  }

  #queueLabel(queue: string): string {
    if (this.#queues.has(queue)) return queue;
    if (this.#queues.size >= LIMITS.metricQueuesMax) return 'other';
    this.#queues.add(queue);
    return queue;
  }
}
