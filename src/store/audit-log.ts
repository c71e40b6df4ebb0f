/** Writes down what operators do, in the transaction in which they do it. */
import { sql } from 'kysely';
import type { OperatorActionKind } from '../domain/audit.ts';
import { utf8Bytes } from '../domain/json.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Scene } from './apply.ts';
import type { JobFilter } from './requests.ts';
import { findTenant } from './tenant-rows.ts';

/** What an action was about, for people and for programs. Holds no secret and nothing of a job but its names. */
export type ActionTarget = Readonly<Record<string, unknown>>;

export interface NewAction {
  readonly kind: OperatorActionKind;
  readonly target: ActionTarget;
  readonly changed: number;
  readonly skipped: number;
  readonly reason: string | null;
}

/** The place of the record; null for a tenant that does not exist, which has nothing that could change. */
export async function recordAction({ tx, tenant, caller, nowMs }: Scene, action: NewAction): Promise<number | null> {
  if (!(await findTenant(tx, tenant)).exists) return null;
  const { last } = await tx.db
    .selectFrom('operator_actions')
    .select((eb) => eb.fn.max('seq').as('last'))
    .where('tenant_id', '=', tenant)
    .executeTakeFirstOrThrow();
  const seq = Number(last ?? 0) + 1;
  const { kind, target, changed, skipped, reason } = action;
  const row = { tenant_id: tenant, seq, at_ms: nowMs, actor: caller.actor, action: kind, target: targetText(target), changed, skipped, reason };
  await tx.db.insertInto('operator_actions').values(row).execute();
  await tx.db
    .deleteFrom('operator_actions')
    .where('tenant_id', '=', tenant)
    .where('seq', '<=', seq - LIMITS.operatorActionsMax)
    .execute();
  return seq;
}

/** Adds what a further step of the same call did. */
export async function addToAction({ tx, tenant }: Scene, seq: number, { changed, skipped }: Pick<NewAction, 'changed' | 'skipped'>): Promise<void> {
  await tx.db
    .updateTable('operator_actions')
    .set({ changed: sql<number>`(changed + ${changed})`, skipped: sql<number>`(skipped + ${skipped})` })
    .where('tenant_id', '=', tenant)
    .where('seq', '=', seq)
    .execute();
}

function targetText(target: ActionTarget): string {
  const text = JSON.stringify(target);
  if (utf8Bytes(text) <= LIMITS.operatorActionTargetBytesMax) return text;
  return JSON.stringify({ ...withLengths(target), truncated: true });
}

/** Lists by their lengths alone. What else there is has limits of its own. */
function withLengths(value: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(value).map(([name, held]: [string, unknown]) => {
    if (Array.isArray(held)) return [name, held.length];
    return [name, typeof held === 'object' && held !== null ? withLengths(held) : held];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

/** A filter of jobs in the words of the API, so that it can be asked again. */
export function filterTarget({ states, createdAt, runAt, finishedAt, ...lists }: JobFilter): ActionTarget {
  const ranges = Object.entries({ createdAt, runAt, finishedAt }).flatMap(([name, range]) =>
    range === undefined ? [] : [[name, { from: instant(range.fromMs), to: instant(range.toMs) }]],
  );
  return { ...lists, ...(states !== undefined && { states: states.map((state) => state.toUpperCase()) }), ...Object.fromEntries(ranges) };
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
