/**
 * Groups of dead letters, and of those that are there already. Frozen once released: it imports nothing of the domain,
 * whose words may move on. What it asks of the running version is handed to it: which group a dead letter is in.
 */
import { type Kysely, sql } from 'kysely';
import type { ColumnWords } from './column-words.ts';

interface Words {
  readonly type: string | null;
  readonly message: string;
}

/** The running version's own rule, by which it groups whatever dies from now on. */
export interface Grouping {
  groupOf(job: { readonly queue: string; readonly task: string; readonly lastError: Words | null }): string;
  /** What a group shows of a message. */
  sampleOf(message: string): string;
}

/** Read and changed at a time, so that memory stays small. */
const JOBS_PER_PAGE = 500;
const HOUR_MS = 3_600_000;

export async function up(db: Kysely<unknown>, words: ColumnWords, grouping: Grouping): Promise<void> {
  for (const statement of tables(words)) await sql.raw(statement).execute(db);
  const queues = await sql<Queue>`select tenant_id, queue_name from queue_counters where dead > 0`.execute(db);
  for (const queue of queues.rows) await groupDeadJobs(db, queue, grouping);
  for (const statement of indexes) await sql.raw(statement).execute(db);
}

function tables({ integer, clusteredEnd }: ColumnWords): readonly string[] {
  return [
    `alter table jobs add column dead_group text check (dead_group is null or state = 'dead')`,
    `alter table attempts add column error_group text`,
    `create table dead_groups (
      tenant_id text not null,
      id text not null,
      queue_name text not null,
      task text not null,
      error_type text,
      message text not null,
      count ${integer} not null check (count >= 0),
      first_at_ms ${integer} not null,
      last_at_ms ${integer} not null,
      primary key (tenant_id, id)
    )${clusteredEnd}`,
    `create table dead_group_activity (
      tenant_id text not null,
      group_id text not null,
      bucket_ms ${integer} not null,
      died ${integer} not null check (died >= 0),
      primary key (tenant_id, group_id, bucket_ms)
    )${clusteredEnd}`,
  ];
}

const indexes = [
  // Lists of a group's jobs, by submission and by end. Nothing but dead letters is in them.
  `create index jobs_by_dead_group on jobs (tenant_id, dead_group, seq) where dead_group is not null`,
  `create index jobs_by_dead_group_end on jobs (tenant_id, dead_group, finished_at_ms, seq) where dead_group is not null`,
  `create index dead_groups_by_count on dead_groups (tenant_id, count, id)`,
  `create index dead_groups_by_last on dead_groups (tenant_id, last_at_ms, id)`,
  // Old hours go for all tenants at once.
  `create index dead_group_activity_by_hour on dead_group_activity (bucket_ms)`,
];

interface Queue {
  readonly tenant_id: string;
  readonly queue_name: string;
}
interface DeadJob {
  readonly seq: number;
  readonly task: string;
  readonly last_error: string | null;
  readonly finished_at_ms: number;
}
interface Grouped extends DeadJob {
  readonly group: string;
  readonly error: Words;
}

async function groupDeadJobs(db: Kysely<unknown>, queue: Queue, grouping: Grouping): Promise<void> {
  for (let after = 0; ; ) {
    const jobs = await deadJobsAfter(db, queue, after);
    const last = jobs.at(-1);
    if (last === undefined) return;
    const grouped = jobs.map((job): Grouped => {
      const error = job.last_error === null ? { type: null, message: '' } : (JSON.parse(job.last_error) as Words);
      return { ...job, error, group: grouping.groupOf({ queue: queue.queue_name, task: job.task, lastError: error }) };
    });
    for (const [group, members] of Map.groupBy(grouped, ({ group: id }) => id)) await storeMembers(db, queue, group, members, grouping);
    after = last.seq;
  }
}

async function deadJobsAfter(db: Kysely<unknown>, { tenant_id, queue_name }: Queue, after: number): Promise<readonly DeadJob[]> {
  // In the words of the index that holds them.
  const { rows } = await sql<DeadJob>`
    select seq, task, last_error, finished_at_ms from jobs
    where tenant_id = ${tenant_id} and queue_name = ${queue_name} and state = 'dead' and lease_expires_at_ms is null and seq > ${after}
    order by seq limit ${JOBS_PER_PAGE}`.execute(db);
  return rows;
}

async function storeMembers(db: Kysely<unknown>, { tenant_id, queue_name }: Queue, group: string, members: readonly Grouped[], grouping: Grouping) {
  const byEnd = members.toSorted((a, b) => a.finished_at_ms - b.finished_at_ms);
  const [first, last] = [byEnd.at(0), byEnd.at(-1)];
  if (first === undefined || last === undefined) return;
  await sql`update jobs set dead_group = ${group} where seq in (${sql.join(members.map(({ seq }) => seq))})`.execute(db);
  await sql`
    insert into dead_groups (tenant_id, id, queue_name, task, error_type, message, count, first_at_ms, last_at_ms)
    values (${tenant_id}, ${group}, ${queue_name}, ${last.task}, ${last.error.type}, ${grouping.sampleOf(last.error.message)},
      ${members.length}, ${first.finished_at_ms}, ${last.finished_at_ms})
    on conflict (tenant_id, id) do update set
      count = dead_groups.count + excluded.count,
      error_type = case when excluded.last_at_ms >= dead_groups.last_at_ms then excluded.error_type else dead_groups.error_type end,
      message = case when excluded.last_at_ms >= dead_groups.last_at_ms then excluded.message else dead_groups.message end,
      first_at_ms = case when excluded.first_at_ms < dead_groups.first_at_ms then excluded.first_at_ms else dead_groups.first_at_ms end,
      last_at_ms = case when excluded.last_at_ms > dead_groups.last_at_ms then excluded.last_at_ms else dead_groups.last_at_ms end`.execute(db);
  for (const [bucketMs, died] of Map.groupBy(members, ({ finished_at_ms: atMs }) => atMs - (atMs % HOUR_MS)))
    await sql`
      insert into dead_group_activity (tenant_id, group_id, bucket_ms, died) values (${tenant_id}, ${group}, ${bucketMs}, ${died.length})
      on conflict (tenant_id, group_id, bucket_ms) do update set died = dead_group_activity.died + excluded.died`.execute(db);
}
