/** Creating and changing tenants. */
import type { Tenant } from '../../domain/access.ts';
import { failed, type NameTaken, type Outcome, succeeded, type TenantNotFound } from '../../domain/failures.ts';
import type { TenantId } from '../../domain/job.ts';
import { changedQuotas, type QuotaLevel, ungranted } from '../../domain/quotas.ts';
import type { NewTenant, TenantChange } from '../tenant-store.ts';
import { bumpAccessVersion } from '../access-version.ts';
import { type Scene, SERVER } from '../apply.ts';
import { recordAction } from '../audit-log.ts';
import { ownerOfName } from '../queries/all-tenants.ts';
import { readTenantRow } from '../queries/tenants.ts';
import { quotaColumns, quotaSettingsOf, tenantOf, type TenantRow } from '../rows.ts';
import type { Caller } from '../requests.ts';
import { InvalidRequest } from '../store.ts';
import { changeTenantRow, findTenant, insertTenantRow } from '../tenant-rows.ts';
import type { Writer } from '../transaction.ts';

type Issue = InvalidRequest['issues'][number];

export function createTenant(writer: Writer, { id, name, quotas }: NewTenant, caller: Caller = SERVER): Promise<Outcome<Tenant, NameTaken>> {
  const columns = quotaColumns(changedQuotas({ granted: {}, own: {} }, quotas, 'system'));
  return writer.write(async (tx, nowMs) => {
    if ((await findTenant(tx, id)).exists) return failed({ code: 'NAME_TAKEN', name: id });
    if ((await ownerOfName(tx.db, name)) !== null) return failed({ code: 'NAME_TAKEN', name });
    const row: TenantRow = { tenant_id: id, name, suspended: 0, created_at_ms: nowMs, ...columns };
    await insertTenantRow(tx, row);
    await bumpAccessVersion(tx, id);
    const target = { tenantId: id, name, quotas };
    await recordAction({ tx, tenant: id, caller, nowMs }, { kind: 'create_tenant', target, changed: 1, skipped: 0, reason: null });
    return succeeded(tenantOf(row));
  });
}

/** Renaming too: whether a name is taken would tell of other tenants. */
const SYSTEM_ONLY = ['name', 'suspended'] as const satisfies readonly (keyof TenantChange)[];

function beyondOwn(change: TenantChange): readonly Issue[] {
  const message = 'must be left out: only a key with the scope SYSTEM changes it';
  return SYSTEM_ONLY.filter((field) => change[field] !== undefined).map((field) => ({ path: ['input', field], message }));
}

export async function updateTenant(
  writer: Writer,
  id: TenantId,
  change: TenantChange,
  level: QuotaLevel,
  caller: Caller = SERVER,
): Promise<Outcome<Tenant, NameTaken | TenantNotFound>> {
  const beyond = level === 'own' ? beyondOwn(change) : [];
  if (beyond.length > 0) throw new InvalidRequest(beyond);
  const outcome = await writer.write((tx, nowMs) => changeInside({ tx, tenant: id, caller, nowMs }, change, level));
  // Thrown here and not inside: a transaction that fails makes those that share it run again, each in one of its own.
  if ('issues' in outcome) throw new InvalidRequest(outcome.issues);
  return outcome;
}

async function changeInside(
  scene: Scene,
  change: TenantChange,
  level: QuotaLevel,
): Promise<Outcome<Tenant, NameTaken | TenantNotFound> | { readonly issues: readonly Issue[] }> {
  const { tx, tenant: id } = scene;
  const { name, suspended, quotas = {} } = change;
  const row = await readTenantRow(tx.db, id);
  if (row === null) return failed({ code: 'TENANT_NOT_FOUND', id });
  const settings = quotaSettingsOf(row);
  const excessive = ungranted(settings, quotas, level);
  if (excessive.length > 0) return { issues: excessive.map(({ quota, max }) => ({ path: ['input', 'quotas', quota], message: ungrantedWords(max) })) };
  const owner = name === undefined ? null : await ownerOfName(tx.db, name);
  if (name !== undefined && owner !== null && owner !== id) return failed({ code: 'NAME_TAKEN', name });
  const changed: TenantRow = {
    ...row,
    ...(name !== undefined && { name }),
    ...(suspended !== undefined && { suspended: suspended ? 1 : 0 }),
    ...quotaColumns(changedQuotas(settings, quotas, level)),
  };
  if (JSON.stringify(changed) === JSON.stringify(row)) return succeeded(tenantOf(row));
  await changeTenantRow(tx, changed);
  await bumpAccessVersion(tx, id);
  await recordAction(scene, { kind: 'update_tenant', target: { tenantId: id, ...change }, changed: 1, skipped: 0, reason: null });
  return succeeded(tenantOf(changed));
}

const ungrantedWords = (max: number): string => `must be at most ${max}, which is what was granted: a key with the scope SYSTEM can raise it`;
