/**
 * Databases with millions of jobs, made in minutes: the server itself makes one job of each kind, and SQL copies its
 * rows. What a copy must not share with its template is said once, in `differing`.
 */
import Database from 'better-sqlite3';
import { CLAIM, COMPLETE, SUBMIT_MANY } from '../load/documents.ts';
import { GraphqlClient } from '../load/graphql-client.ts';
import type { Depth } from '../scale.ts';
import { startServer } from '../server/server-process.ts';

export const DEEP_QUEUE = 'deep';
const TASK = 'copy';
const DELAY_SECONDS = 2_592_000;
const CHUNK = 100_000;

interface Copies {
  /** The template's place among the jobs. */
  readonly template: number;
  readonly count: number;
}

/** Where copies begin. */
interface Base {
  readonly job: number;
  readonly event: number;
}

/** Fills a database that does not exist yet. */
export async function fillDatabase(path: string, { queued, completed, delayed }: Depth): Promise<void> {
  await makeTemplates(path);
  const database = new Database(path);
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000; pragma locking_mode = exclusive');
  const kinds: readonly Copies[] = [
    { template: 1, count: completed },
    { template: 2, count: queued },
    { template: 3, count: delayed },
  ];
  for (const copies of kinds) if (copies.count > 0) copyJob(database, copies);
  correctSums(database, { queued, completed, delayed });
  database.exec('pragma locking_mode = normal; pragma journal_mode = wal');
  database.close();
}

/** A finished job, a waiting one and a delayed one, in this order. */
async function makeTemplates(path: string): Promise<void> {
  await using server = await startServer({ program: 'compiled', database: path, probed: false });
  const client = new GraphqlClient(server.url);
  const submit = (more: object = {}) =>
    client.call('submitJobs', SUBMIT_MANY, { input: { jobs: [{ queue: DEEP_QUEUE, task: TASK, payload: { n: 1 }, ...more }] } });
  await submit();
  const claim = { queues: [DEEP_QUEUE], workerId: 'template', max: 1 };
  const { leases } = await client.call<{ readonly leases: readonly { readonly leaseToken: string; readonly job: { readonly id: string } }[] }>(
    'claimJobs',
    CLAIM,
    { input: claim },
  );
  await client.call('completeJobs', COMPLETE, { input: { jobs: leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken })) } });
  await submit();
  await submit({ start: { inSeconds: DELAY_SECONDS } });
  client.close();
}

/** By column, in terms of the template's row `t`, the copy's number `n` (from 1) and, for events, `k` (from 1). */
function differing(base: Base, { count }: Copies, eventsPerJob: number): Readonly<Record<string, string>> {
  const job = `${base.job} + n`;
  // It ends with the place of the first event.
  const id = `substr(j.id, 1, 24) || printf('%012x', ${base.event} + (n - 1) * ${eventsPerJob} + 1)`;
  const event = `${base.event} + (n - 1) * ${eventsPerJob} + k`;
  const earlier = (column: string): string => `t.${column} - ${count} + n`;
  return {
    'jobs.seq': job,
    'jobs.id': id,
    'jobs.last_event_seq': `${base.event} + n * ${eventsPerJob}`,
    'jobs.last_event': `${base.event} + n * ${eventsPerJob}`,
    ...Object.fromEntries(['run', 'created', 'updated', 'finished', 'purge'].map((what) => [`jobs.${what}_at_ms`, earlier(`${what}_at_ms`)])),
    'events.seq': event,
    'events.previous_seq': `case when k = 1 then null else ${event} - 1 end`,
    'events.job_id': id,
    'events.job_seq': job,
    'events.at_ms': earlier('at_ms'),
    'attempts.job_id': id,
    'attempts.job_seq': job,
  };
}

function columnsOf(database: Database.Database, table: string): readonly string[] {
  return database
    .prepare<[string], { name: string }>('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);
}

/** The predicate that finds a job's rows in a table that refers to it. */
function belongsTo(database: Database.Database, table: string): string {
  return columnsOf(database, table).includes('job_seq') ? 't.job_seq = j.seq' : 't.job_id = j.id';
}

function nextOf(database: Database.Database, table: string): number {
  return Number(database.prepare(`select max(seq) from ${table}`).pluck().get());
}

function copyJob(database: Database.Database, copies: Copies): void {
  const eventCount = `select count(*) from events t join jobs j on j.tenant_id = t.tenant_id and ${belongsTo(database, 'events')} where j.seq = ${copies.template}`;
  const eventsPerJob = Number(database.prepare(eventCount).pluck().get());
  const base: Base = { job: nextOf(database, 'jobs'), event: nextOf(database, 'events') };
  const values = differing(base, copies, eventsPerJob);
  const insert = (table: string, source: string): Database.Statement => {
    const columns = columnsOf(database, table);
    const list = columns.map((column) => values[`${table}.${column}`] ?? `t.${column}`).join(', ');
    const series = 'with recursive series(n) as (select :from union all select n + 1 from series where n < :to)';
    return database.prepare(`${series} insert into ${table} (${columns.join(', ')}) select ${list} from series cross join ${source}`);
  };
  database.exec(`drop table if exists temp.template_events;
    create temp table template_events as
      select row_number() over (order by t.seq) as k, t.* from jobs j join events t on t.tenant_id = j.tenant_id and ${belongsTo(database, 'events')} where j.seq = ${copies.template}`);
  const statements = [
    insert('jobs', `jobs t join jobs j on j.seq = t.seq where t.seq = ${copies.template}`),
    insert('events', `temp.template_events t join jobs j where j.seq = ${copies.template}`),
    insert('attempts', `attempts t join jobs j on ${belongsTo(database, 'attempts')} where j.seq = ${copies.template}`),
  ];
  for (let from = 1; from <= copies.count; from += CHUNK) {
    for (const statement of statements) statement.run({ from, to: Math.min(from + CHUNK - 1, copies.count) });
  }
}

/** What the server keeps beside the rows. */
function correctSums(database: Database.Database, { queued, completed, delayed }: Omit<Depth, 'name'>): void {
  const added: Readonly<Record<string, number>> = { queued: queued + delayed, completed, ready: queued, delayed };
  const known = columnsOf(database, 'queue_counters');
  const sums = Object.entries(added).filter(([name]) => known.includes(name));
  database.exec(`update queue_counters set ${sums.map(([name, count]) => `${name} = ${name} + ${count}`).join(', ')}`);
  database.exec('update event_logs set last_seq = (select max(seq) from events)');
}
