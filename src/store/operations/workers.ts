/** The registry of workers, kept from their claims and heartbeats. */
import type { Scene } from '../apply.ts';

/** A worker's last sign is written at most this often: an idle poll must not cost a sync each time. */
const NOTE_EVERY_MS = 5_000;

/** Notes that a worker claims from these queues. Must run before a lease of a new worker is counted. */
export async function noteWorker({ tx, tenant, nowMs }: Scene, id: string, queues: readonly string[]): Promise<void> {
  const known = await tx.db.selectFrom('workers').select(['queues', 'last_seen_at_ms']).where('tenant_id', '=', tenant).where('id', '=', id).executeTakeFirst();
  const names = JSON.stringify(queues);
  if (known === undefined) {
    await tx.db.insertInto('workers').values({ tenant_id: tenant, id, queues: names, running: 0, last_seen_at_ms: nowMs }).execute();
  } else if (known.queues !== names || known.last_seen_at_ms + NOTE_EVERY_MS <= nowMs) {
    await tx.db.updateTable('workers').set({ queues: names, last_seen_at_ms: nowMs }).where('tenant_id', '=', tenant).where('id', '=', id).execute();
  }
}

/** Notes that a worker of a live lease was heard of. */
export async function noteHeartbeat({ tx, tenant, nowMs }: Scene, id: string): Promise<void> {
  await tx.db
    .updateTable('workers')
    .set({ last_seen_at_ms: nowMs })
    .where('tenant_id', '=', tenant)
    .where('id', '=', id)
    .where('last_seen_at_ms', '<=', nowMs - NOTE_EVERY_MS)
    .execute();
}
