/** What the server does for all tenants by itself: sweeping, retention, probing. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { LIMITS } from '../domain/limits.ts';
import { SERVER } from './apply.ts';
import { Agenda } from './agenda.ts';
import type { SweepReport } from './housekeeping.ts';
import { nextAppointmentMs } from './locate.ts';
import type { OperationParts } from './operations/facts.ts';
import { inScene } from './operations/facts.ts';
import { type PutRight, putRight } from './operations/recover.ts';
import type { Appointment } from './tally.ts';
import type { Tables } from './tables.ts';
import { acrossTenants } from './tenant-guard.ts';

/** Notes every queue that holds leases or delayed jobs: after a start, nothing else knows of them. */
export async function loadAgenda(db: Kysely<Tables>, nowMs: number): Promise<Agenda> {
  const agenda = new Agenda();
  const rows = await acrossTenants(db)
    .selectFrom('queue_counters')
    .select(['tenant_id', 'queue_name'])
    .where((eb) => eb.or([eb('running', '>', 0), eb('delayed', '>', 0)]))
    .execute();
  for (const row of rows) agenda.note({ tenant: row.tenant_id, queue: row.queue_name, atMs: nowMs });
  return agenda;
}

/** After a start, every queue may be due. */
const QUEUES_PER_SWEEP_MAX = 20;

/** Puts queues right whose appointment has come, a bounded step each, one after another: whoever waits to write waits for one. */
export async function sweep(parts: OperationParts, agenda: Agenda): Promise<SweepReport> {
  const due = agenda.takeDue(parts.clock.nowMs(), QUEUES_PER_SWEEP_MAX);
  const steps: PutRight[] = [];
  try {
    for (const appointment of due) steps.push(await sweepQueue(parts, agenda, appointment));
  } catch (error) {
    // No queue may be forgotten because the sweep of one failed.
    for (const appointment of due.slice(steps.length)) agenda.note(appointment);
    throw error;
  }
  return {
    expired: steps.reduce((sum, step) => sum + step.expired, 0),
    promoted: steps.reduce((sum, step) => sum + step.promoted, 0),
    hasMore: due.length === QUEUES_PER_SWEEP_MAX || steps.some((step) => step.hasMore),
    nextDueAtMs: agenda.nextAtMs(),
  };
}

async function sweepQueue(parts: OperationParts, agenda: Agenda, { tenant, queue }: Appointment): Promise<PutRight> {
  const weight = LIMITS.recoverJobsPerStepMax + LIMITS.promoteJobsPerStepMax;
  const { nextAtMs, ...step } = await inScene(parts, tenant, SERVER, { weight }, async (scene) => ({
    ...(await putRight(parts, scene, queue)),
    nextAtMs: await nextAppointmentMs(scene.tx, tenant, queue),
  }));
  if (nextAtMs !== null) agenda.note({ tenant, queue, atMs: nextAtMs });
  return step;
}

/** Commits one small write, so that readiness is known and not assumed. */
export function probe({ writer }: OperationParts): Promise<void> {
  return writer.write(async ({ db }, nowMs) => {
    await db
      .insertInto('store_meta')
      .values({ key: 'probed_at_ms', value: String(nowMs) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql<string>`excluded.value` }))
      .execute();
  });
}
