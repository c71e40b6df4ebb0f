/**
 * What must not be there: each query answers with rows that break a rule of the store, none where it holds. They look at
 * all tenants, and each looks at a whole table: for a handle beside the writer only.
 */
import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../domain/limits.ts';

/** `found` is the rest of a sentence about `what`. */
export interface Breach {
  readonly tenant: string;
  readonly what: string;
  readonly found: string;
}

export interface RowCheck {
  readonly name: string;
  /** What holds, for people. */
  readonly rule: string;
  /** What breaks it, without an order and without a limit. */
  readonly breaches: RawBuilder<Breach>;
}

const LEASE_COLUMNS = ['worker_id', 'token_hash', 'expires_at_ms', 'seconds', 'started_at_ms', 'renewals', 'claimed_from'].map((name) => `lease_${name}`);
const LEASE_COLUMNS_SET = sql.raw(LEASE_COLUMNS.map((name) => `(case when ${name} is null then 0 else 1 end)`).join(' + '));
/** Which jobs each counter counts. */
const COUNTED = {
  queued: "state = 'queued'",
  running: "state = 'running'",
  retry: "state = 'retry'",
  completed: "state = 'completed'",
  dead: "state = 'dead'",
  cancelled: "state = 'cancelled'",
  ready: "waiting = 'due'",
  delayed: "waiting = 'delayed'",
} as const;
const COUNTERS = Object.keys(COUNTED) as readonly (keyof typeof COUNTED)[];

/** Column names and no values: they are constants of this file. */
function columns(text: (name: (typeof COUNTERS)[number]) => string, separator: string): RawBuilder<unknown> {
  return sql.raw(COUNTERS.map(text).join(separator));
}

const leases: RowCheck = {
  name: 'leases',
  rule: 'a job has a lease if and only if it runs',
  breaches: sql`
    select tenant_id as tenant, 'job ' || id as what,
      case when state = 'running' then 'runs, and its lease is not whole' else 'does not run, and has a part of a lease' end as found
    from jobs
    where (state = 'running' and (${LEASE_COLUMNS_SET}) < ${sql.lit(LEASE_COLUMNS.length)})
      or (state <> 'running' and (${LEASE_COLUMNS_SET} + (case when lease_request_id is null then 0 else 1 end)) > 0)`,
};

const counters: RowCheck = {
  name: 'counters',
  rule: 'the counters of each queue equal a count of its jobs',
  breaches: sql`
    with counted as (
      select tenant_id, queue_name,
        ${columns((name) => `count(case when ${COUNTED[name]} then 1 end) as ${name}`, ', ')}
      from jobs group by tenant_id, queue_name
    ), compared as (
      select kept.tenant_id, kept.queue_name, ${columns((name) => `kept.${name} as kept_${name}, coalesce(counted.${name}, 0) as counted_${name}`, ', ')}
      from queue_counters as kept left join counted on counted.tenant_id = kept.tenant_id and counted.queue_name = kept.queue_name
    )
    select tenant_id as tenant, 'queue ' || queue_name as what,
      'counts' || ${columns((name) => `case when kept_${name} = counted_${name} then '' else ' ' || kept_${name} || ' ${name}, of which there are ' || counted_${name} || ';' end`, ' || ')} as found
    from compared where ${columns((name) => `kept_${name} <> counted_${name}`, ' or ')}
    union all
    select counted.tenant_id, 'queue ' || counted.queue_name, 'has jobs and no counters'
    from counted left join queue_counters as kept on kept.tenant_id = counted.tenant_id and kept.queue_name = counted.queue_name
    where kept.queue_name is null`,
};

const workers: RowCheck = {
  name: 'workers',
  rule: 'each worker holds as many leases as it is said to',
  breaches: sql`
    with held as (
      select tenant_id, lease_worker_id as id, count(*) as running from jobs where lease_expires_at_ms is not null group by tenant_id, lease_worker_id
    )
    select kept.tenant_id as tenant, 'worker ' || kept.id as what,
      'is said to hold ' || kept.running || ' leases, and holds ' || coalesce(held.running, 0) as found
    from workers as kept left join held on held.tenant_id = kept.tenant_id and held.id = kept.id
    where kept.running <> coalesce(held.running, 0)
    union all
    select held.tenant_id, 'worker ' || held.id, 'holds leases, and is not known'
    from held left join workers as kept on kept.tenant_id = held.tenant_id and kept.id = held.id
    where kept.id is null`,
};

const signs: RowCheck = {
  name: 'signs',
  rule: 'the signs of each worker are in order: first seen, last seen, silent',
  breaches: sql`
    select tenant_id as tenant, 'worker ' || id as what, 'was last seen before it was first seen, or is silent at once' as found
    from workers where last_seen_at_ms < first_seen_at_ms or silent_at_ms <= last_seen_at_ms`,
};

const usage: RowCheck = {
  name: 'usage',
  rule: 'what each tenant uses of its quotas equals a count of its jobs and queues',
  breaches: sql`
    with of_jobs as (
      select tenant_id, count(waiting) as waiting, sum(octet_length(payload) + coalesce(octet_length(result), 0)) as stored_bytes
      from jobs group by tenant_id
    ), of_queues as (select tenant_id, count(*) as queues from queues group by tenant_id)
    select kept.tenant_id as tenant, 'the usage' as what,
      'says ' || kept.waiting || ' waiting jobs, ' || kept.queues || ' queues and ' || kept.stored_bytes || ' bytes, and there are '
        || coalesce(of_jobs.waiting, 0) || ', ' || coalesce(of_queues.queues, 0) || ' and ' || coalesce(of_jobs.stored_bytes, 0) as found
    from tenant_usage as kept
    left join of_jobs on of_jobs.tenant_id = kept.tenant_id
    left join of_queues on of_queues.tenant_id = kept.tenant_id
    where kept.waiting <> coalesce(of_jobs.waiting, 0) or kept.queues <> coalesce(of_queues.queues, 0)
      or kept.stored_bytes <> coalesce(of_jobs.stored_bytes, 0)`,
};

const owners: RowCheck = {
  name: 'owners',
  rule: 'each job has a queue, and whatever belongs to a tenant has one with its usage',
  breaches: sql`
    select job.tenant_id as tenant, 'job ' || job.id as what, 'is in queue ' || job.queue_name || ', which is not there' as found
    from jobs as job left join queues as queue on queue.tenant_id = job.tenant_id and queue.name = job.queue_name
    where queue.name is null
    union all
    select queue.tenant_id, 'queue ' || queue.name, 'belongs to a tenant that is not there'
    from queues as queue left join tenants as owner on owner.tenant_id = queue.tenant_id where owner.tenant_id is null
    union all
    select api_key.tenant_id, 'key ' || api_key.id, 'belongs to a tenant that is not there'
    from api_keys as api_key left join tenants as owner on owner.tenant_id = api_key.tenant_id where owner.tenant_id is null
    union all
    select owner.tenant_id, 'the tenant', 'has no usage'
    from tenants as owner left join tenant_usage as kept on kept.tenant_id = owner.tenant_id where kept.tenant_id is null`,
};

const tags: RowCheck = {
  name: 'tags',
  rule: 'the tags by which jobs are found are those of the jobs',
  breaches: sql`
    with indexed as (select tenant_id, job_seq, count(*) as tags from job_tags group by tenant_id, job_seq)
    select job.tenant_id as tenant, 'job ' || job.id as what,
      'has ' || coalesce(json_array_length(job.tags), 0) || ' tags, and is found by ' || coalesce(indexed.tags, 0) as found
    from jobs as job left join indexed on indexed.tenant_id = job.tenant_id and indexed.job_seq = job.seq
    where coalesce(json_array_length(job.tags), 0) <> coalesce(indexed.tags, 0)
    union all
    select indexed.tenant_id, 'job number ' || indexed.job_seq, 'is not there, and has tags'
    from indexed left join jobs as job on job.seq = indexed.job_seq and job.tenant_id = indexed.tenant_id
    where job.seq is null`,
};

const ledger: RowCheck = {
  name: 'ledger',
  rule: 'the ledger of each job has one line for each claim that ended',
  breaches: sql`
    with lines as (select tenant_id, job_seq, count(*) as ended, max(fence) as latest from attempts group by tenant_id, job_seq),
    claims as (select seq, tenant_id, id, fence - (case when state = 'running' then 1 else 0 end) as ended from jobs)
    select job.tenant_id as tenant, 'job ' || job.id as what,
      'was claimed and let go ' || job.ended || ' times, and its ledger has ' || coalesce(lines.ended, 0) || ' lines, up to claim '
        || coalesce(lines.latest, 0) as found
    from claims as job left join lines on lines.tenant_id = job.tenant_id and lines.job_seq = job.seq
    where job.ended <> coalesce(lines.ended, 0) or job.ended <> coalesce(lines.latest, 0)
    union all
    select lines.tenant_id, 'job number ' || lines.job_seq, 'is not there, and has a ledger'
    from lines left join jobs as job on job.seq = lines.job_seq and job.tenant_id = lines.tenant_id
    where job.seq is null`,
};

/** The last word about a purged job stands alone: the number of its row may have gone to another job since. */
const log: RowCheck = {
  name: 'log',
  rule: 'each event has its job, and its place in the log of its tenant',
  breaches: sql`
    select event.tenant_id as tenant, 'event ' || event.seq as what, 'is of job number ' || event.job_seq || ', which is not there' as found
    from events as event left join jobs as job on job.seq = event.job_seq and job.tenant_id = event.tenant_id
    where event.gone_job is null and job.seq is null
    union all
    select last.tenant_id, 'event ' || last.seq, 'is past the end of the log, which is ' || coalesce(head.last_seq, 0)
    from (select tenant_id, max(seq) as seq from events group by tenant_id) as last
    left join event_logs as head on head.tenant_id = last.tenant_id
    where last.seq > coalesce(head.last_seq, 0)`,
};

const audit: RowCheck = {
  name: 'audit',
  rule: 'what operators did, and what they hide, is of tenants that are there, readable, and no more than is kept',
  breaches: sql`
    select action.tenant_id as tenant, 'operator action ' || action.seq as what,
      case when owner.tenant_id is null then 'belongs to a tenant that is not there' else 'has a target that cannot be read' end as found
    from operator_actions as action left join tenants as owner on owner.tenant_id = action.tenant_id
    where owner.tenant_id is null or not json_valid(action.target)
    union all
    select tenant_id, 'the audit log', 'has ' || count(*) || ' entries' from operator_actions
    group by tenant_id having count(*) > ${sql.lit(LIMITS.operatorActionsMax)}
    union all
    select kept.tenant_id, 'the redaction rules',
      case when owner.tenant_id is null then 'belong to a tenant that is not there' else 'cannot be read' end
    from redaction_rules as kept left join tenants as owner on owner.tenant_id = kept.tenant_id
    where owner.tenant_id is null or not json_valid(kept.rules)`,
};

/** Compared a minute at a time; what may have begun to move into hours or out is left alone. */
const SUMMED = ['submitted', 'claimed', 'completed', 'failed', 'died', 'expired'] as const;
const SERIES_LOOKED_AT_MS = 90_000_000;
const named = (text: (name: (typeof SUMMED)[number]) => string, separator: string): RawBuilder<unknown> => sql.raw(SUMMED.map(text).join(separator));

const series: RowCheck = {
  name: 'series',
  rule: 'the figures of each minute of a tenant are those of its queues, none below zero',
  breaches: sql`
    with compared as (
      select tenant_id, bucket_ms, ${named((name) => `sum(case when queue_name = '' then ${name} else -${name} end) as ${name}`, ', ')}
      from queue_series
      where step_seconds = 60 and bucket_ms > (select max(bucket_ms) from queue_series) - ${sql.lit(SERIES_LOOKED_AT_MS)}
      group by tenant_id, bucket_ms
    )
    select tenant_id as tenant, 'minute ' || bucket_ms as what, 'is not the sum of its queues' as found
    from compared where ${named((name) => `${name} <> 0`, ' or ')}
    union all
    select tenant_id, 'queue ' || queue_name, 'has figures below zero at ' || bucket_ms
    from queue_series where ${named((name) => `${name} < 0`, ' or ')}
    union all
    select tenant_id, 'queue ' || queue_name, 'has figures below zero at ' || bucket_ms
    from queue_activity where ${named((name) => `${name} < 0`, ' or ')}`,
};

export const ROW_CHECKS: readonly RowCheck[] = [leases, counters, workers, signs, usage, owners, tags, ledger, log, series, audit];
