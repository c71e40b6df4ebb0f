/** Reading what operators did. */
import type { Kysely, Selectable } from 'kysely';
import type { OperatorAction, OperatorActionKind } from '../../domain/audit.ts';
import type { TenantId } from '../../domain/job.ts';
import type { Page } from '../answers.ts';
import type { PageRequest } from '../requests.ts';
import type { OperatorActionTable } from '../audit-tables.ts';
import type { Tables } from '../tables.ts';
import { pageOf, rowsToRead } from './page.ts';

function actionOf(row: Selectable<OperatorActionTable>): OperatorAction {
  return {
    seq: row.seq,
    atMs: row.at_ms,
    actor: row.actor,
    kind: row.action,
    targetJson: row.target,
    changed: row.changed,
    skipped: row.skipped,
    reason: row.reason,
  };
}

/** Newest first. Keys are `[seq]`. */
export async function operatorActions(
  db: Kysely<Tables>,
  tenant: TenantId,
  kinds: readonly OperatorActionKind[] | null,
  request: PageRequest,
): Promise<Page<OperatorAction>> {
  let query = db.selectFrom('operator_actions').selectAll().where('tenant_id', '=', tenant);
  if (kinds !== null) query = query.where('action', 'in', kinds);
  if (request.after !== null) query = query.where('seq', '<', Number(request.after[0]));
  if (request.before !== null) query = query.where('seq', '>', Number(request.before[0]));
  const rows = await query
    .orderBy('seq', request.fromEnd ? 'asc' : 'desc')
    .limit(rowsToRead(request))
    .execute();
  return pageOf(rows, request, ({ seq }) => [seq], actionOf);
}
