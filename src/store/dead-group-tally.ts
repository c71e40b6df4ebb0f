/** Which groups of dead letters one transaction lets grow and shrink. One write per group and commit, where it does not do both. */
import type { Job, TenantId } from '../domain/job.ts';
import type { DeadGroupTable } from './dead-group-tables.ts';
import { sampleOf } from './dead-groups.ts';
import { type Session, statement } from './statements.ts';

/** Deaths are counted per this many milliseconds, for a trend. */
export const DEATHS_BUCKET_MS = 3_600_000;

interface Change {
  readonly tenant: TenantId;
  readonly id: string;
  /** Who came last. */
  latest: Job | null;
  latestAtMs: number;
  firstAtMs: number;
  came: number;
  left: number;
  /** Those who came, by hour. */
  readonly hours: Map<number, number>;
}

const ENTER = statement((db, row: DeadGroupTable) =>
  db
    .insertInto('dead_groups')
    .values({
      tenant_id: row.tenant_id,
      id: row.id,
      queue_name: row.queue_name,
      task: row.task,
      error_type: row.error_type,
      message: row.message,
      count: row.count,
      first_at_ms: row.first_at_ms,
      last_at_ms: row.last_at_ms,
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'id']).doUpdateSet((eb) => ({
        error_type: eb.ref('excluded.error_type'),
        message: eb.ref('excluded.message'),
        count: eb('dead_groups.count', '+', eb.ref('excluded.count')),
        last_at_ms: eb.ref('excluded.last_at_ms'),
      })),
    ),
);
const COUNT_DEATHS = statement((db, values: { readonly tenant: TenantId; readonly id: string; readonly bucketMs: number; readonly died: number }) =>
  db
    .insertInto('dead_group_activity')
    .values({ tenant_id: values.tenant, group_id: values.id, bucket_ms: values.bucketMs, died: values.died })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'group_id', 'bucket_ms']).doUpdateSet((eb) => ({ died: eb('dead_group_activity.died', '+', eb.ref('excluded.died')) })),
    ),
);

interface Leaving {
  readonly tenant: TenantId;
  readonly id: string;
  readonly left: number;
}
const REMOVE_EMPTIED = statement((db, { tenant, id, left }: Leaving) =>
  db.deleteFrom('dead_groups').where('tenant_id', '=', tenant).where('id', '=', id).where('count', '=', left),
);
const LEAVE = statement((db, { tenant, id, left }: Leaving) =>
  db
    .updateTable('dead_groups')
    .set((eb) => ({ count: eb('count', '-', left) }))
    .where('tenant_id', '=', tenant)
    .where('id', '=', id),
);

export class DeadGroupTally {
  readonly #changes = new Map<string, Change>();

  /** `job` has died: it has a group and an error. */
  enter(tenant: TenantId, job: Job, nowMs: number): void {
    const change = this.#of(tenant, job.deadGroup ?? '', nowMs);
    const bucketMs = nowMs - (nowMs % DEATHS_BUCKET_MS);
    if (change.came === 0) change.firstAtMs = nowMs;
    change.came += 1;
    change.latest = job;
    change.latestAtMs = nowMs;
    change.hours.set(bucketMs, (change.hours.get(bucketMs) ?? 0) + 1);
  }

  /** A job of the group is dead no longer, or gone. */
  leave(tenant: TenantId, id: string): void {
    this.#of(tenant, id, 0).left += 1;
  }

  async flush(session: Session): Promise<void> {
    for (const change of this.#changes.values()) {
      if (change.latest !== null) await enter(session, change, change.latest);
      if (change.left > 0) await leave(session, change);
    }
  }

  #of(tenant: TenantId, id: string, nowMs: number): Change {
    const key = `${tenant}\n${id}`;
    const known = this.#changes.get(key);
    if (known !== undefined) return known;
    const change: Change = { tenant, id, latest: null, latestAtMs: nowMs, firstAtMs: nowMs, came: 0, left: 0, hours: new Map() };
    this.#changes.set(key, change);
    return change;
  }
}

async function enter(session: Session, { tenant, id, came, firstAtMs, latestAtMs, hours }: Change, job: Job): Promise<void> {
  await session.change(ENTER, {
    tenant_id: tenant,
    id,
    queue_name: job.queue,
    task: job.task,
    error_type: job.lastError?.type ?? null,
    message: sampleOf(job.lastError?.message ?? ''),
    count: came,
    first_at_ms: firstAtMs,
    last_at_ms: latestAtMs,
  });
  for (const [bucketMs, died] of hours) await session.change(COUNT_DEATHS, { tenant, id, bucketMs, died });
}

/** The last one takes the group along. */
async function leave(session: Session, { tenant, id, left }: Change): Promise<void> {
  if ((await session.change(REMOVE_EMPTIED, { tenant, id, left })) === 1) return;
  const changed = await session.change(LEAVE, { tenant, id, left });
  if (changed !== 1) throw new Error(`dead letters of the tenant ${tenant} were in the group ${id}, which is not there`);
}
