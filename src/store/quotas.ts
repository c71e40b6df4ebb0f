/** Quotas inside a transaction: whether there is room for what is about to be stored. What ends work is never asked. */
import type { StoredUsage } from '../domain/access.ts';
import { failed, type Outcome, type QuotaExceeded, succeeded } from '../domain/failures.ts';
import { exceededQuota, NO_USAGE } from '../domain/quotas.ts';
import type { Scene } from './apply.ts';
import { createQueueRow, findQueueRow } from './queue-rows.ts';
import type { QueueRow } from './rows.ts';
import type { Soon } from './statements.ts';
import { findTenant, type KnownTenant, usageNow } from './tenant-rows.ts';

/** The first quota that the change does not fit into; null where it does. At once where the transaction has read the tenant before. */
export function quotaExceededBy({ tx, tenant }: Scene, added: StoredUsage): Soon<QuotaExceeded | null> {
  const judge = (known: KnownTenant): QuotaExceeded | null => exceededQuota(known.quotas, usageNow(tx, tenant, known), added);
  const known = findTenant(tx, tenant);
  return known instanceof Promise ? known.then(judge) : judge(known);
}

/** The queue's row, created where this is its first use and the tenant may have one more. */
export async function openQueueRow(scene: Scene, name: string): Promise<Outcome<QueueRow, QuotaExceeded>> {
  const { tx, tenant, nowMs } = scene;
  const known = await findQueueRow(tx, tenant, name);
  if (known !== null) return succeeded(known);
  const exceeded = await quotaExceededBy(scene, { ...NO_USAGE, queues: 1 });
  return exceeded === null ? succeeded(await createQueueRow(tx, tenant, name, nowMs)) : failed(exceeded);
}
