/** Setting the rules of redaction, and giving an edited payload back the values that they hid. */
import { failed, type Outcome, succeeded, type VersionConflict } from '../../domain/failures.ts';
import type { TenantId } from '../../domain/job.ts';
import { canonicalJson, parseJson, utf8Bytes } from '../../domain/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { createRedaction, REDACTED, type RedactionRules } from '../../domain/redaction.ts';
import { restoreHidden } from '../../domain/restore-hidden.ts';
import { bumpAccessVersion } from '../access-version.ts';
import type { Scene } from '../apply.ts';
import { recordAction } from '../audit-log.ts';
import { locateById } from '../locate.ts';
import { readRedactionRules } from '../queries/redaction-rules.ts';
import type { Caller, RedactionRulesRequest } from '../requests.ts';
import type { InvalidRequest } from '../store.ts';
import { ensureTenantRow } from '../tenant-rows.ts';
import type { Writer } from '../transaction.ts';

export function setRedactionRules(
  writer: Writer,
  tenant: TenantId,
  caller: Caller,
  { rules, expectedVersion }: RedactionRulesRequest,
): Promise<Outcome<RedactionRules, VersionConflict>> {
  return writer.write(async (tx, nowMs) => {
    const known = await readRedactionRules(tx.db, tenant);
    if (expectedVersion !== null && expectedVersion !== known.version) return failed({ code: 'VERSION_CONFLICT', currentVersion: known.version });
    const text = JSON.stringify(rules);
    if (text === JSON.stringify(known.rules)) return succeeded(known);
    // Where nobody signs in, a tenant exists by being named.
    await ensureTenantRow(tx, tenant, nowMs);
    const changed = { rules, version: known.version + 1 };
    await tx.db
      .insertInto('redaction_rules')
      .values({ tenant_id: tenant, version: changed.version, rules: text })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ version: changed.version, rules: text }))
      .execute();
    await bumpAccessVersion(tx, tenant);
    const target = { rules: rules.length, version: changed.version };
    await recordAction({ tx, tenant, caller, nowMs }, { kind: 'set_redaction_rules', target, changed: 1, skipped: 0, reason: null });
    return succeeded(changed);
  });
}

const MARK = JSON.stringify(REDACTED);
const PAYLOAD = ['input', 'payload'];

type Edited = { readonly payloadJson: string | null } | { readonly issues: InvalidRequest['issues'] };

/** The payload with the job's own values wherever it has the mark of one that the rules hide. */
export async function withHiddenValues({ tx, tenant }: Scene, jobId: string, payloadJson: string | null): Promise<Edited> {
  if (payloadJson?.includes(MARK) !== true) return { payloadJson };
  const located = await locateById(tx, tenant, jobId);
  const hidden = located === null ? null : (createRedaction((await readRedactionRules(tx.db, tenant)).rules)?.hiddenIn(located.job.task) ?? null);
  if (located === null || hidden === null) return { payloadJson };
  const given = parseJson(payloadJson);
  const faults = restoreHidden(given, parseJson(located.job.payloadJson), hidden);
  if (faults.length > 0) return { issues: faults.map(({ path, message }) => ({ path: [...PAYLOAD, ...path], message })) };
  const whole = canonicalJson(given);
  const bytes = utf8Bytes(whole);
  if (bytes <= LIMITS.payloadBytesMax) return { payloadJson: whole };
  return { issues: [{ path: PAYLOAD, message: `has ${bytes} bytes as JSON with its hidden values, the limit is ${LIMITS.payloadBytesMax}` }] };
}
