/** Every metric that this server has of its own, declared once: the instruments and the documentation are made from it. */

export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, for a histogram. */
  readonly buckets?: readonly number[];
}

/** Seconds. From a fast commit to a slow disk. */
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Seconds. From at once to a day. */
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];
const LAG_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export const METRICS = {
  up: { name: 'leasequeue_up', type: 'gauge', help: '1 if the store answered this scrape, 0 if the figures of queues are missing from it.', labels: [] },
  jobs: {
    name: 'leasequeue_jobs',
    type: 'gauge',
    help: 'Jobs kept, by state. Queues beyond the biggest 200 are added up as "other".',
    labels: ['queue', 'state'],
  },
  ready: { name: 'leasequeue_ready_jobs', type: 'gauge', help: 'Jobs waiting and due.', labels: ['queue'] },
  delayed: { name: 'leasequeue_delayed_jobs', type: 'gauge', help: 'Jobs waiting for a time that has not come.', labels: ['queue'] },
  oldestReady: {
    name: 'leasequeue_oldest_ready_age_seconds',
    type: 'gauge',
    help: 'How long the oldest job that a claim could take has been due. Absent where there is none.',
    labels: ['queue'],
  },
  transitions: {
    name: 'leasequeue_transitions_total',
    type: 'counter',
    help: 'Transitions since the start of the process, by the kind of their event. Queues beyond the first 200 seen are counted as "other".',
    labels: ['kind', 'queue'],
  },
  claimWait: {
    name: 'leasequeue_claim_wait_seconds',
    type: 'histogram',
    help: 'From the time a job was due until its claim.',
    labels: [],
    buckets: WORK_SECONDS,
  },
  run: {
    name: 'leasequeue_run_seconds',
    type: 'histogram',
    help: 'From the claim to the end of the attempt, whatever the end.',
    labels: [],
    buckets: WORK_SECONDS,
  },
  failures: { name: 'leasequeue_failures_total', type: 'counter', help: 'Expected failures that operations answered with, by code.', labels: ['code'] },
  quotaRefusals: {
    name: 'leasequeue_quota_refusals_total',
    type: 'counter',
    help: 'What was refused because a tenant was at a quota, by the quota.',
    labels: ['quota'],
  },
  tenantQuota: {
    name: 'leasequeue_tenant_quota',
    type: 'gauge',
    help: 'The quotas of tenants. Only with LEASEQUEUE_METRIC_TENANTS, of as many tenants as it says.',
    labels: ['tenant', 'quota'],
  },
  tenantUse: {
    name: 'leasequeue_tenant_use',
    type: 'gauge',
    help: 'What tenants use of their quotas, in the units of the quota; rates have none. Only with LEASEQUEUE_METRIC_TENANTS.',
    labels: ['tenant', 'quota'],
  },
  leaseExpiries: { name: 'leasequeue_lease_expiries_total', type: 'counter', help: 'Leases that lapsed.', labels: ['queue'] },
  deduplicated: {
    name: 'leasequeue_deduplicated_total',
    type: 'counter',
    help: 'Submissions answered from an idempotency key, or from the request id of their call.',
    labels: [],
  },
  commit: {
    name: 'leasequeue_commit_seconds',
    type: 'histogram',
    help: 'From the start of a write transaction until it was durable.',
    labels: [],
    buckets: COMMIT_SECONDS,
  },
  commitOperations: { name: 'leasequeue_commit_operations', type: 'histogram', help: 'Operations that shared a commit.', labels: [], buckets: GROUP_SIZES },
  logBytes: {
    name: 'leasequeue_write_ahead_log_bytes',
    type: 'gauge',
    help: 'Written to the write-ahead log since it last started over. Grows while somebody reads from its beginning, such as a backup.',
    labels: [],
  },
  checkpoints: {
    name: 'leasequeue_checkpoints_total',
    type: 'counter',
    help: 'Copies of the write-ahead log into the database file: "background" beside commits, "writer" between two of them.',
    labels: ['by'],
  },
  subscribers: { name: 'leasequeue_subscribers', type: 'gauge', help: 'Open event feeds.', labels: ['transport'] },
  eventLag: {
    name: 'leasequeue_event_lag_seconds',
    type: 'histogram',
    help: 'From a live event until it was handed to a subscriber.',
    labels: [],
    buckets: LAG_SECONDS,
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
