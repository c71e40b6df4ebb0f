/** The registry of workers, kept from their claims and heartbeats. */
import type { TenantId } from '../../domain/job.ts';
import type { Scene } from '../apply.ts';
import { statement } from '../statements.ts';

/** A worker's last sign is written at most this often: an idle poll must not cost a sync each time. */
const NOTE_EVERY_MS = 5_000;

interface Sign {
  readonly tenant: TenantId;
  readonly id: string;
  readonly nowMs: number;
}

const WORKER = statement((db, values: Pick<Sign, 'tenant' | 'id'>) =>
  db.selectFrom('workers').select(['queues', 'last_seen_at_ms']).where('tenant_id', '=', values.tenant).where('id', '=', values.id),
);
const INSERT_WORKER = statement((db, values: Sign & { readonly queues: string }) =>
  db.insertInto('workers').values({ tenant_id: values.tenant, id: values.id, queues: values.queues, running: 0, last_seen_at_ms: values.nowMs }),
);
const UPDATE_WORKER = statement((db, values: Sign & { readonly queues: string }) =>
  db.updateTable('workers').set({ queues: values.queues, last_seen_at_ms: values.nowMs }).where('tenant_id', '=', values.tenant).where('id', '=', values.id),
);
const NOTE_HEARTBEAT = statement((db, values: Sign & { readonly beforeMs: number }) =>
  db
    .updateTable('workers')
    .set({ last_seen_at_ms: values.nowMs })
    .where('tenant_id', '=', values.tenant)
    .where('id', '=', values.id)
    .where('last_seen_at_ms', '<=', values.beforeMs),
);

/** Notes that a worker claims from these queues. Must run before a lease of a new worker is counted. */
export async function noteWorker({ tx, tenant, nowMs }: Scene, id: string, queues: readonly string[]): Promise<void> {
  const known = await tx.session.first(WORKER, { tenant, id });
  const names = JSON.stringify(queues);
  if (known === null) await tx.session.change(INSERT_WORKER, { tenant, id, queues: names, nowMs });
  else if (known.queues !== names || known.last_seen_at_ms + NOTE_EVERY_MS <= nowMs)
    await tx.session.change(UPDATE_WORKER, { tenant, id, queues: names, nowMs });
}

/** Notes that a worker of a live lease was heard of. */
export async function noteHeartbeat({ tx, tenant, nowMs }: Scene, id: string): Promise<void> {
  await tx.session.change(NOTE_HEARTBEAT, { tenant, id, nowMs, beforeMs: nowMs - NOTE_EVERY_MS });
}
