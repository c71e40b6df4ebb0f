/** The registry of workers, kept from their claims and heartbeats. */
import type { Lease, TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { SIGN_NOTED_EVERY_MS, silenceAllowedMs } from '../../domain/worker-state.ts';
import type { Scene } from '../apply.ts';
import { findQueueRow } from '../queue-rows.ts';
import type { ClaimRequest } from '../requests.ts';
import { statement } from '../statements.ts';

type Claiming = Pick<ClaimRequest, 'workerId' | 'queues' | 'tasks' | 'leaseSeconds'>;

interface Sign {
  readonly tenant: TenantId;
  readonly id: string;
  readonly nowMs: number;
  readonly silentAtMs: number;
}
type ClaimSign = Sign & { readonly queues: string; readonly tasks: string | null };

const WORKER = statement((db, values: Pick<Sign, 'tenant' | 'id'>) =>
  db.selectFrom('workers').select(['queues', 'last_seen_at_ms', 'silent_at_ms']).where('tenant_id', '=', values.tenant).where('id', '=', values.id),
);
const INSERT_WORKER = statement((db, values: ClaimSign) =>
  db.insertInto('workers').values({
    tenant_id: values.tenant,
    id: values.id,
    queues: values.queues,
    tasks: values.tasks,
    running: 0,
    first_seen_at_ms: values.nowMs,
    last_seen_at_ms: values.nowMs,
    silent_at_ms: values.silentAtMs,
  }),
);
const UPDATE_WORKER = statement((db, values: ClaimSign) =>
  db
    .updateTable('workers')
    .set({ queues: values.queues, tasks: values.tasks, last_seen_at_ms: values.nowMs, silent_at_ms: values.silentAtMs })
    .where('tenant_id', '=', values.tenant)
    .where('id', '=', values.id),
);
const NOTE_HEARTBEAT = statement((db, values: Sign & { readonly beforeMs: number }) =>
  db
    .updateTable('workers')
    .set({ last_seen_at_ms: values.nowMs, silent_at_ms: values.silentAtMs })
    .where('tenant_id', '=', values.tenant)
    .where('id', '=', values.id)
    .where('last_seen_at_ms', '<=', values.beforeMs),
);

/** Notes that a worker claims. Must run before a lease of a new worker is counted. */
export async function noteWorker(scene: Scene, claim: Claiming): Promise<void> {
  const { tx, tenant, nowMs } = scene;
  const { workerId: id, queues, tasks } = claim;
  const known = await tx.session.first(WORKER, { tenant, id });
  const names = JSON.stringify(queues);
  if (known !== null && known.queues === names && !isNewsOf(known, claim, nowMs)) return;
  const silentAtMs = nowMs + silenceAllowedMs(claim.leaseSeconds ?? (await longestDefaultSeconds(scene, queues)));
  const sign = { tenant, id, queues: names, tasks: tasks === null ? null : JSON.stringify(tasks), nowMs, silentAtMs };
  await tx.session.change(known === null ? INSERT_WORKER : UPDATE_WORKER, sign);
}

/** What is known is too old, or a longer lease than those that it was noted with lets the worker keep silent for longer. */
function isNewsOf(
  known: { readonly last_seen_at_ms: number; readonly silent_at_ms: number },
  { leaseSeconds }: Pick<Claiming, 'leaseSeconds'>,
  nowMs: number,
): boolean {
  if (known.last_seen_at_ms + SIGN_NOTED_EVERY_MS <= nowMs) return true;
  return leaseSeconds !== null && silenceAllowedMs(leaseSeconds) > known.silent_at_ms - known.last_seen_at_ms;
}

async function longestDefaultSeconds({ tx, tenant }: Scene, queues: readonly string[]): Promise<number> {
  let longest = 0;
  for (const name of queues) {
    const row = await findQueueRow(tx, tenant, name);
    longest = Math.max(longest, row?.default_lease_seconds ?? LIMITS.leaseSecondsDefault);
  }
  return longest;
}

/** Notes that a worker of a live lease was heard of. */
export async function noteHeartbeat({ tx, tenant, nowMs }: Scene, { workerId, expiresAtMs }: Lease): Promise<void> {
  const silentAtMs = nowMs + silenceAllowedMs((expiresAtMs - nowMs) / 1000);
  await tx.session.change(NOTE_HEARTBEAT, { tenant, id: workerId, nowMs, silentAtMs, beforeMs: nowMs - SIGN_NOTED_EVERY_MS });
}
