/** Reading the rules of redaction. */
import type { Kysely } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import type { RedactionRule, RedactionRules } from '../../domain/redaction.ts';
import type { Tables } from '../tables.ts';

const NONE: RedactionRules = { rules: [], version: 0 };

export async function readRedactionRules(db: Kysely<Tables>, tenant: TenantId): Promise<RedactionRules> {
  const row = await db.selectFrom('redaction_rules').selectAll().where('tenant_id', '=', tenant).executeTakeFirst();
  return row === undefined ? NONE : { rules: JSON.parse(row.rules) as RedactionRule[], version: row.version };
}
