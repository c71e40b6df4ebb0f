/**
 * A database as big as an operator's after some months: many tenants and queues, jobs of every state, dead letters in
 * groups, workers with leases, figures over time. The server makes one job of each kind, SQL copies them.
 */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { ScreenShape } from '../scale.ts';
import { countOf, type Kind, type Place, placesOf, WORKERS } from './console-shape.ts';
import { fillAudit, fillSeries, refreshLeases, sumGroups, sumWorkers } from './console-sums.ts';
import { makeTemplates } from './console-templates.ts';
import { JobCopier, type Template } from './copy-jobs.ts';

/** Jobs of all queues and kinds come in turn, over so long. */
const ROUNDS = 60;
const AGE_MS = 6 * 86_400_000;
/** What waits has not waited for days. */
const WAITING_AGE_MS = 3_600_000;
const SPEED = 'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000; pragma locking_mode = exclusive; pragma temp_store = memory';
const CALM = 'pragma locking_mode = normal; pragma journal_mode = wal';

type Say = (text: string) => void;

interface Copied extends Template {
  readonly count: number;
  readonly kind: Kind;
}

/** Fills a database that does not exist yet; one that does is only made to look as if its leases were new. */
export async function consoleDatabase(path: string, shape: ScreenShape, say: Say): Promise<void> {
  const isThere = existsSync(path);
  const places = placesOf(shape);
  if (!isThere) {
    say(`${places.length} queues, and one job of each kind in each`);
    await makeTemplates(path, places);
  }
  const database = new Database(path);
  database.exec(SPEED);
  if (isThere) refreshLeases(database, Date.now());
  else fill(database, shape, places, say);
  database.exec(CALM);
  database.close();
}

function fill(database: Database.Database, shape: ScreenShape, places: readonly Place[], say: Say): void {
  const indexes = takeIndexes(database);
  const templates = templatesOf(database, shape, places);
  copyAll(database, templates, say);
  for (const [index, text] of indexes.entries()) {
    say(`index ${index + 1} of ${indexes.length}`);
    database.exec(text);
  }
  say('counters, groups, workers, figures over time');
  countAll(database, templates);
  const nowMs = Date.now();
  sumGroups(database);
  sumWorkers(database, nowMs);
  fillSeries(database, nowMs);
  fillAudit(database, nowMs);
}

/** Made anew at the end: a sorted index costs a tenth of one that grows at random places. */
function takeIndexes(database: Database.Database): readonly string[] {
  const rows = database.prepare(`select name, sql from sqlite_master where type = 'index' and tbl_name = 'jobs' and sql is not null`).all() as readonly {
    readonly name: string;
    readonly sql: string;
  }[];
  for (const { name } of rows) database.exec(`drop index ${name}`);
  return rows.map(({ sql }) => sql);
}

function templatesOf(database: Database.Database, shape: ScreenShape, places: readonly Place[]): readonly Copied[] {
  const placeOf = new Map(places.map((place) => [`${place.tenant} ${place.queue}`, place]));
  const rows = database
    .prepare(
      `select j.seq, j.tenant_id as tenant, j.queue_name as queue, j.payload ->> 'kind' as kind, count(*) as events
       from jobs j join events e on e.tenant_id = j.tenant_id and e.job_seq = j.seq group by j.seq`,
    )
    .all() as readonly (Template & { readonly queue: string; readonly kind: Kind })[];
  return rows.map((row) => {
    const place = placeOf.get(`${row.tenant} ${row.queue}`);
    if (place === undefined) throw new Error(`nobody asked for ${row.queue}`);
    return { ...row, count: Math.max(0, countOf(row.kind, shape, place) - 1) };
  });
}

function copyAll(database: Database.Database, templates: readonly Copied[], say: Say): void {
  const copier = new JobCopier(database, WORKERS);
  for (let round = 1; round <= ROUNDS; round++) {
    if (round % 10 === 1) say(`jobs: ${Math.round(((round - 1) * 100) / ROUNDS)} %`);
    database.exec('begin');
    for (const template of templates) {
      const until = (rounds: number): number => Math.floor((template.count * rounds) / ROUNDS);
      const ageMs = ((template.kind === 'due' ? WAITING_AGE_MS : AGE_MS) * (ROUNDS + 1 - round)) / ROUNDS;
      copier.copy(template, { count: until(round) - until(round - 1), ageMs: Math.round(ageMs) });
    }
    database.exec('commit');
  }
  const end = database.prepare('update event_logs set last_seq = ? where tenant_id = ?');
  for (const [tenant, seq] of copier.logs()) end.run(seq, tenant);
}

/** Each copy counts where its template does. */
function countAll(database: Database.Database, templates: readonly Copied[]): void {
  const counter = database.prepare(`
    update queue_counters set queued = queued + (j.state = 'queued') * :count, running = running + (j.state = 'running') * :count,
      retry = retry + (j.state = 'retry') * :count, completed = completed + (j.state = 'completed') * :count, dead = dead + (j.state = 'dead') * :count,
      cancelled = cancelled + (j.state = 'cancelled') * :count, ready = ready + coalesce(j.waiting = 'due', 0) * :count,
      delayed = delayed + coalesce(j.waiting = 'delayed', 0) * :count
    from jobs j where j.seq = :seq and queue_counters.tenant_id = j.tenant_id and queue_counters.queue_name = j.queue_name`);
  const usage = database.prepare(`
    update tenant_usage set waiting = tenant_usage.waiting + (j.waiting is not null) * :count,
      stored_bytes = stored_bytes + (octet_length(payload) + coalesce(octet_length(result), 0)) * :count
    from jobs j where j.seq = :seq and tenant_usage.tenant_id = j.tenant_id`);
  database.transaction(() => {
    for (const { seq, count } of templates) for (const statement of [counter, usage]) statement.run({ seq, count });
  })();
}
