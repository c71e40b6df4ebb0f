/** Copies jobs with their events, ledger and tags, in the order of their submission: SQL with what differs from one copy to the next. */
import type Database from 'better-sqlite3';

export interface Template {
  /** Its place among the jobs. */
  readonly seq: number;
  readonly tenant: string;
  readonly events: number;
}
/** Copies that come at once. Time goes from the age at which they begin to that at which they end. */
export interface Batch {
  readonly count: number;
  readonly ageMs: number;
}

/** A lease ends this long after its template's, at most, so that none ends while it is measured. */
const LEASES_SPREAD_MS = 3_600_000;

/** `workers`: how many hold the leases. In terms of the template's row `t`, and the copy's number `n`, from 1. */
function differing(workers: number): Readonly<Record<string, string>> {
  const job = ':job + n';
  const event = ':event + (n - 1) * :events + t.k';
  const worker = `'worker-' || printf('%03d', (${job}) % ${workers})`;
  const lease = (column: string): string => `t.${column} + (${job}) * 997 % ${LEASES_SPREAD_MS}`;
  const earlier = (column: string): string => `t.${column} - :age + n`;
  const times = [
    'jobs.created_at_ms',
    'jobs.updated_at_ms',
    'jobs.finished_at_ms',
    'jobs.purge_at_ms',
    'attempts.started_at_ms',
    'attempts.finished_at_ms',
    'events.at_ms',
  ];
  // What waits for its time goes on waiting; what is due has been so for a while.
  const run = (isDelayed: string): string => `case when ${isDelayed} then t.run_at_ms + n else ${earlier('run_at_ms')} end`;
  return {
    'jobs.seq': job,
    // It ends with the place of the first event.
    'jobs.id': `substr(t.id, 1, 24) || printf('%012x', :event + (n - 1) * :events + 1)`,
    'jobs.last_event_seq': ':event + n * :events',
    'jobs.run_at_ms': run("t.waiting = 'delayed'"),
    'jobs.lease_worker_id': `case when t.lease_worker_id is null then null else ${worker} end`,
    'jobs.lease_expires_at_ms': lease('lease_expires_at_ms'),
    'jobs.lease_request_id': 'null',
    ...Object.fromEntries(times.map((name) => [name, earlier(name.replace(/^.*\./, ''))])),
    'events.run_at_ms': run('t.is_delayed'),
    'events.seq': event,
    'events.previous_seq': `case when t.k = 1 then null else ${event} - 1 end`,
    'events.job_seq': job,
    'events.worker_id': `case when t.is_held then ${worker} else t.worker_id end`,
    'events.lease_expires_at_ms': `case when t.is_held then ${lease('lease_expires_at_ms')} else t.lease_expires_at_ms end`,
    'attempts.job_seq': job,
    'job_tags.job_seq': job,
  };
}

/** Of its own, by place: the rows that belong to templates, so that copies are not looked through. */
const TEMPLATE_ROWS = `
  create temp table template_jobs as select * from jobs;
  create unique index temp.template_job on template_jobs (seq);
  create temp table template_events as
    select row_number() over (partition by e.tenant_id, e.job_seq order by e.seq) as k, j.state = 'running' and e.kind = 'CLAIMED' as is_held,
      coalesce(j.waiting = 'delayed', 0) as is_delayed, e.*
    from events e join jobs j on j.seq = e.job_seq;
  create index temp.template_event on template_events (job_seq);
  create temp table template_attempts as select * from attempts;
  create index temp.template_attempt on template_attempts (job_seq);
  create temp table template_tags as select * from job_tags;
  create index temp.template_tag on template_tags (job_seq);`;

export class JobCopier {
  readonly #statements: readonly Database.Statement[];
  readonly #lastEventOf: Map<string, number>;
  #lastJob: number;

  constructor(database: Database.Database, workers: number) {
    database.exec(TEMPLATE_ROWS);
    const values = differing(workers);
    const insert = (table: string, template: string, key: string): Database.Statement => {
      const columns = database.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table);
      const list = columns.map((column) => values[`${table}.${column}`] ?? `t.${column}`).join(', ');
      return database.prepare(
        `with recursive series(n) as (select 1 union all select n + 1 from series where n < :count) insert into ${table} (${columns.join(', ')}) select ${list} from series cross join temp.${template} t where t.${key} = :template`,
      );
    };
    this.#statements = [
      insert('jobs', 'template_jobs', 'seq'),
      insert('events', 'template_events', 'job_seq'),
      insert('attempts', 'template_attempts', 'job_seq'),
      insert('job_tags', 'template_tags', 'job_seq'),
    ];
    this.#lastJob = Number(database.prepare('select max(seq) from jobs').pluck().get());
    const logs = database.prepare('select tenant_id, last_seq from event_logs').all() as readonly { readonly tenant_id: string; readonly last_seq: number }[];
    this.#lastEventOf = new Map(logs.map(({ tenant_id, last_seq }) => [tenant_id, last_seq]));
  }

  copy({ seq, tenant, events }: Template, { count, ageMs }: Batch): void {
    if (count === 0) return;
    const event = this.#lastEventOf.get(tenant) ?? 0;
    const given = { count, template: seq, job: this.#lastJob, event, events, age: ageMs };
    for (const statement of this.#statements) statement.run(given);
    this.#lastJob += count;
    this.#lastEventOf.set(tenant, event + count * events);
  }

  /** The end of each tenant's log. */
  logs(): ReadonlyMap<string, number> {
    return this.#lastEventOf;
  }
}
