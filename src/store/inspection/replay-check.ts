/** Whether each job's row is what its events say: they are followed along their chain, page by page, and replayed. */
import { type Kysely, sql } from 'kysely';
import { replay } from '../../domain/events.ts';
import { numberInId } from '../../runtime/entropy.ts';
import { type EventRow, eventOf } from '../event-rows.ts';
import type { Tables } from '../tables.ts';
import { acrossTenants } from '../tenant-guard.ts';
import { type ReplayedColumns, replayedRow } from './replayed-row.ts';
import type { Breach } from './row-checks.ts';

const JOBS_PER_PAGE = 500;

interface Job extends ReplayedColumns {
  readonly seq: number;
  readonly tenant: string;
  readonly id: string;
  readonly oldId: 1 | null;
}

/** Looks at jobs until `limit` of them are wrong. `onJobs` is told after each page how many were looked at. */
export async function replayBreaches(db: Kysely<Tables>, limit: number, onJobs: (looked: number) => void): Promise<readonly Breach[]> {
  const breaches: Breach[] = [];
  let [looked, reached, after] = [0, 0, 0];
  for (;;) {
    const jobs = await jobsAfter(db, after);
    const last = jobs.at(-1);
    if (last === undefined) return [...breaches, ...(await unreached(db, reached))];
    const events = await chains(db, jobs[0]?.seq ?? 0, last.seq);
    const ofJob = Map.groupBy(events, ({ job_seq }) => job_seq);
    for (const job of jobs) {
      const found = breachOf(job, ofJob.get(job.seq) ?? []);
      if (found !== null) breaches.push({ tenant: job.tenant, what: `job ${job.id}`, found });
    }
    if (breaches.length >= limit) return breaches;
    onJobs((looked += jobs.length));
    reached += events.length;
    after = last.seq;
  }
}

function breachOf(job: Job, events: readonly EventRow[]): string | null {
  const first = events[0];
  if (first?.kind !== 'SUBMITTED' || first.previous_seq !== null) return 'has events whose chain does not lead to its submission';
  if (job.oldId === null && numberInId(job.id) !== first.seq) return `has its first event at place ${first.seq}, which its id does not name`;
  const [said, row] = [replay(events.map(eventOf)), replayedRow(job)];
  const names = (Object.keys(row) as readonly (keyof typeof row)[]).filter((name) => said?.[name] !== row[name]);
  if (names.length === 0) return null;
  return `is not what its events say: ${names.map((name) => `${name} is ${row[name]}, and should be ${said?.[name]}`).join('; ')}`;
}

async function jobsAfter(db: Kysely<Tables>, seq: number): Promise<readonly Job[]> {
  return acrossTenants(db)
    .selectFrom('jobs')
    .select(['seq', 'tenant_id as tenant', 'id', 'old_id as oldId', 'state', 'attempt', 'fence', 'priority'])
    .select(['max_attempts as maxAttempts', 'run_at_ms as runAtMs', 'cancel_requested_at_ms as cancelRequestedAtMs'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(JOBS_PER_PAGE)
    .execute();
}

/** Of the jobs with these numbers, each job's events from the first on. Each step goes back in the log, so that it ends. */
async function chains(db: Kysely<Tables>, from: number, to: number): Promise<readonly EventRow[]> {
  const { rows } = await sql<EventRow>`
    with recursive chain as (
      select event.*, job.id as job_id, job.queue_name, job.task
      from jobs as job
      cross join events as event
      where job.seq between ${from} and ${to}
        and event.tenant_id = job.tenant_id and event.seq = job.last_event_seq and event.job_seq = job.seq
      union all
      select event.*, chain.job_id, chain.queue_name, chain.task
      from chain cross join events as event
      where event.tenant_id = chain.tenant_id and event.seq = chain.previous_seq
        and event.seq < chain.seq and event.job_seq = chain.job_seq
    )
    select * from chain order by job_seq, seq`.execute(acrossTenants(db));
  return rows;
}

async function unreached(db: Kysely<Tables>, reached: number): Promise<readonly Breach[]> {
  const { there } = await acrossTenants(db)
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('there'))
    .where('gone_job', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(there) === reached) return [];
  return [{ tenant: '*', what: 'the log', found: `has ${there} events, of which the chains of the jobs reach ${reached}` }];
}
