/** The first schema. Frozen once released: it imports nothing of the domain, whose words may move on. */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

/** Creates every table of version 0.1. */
export async function up(db: Kysely<unknown>, words: ColumnWords): Promise<void> {
  for (const statement of [...tables(words), ...indexes]) await sql.raw(statement).execute(db);
}

// Checks spell their values out with `or`: a list after `in` is built as a table for every row that is written.
function tables({ serialKey, integer, plainEnd, clusteredEnd }: ColumnWords): readonly string[] {
  return [
    `create table jobs (
      seq ${serialKey},
      tenant_id text not null,
      id text not null,
      queue_name text not null,
      task text not null,
      state text not null check (state = 'queued' or state = 'running' or state = 'retry' or state = 'completed' or state = 'dead' or state = 'cancelled'),
      waiting text check (waiting = 'due' or waiting = 'delayed'),
      priority ${integer} not null,
      run_at_ms ${integer} not null,
      attempt ${integer} not null check (attempt >= 0),
      fence ${integer} not null check (fence >= attempt),
      max_attempts ${integer} not null check (max_attempts >= 1),
      retry_base_seconds ${integer} not null,
      retry_max_seconds ${integer} not null,
      concurrency_key text,
      tags text,
      idempotency_key text,
      fingerprint text,
      lease_worker_id text,
      lease_token_hash text,
      lease_expires_at_ms ${integer},
      lease_seconds ${integer},
      lease_started_at_ms ${integer},
      lease_heartbeat_at_ms ${integer},
      lease_renewals ${integer},
      lease_claimed_from text,
      lease_request_id text,
      releases_in_row ${integer} not null,
      cancel_requested_at_ms ${integer},
      cancel_reason text,
      progress text,
      last_error text,
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      finished_at_ms ${integer},
      purge_at_ms ${integer},
      last_event_seq ${integer} not null,
      payload text not null,
      result text,
      check ((state = 'running') = (lease_expires_at_ms is not null)),
      check ((lease_expires_at_ms is null) = (lease_token_hash is null)),
      check ((state = 'queued' or state = 'retry') = (waiting is not null)),
      check ((state = 'completed' or state = 'dead' or state = 'cancelled') = (finished_at_ms is not null)),
      check ((idempotency_key is null) = (fingerprint is null))
    )${plainEnd}`,
    `create table job_tags (
      tenant_id text not null,
      key text not null,
      value text not null,
      job_seq ${integer} not null,
      primary key (tenant_id, key, value, job_seq)
    )${clusteredEnd}`,
    `create table attempts (
      tenant_id text not null,
      job_seq ${integer} not null,
      fence ${integer} not null,
      number ${integer} not null,
      worker_id text not null,
      token_hash text not null,
      started_at_ms ${integer} not null,
      heartbeat_at_ms ${integer},
      finished_at_ms ${integer} not null,
      outcome text not null,
      settled_by text,
      settled_to text not null,
      retry_at_ms ${integer},
      error text,
      primary key (tenant_id, job_seq, fence)
    )${clusteredEnd}`,
    `create table events (
      tenant_id text not null,
      seq ${integer} not null,
      previous_seq ${integer},
      job_seq ${integer} not null,
      kind text not null,
      from_state text,
      to_state text,
      attempt ${integer} not null,
      fence ${integer} not null,
      at_ms ${integer} not null,
      worker_id text,
      actor text,
      run_at_ms ${integer},
      priority ${integer},
      max_attempts ${integer},
      lease_expires_at_ms ${integer},
      reason text,
      gone_job text,
      primary key (tenant_id, seq)
    )${clusteredEnd}`,
    `create table event_logs (
      tenant_id text not null,
      epoch text not null,
      last_seq ${integer} not null,
      low_water_seq ${integer} not null check (low_water_seq <= last_seq),
      primary key (tenant_id)
    )${clusteredEnd}`,
    `create table log_epochs (
      tenant_id text not null,
      epoch text not null,
      first_seq ${integer} not null,
      primary key (tenant_id, epoch)
    )${clusteredEnd}`,
    `create table queues (
      tenant_id text not null,
      name text not null,
      paused_at_ms ${integer},
      pause_reason text,
      default_priority ${integer},
      default_max_attempts ${integer},
      default_retry_base_seconds ${integer},
      default_retry_max_seconds ${integer},
      default_lease_seconds ${integer},
      retain_completed_seconds ${integer},
      retain_cancelled_seconds ${integer},
      retain_dead_seconds ${integer},
      version ${integer} not null,
      created_at_ms ${integer} not null,
      primary key (tenant_id, name)
    )${clusteredEnd}`,
    `create table queue_counters (
      tenant_id text not null,
      queue_name text not null,
      queued ${integer} not null check (queued >= 0),
      running ${integer} not null check (running >= 0),
      retry ${integer} not null check (retry >= 0),
      completed ${integer} not null check (completed >= 0),
      dead ${integer} not null check (dead >= 0),
      cancelled ${integer} not null check (cancelled >= 0),
      ready ${integer} not null check (ready >= 0),
      delayed ${integer} not null check (delayed >= 0),
      primary key (tenant_id, queue_name)
    )${clusteredEnd}`,
    `create table queue_activity (
      tenant_id text not null,
      queue_name text not null,
      bucket_ms ${integer} not null,
      submitted ${integer} not null,
      claimed ${integer} not null,
      completed ${integer} not null,
      failed ${integer} not null,
      primary key (tenant_id, queue_name, bucket_ms)
    )${clusteredEnd}`,
    `create table workers (
      tenant_id text not null,
      id text not null,
      queues text not null,
      running ${integer} not null check (running >= 0),
      last_seen_at_ms ${integer} not null,
      primary key (tenant_id, id)
    )${clusteredEnd}`,
    `create table store_meta (
      key text not null,
      value text not null,
      primary key (key)
    )${clusteredEnd}`,
  ];
}

const indexes = [
  `create unique index jobs_by_id on jobs (tenant_id, id)`,
  `create unique index jobs_by_idempotency_key on jobs (tenant_id, queue_name, idempotency_key) where idempotency_key is not null`,
  // Claims read these two in order; a delayed job is in neither, so that however many wait cost nothing.
  `create index jobs_due on jobs (tenant_id, queue_name, priority desc, run_at_ms, seq) where waiting = 'due'`,
  `create index jobs_due_by_task on jobs (tenant_id, queue_name, task, priority desc, run_at_ms, seq) where waiting = 'due'`,
  // Which delayed job is next, and how long the oldest due one has waited.
  `create index jobs_waiting on jobs (tenant_id, queue_name, waiting, run_at_ms, seq) where waiting is not null`,
  `create index jobs_leased on jobs (tenant_id, queue_name, lease_expires_at_ms) where lease_expires_at_ms is not null`,
  `create index jobs_by_request on jobs (tenant_id, lease_worker_id, lease_request_id) where lease_request_id is not null`,
  // Lists of one state, newest or oldest first; of several, a few rows of each are merged. Running jobs, which come and
  // go with every claim, are few and found by their leases.
  `create index jobs_by_state on jobs (tenant_id, state, seq) where lease_expires_at_ms is null`,
  `create index jobs_by_queue on jobs (tenant_id, queue_name, state, seq) where lease_expires_at_ms is null`,
  `create index jobs_finished on jobs (tenant_id, finished_at_ms, seq) where finished_at_ms is not null`,
  // Retention works for all tenants at once, oldest first.
  `create index jobs_purgeable on jobs (purge_at_ms) where purge_at_ms is not null`,
  `create index events_purged on events (at_ms) where kind = 'PURGED'`,
];
