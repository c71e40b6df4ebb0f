/** What happened in each queue over a week, beside the few seconds of queue_activity from which it is made. Frozen once released. */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

const BINS = Array.from({ length: 16 }, (_, bin) => bin);
const SUMS = [
  ...['submitted', 'claimed', 'completed', 'failed', 'died', 'expired'],
  ...['ready', 'delayed', 'running', 'retry', 'dead'].map((name) => `${name}_change`),
  ...BINS.map((bin) => `wait_${bin}`),
  ...BINS.map((bin) => `run_${bin}`),
];

/** Widens the seconds, and creates the minutes and hours. What happened before is in neither. */
export async function up(db: Kysely<unknown>, words: ColumnWords): Promise<void> {
  for (const statement of [...seconds(words), minutesAndHours(words), ...indexes]) await sql.raw(statement).execute(db);
}

function columns({ integer }: ColumnWords): string {
  return SUMS.map((name) => `${name} ${integer} not null default 0`).join(',\n      ');
}

// One table in place of another: each column that is added by itself makes the database read its definitions anew.
function seconds(words: ColumnWords): readonly string[] {
  const known = 'tenant_id, queue_name, bucket_ms, submitted, claimed, completed, failed';
  return [
    `alter table queue_activity rename to narrow_activity`,
    `create table queue_activity (
      tenant_id text not null,
      queue_name text not null,
      bucket_ms ${words.integer} not null,
      ${columns(words)},
      primary key (tenant_id, queue_name, bucket_ms)
    )${words.clusteredEnd}`,
    `insert into queue_activity (${known}) select ${known} from narrow_activity`,
    `drop table narrow_activity`,
  ];
}

function minutesAndHours(words: ColumnWords): string {
  return `create table queue_series (
      tenant_id text not null,
      queue_name text not null,
      step_seconds ${words.integer} not null check (step_seconds = 60 or step_seconds = 3600),
      bucket_ms ${words.integer} not null,
      ${columns(words)},
      primary key (tenant_id, queue_name, step_seconds, bucket_ms)
    )${words.clusteredEnd}`;
}

const indexes = [
  // Upkeep works for all tenants at once, oldest first.
  `create index queue_series_by_age on queue_series (step_seconds, bucket_ms)`,
  // Which queues have new dead letters, without a look at the others.
  `create index queue_series_died on queue_series (tenant_id, bucket_ms, queue_name, died) where died > 0`,
  `create index queue_activity_died on queue_activity (tenant_id, bucket_ms, queue_name, died) where died > 0`,
];
