/** API keys: made, revoked, and their last use noted. */
import type { Kysely, Selectable } from 'kysely';
import { type ApiKey, type KeyUse, QUOTAS, type Scope, type StoredKey } from '../../domain/access.ts';
import { type ApiKeyNotFound, failed, type NameTaken, type Outcome, type QuotaExceeded, succeeded, type TenantNotFound } from '../../domain/failures.ts';
import type { TenantId } from '../../domain/job.ts';
import { bumpAccessVersion } from '../access-version.ts';
import { SERVER } from '../apply.ts';
import { recordAction } from '../audit-log.ts';
import type { NewKey } from '../key-store.ts';
import { readTenantRow } from '../queries/tenants.ts';
import type { Caller } from '../requests.ts';
import type { ApiKeyTable, Tables } from '../tables.ts';
import { ensureTenantRow, findTenant } from '../tenant-rows.ts';
import type { Tx } from '../transaction.ts';
import type { OperationParts } from './facts.ts';

type KeyRow = Selectable<ApiKeyTable>;

function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    tenant: row.tenant_id,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    queues: JSON.parse(row.queues) as string[],
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
  };
}

const rowsOf = (db: Kysely<Tables>, tenant: TenantId) => db.selectFrom('api_keys').where('tenant_id', '=', tenant);

export async function findKey(db: Kysely<Tables>, tenant: TenantId, id: string): Promise<StoredKey | null> {
  const row = await rowsOf(db, tenant).selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const owner = await readTenantRow(db, tenant);
  return { key: keyOf(row), secretHash: row.secret_hash, isSuspended: owner?.suspended !== 0 };
}

export async function hasTenant(db: Kysely<Tables>, tenant: TenantId): Promise<boolean> {
  return (await readTenantRow(db, tenant)) !== null;
}

export async function keys(db: Kysely<Tables>, tenant: TenantId): Promise<readonly ApiKey[]> {
  const rows = await rowsOf(db, tenant).selectAll().orderBy('created_at_ms', 'desc').orderBy('id').limit(QUOTAS.maxApiKeys.max).execute();
  return rows.map(keyOf);
}

export function createKey(
  parts: OperationParts,
  tenant: TenantId,
  key: NewKey,
  createsTenant: boolean,
  caller: Caller = SERVER,
): Promise<Outcome<ApiKey, NameTaken | TenantNotFound | QuotaExceeded>> {
  return parts.writer.write(async (tx, nowMs) => {
    if (createsTenant) await ensureTenantRow(tx, tenant, nowMs);
    const owner = await findTenant(tx, tenant);
    if (!owner.exists) return failed({ code: 'TENANT_NOT_FOUND', id: tenant });
    if (await isNameTaken(tx, tenant, key.name)) return failed({ code: 'NAME_TAKEN', name: key.name });
    const { maxApiKeys } = owner.quotas;
    if (!(await makeRoom(tx, tenant, maxApiKeys))) return failed({ code: 'QUOTA_EXCEEDED', quota: 'maxApiKeys', limit: maxApiKeys });
    const row: KeyRow = {
      tenant_id: tenant,
      id: key.id,
      name: key.name,
      secret_hash: key.secretHash,
      scopes: JSON.stringify(key.scopes),
      queues: JSON.stringify(key.queues),
      created_at_ms: nowMs,
      last_used_at_ms: null,
      expires_at_ms: key.expiresAtMs,
      revoked_at_ms: null,
    };
    await tx.db.insertInto('api_keys').values(row).execute();
    await bumpAccessVersion(tx, tenant);
    const target = { keyId: key.id, name: key.name, scopes: key.scopes, queues: key.queues };
    await recordAction({ tx, tenant, caller, nowMs }, { kind: 'create_api_key', target, changed: 1, skipped: 0, reason: null });
    return succeeded(keyOf(row));
  });
}

async function isNameTaken({ db }: Tx, tenant: TenantId, name: string): Promise<boolean> {
  const row = await rowsOf(db, tenant).select('id').where('name', '=', name).where('revoked_at_ms', 'is', null).executeTakeFirst();
  return row !== undefined;
}

/** At the quota, the key that was revoked longest ago gives way. False where none is revoked. */
async function makeRoom({ db }: Tx, tenant: TenantId, keysMax: number): Promise<boolean> {
  const { found } = await rowsOf(db, tenant)
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  if (Number(found) < keysMax) return true;
  const oldest = await rowsOf(db, tenant).select('id').where('revoked_at_ms', 'is not', null).orderBy('revoked_at_ms').executeTakeFirst();
  if (oldest === undefined) return false;
  await db.deleteFrom('api_keys').where('tenant_id', '=', tenant).where('id', '=', oldest.id).execute();
  return true;
}

export function revokeKey(parts: OperationParts, tenant: TenantId, id: string, caller: Caller = SERVER): Promise<Outcome<ApiKey, ApiKeyNotFound>> {
  return parts.writer.write(async (tx, nowMs) => {
    const row = await rowsOf(tx.db, tenant).selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) return failed({ code: 'API_KEY_NOT_FOUND', id });
    if (row.revoked_at_ms !== null) return succeeded(keyOf(row));
    await tx.db.updateTable('api_keys').set({ revoked_at_ms: nowMs }).where('tenant_id', '=', tenant).where('id', '=', id).execute();
    await bumpAccessVersion(tx, tenant);
    const target = { keyId: id, name: row.name };
    await recordAction({ tx, tenant, caller, nowMs }, { kind: 'revoke_api_key', target, changed: 1, skipped: 0, reason: null });
    return succeeded(keyOf({ ...row, revoked_at_ms: nowMs }));
  });
}

/** Not a change of what a key may do: nobody needs to hear of it. */
export function noteKeyUses(parts: OperationParts, uses: readonly KeyUse[]): Promise<void> {
  return parts.writer.write(async ({ db }) => {
    for (const { tenant, id, atMs } of uses) {
      await db.updateTable('api_keys').set({ last_used_at_ms: atMs }).where('tenant_id', '=', tenant).where('id', '=', id).execute();
    }
  });
}
