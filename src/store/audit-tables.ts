/** Row types of what operators did, and of what they hide. */
import type { OperatorActionKind } from '../domain/audit.ts';
import type { TenantId } from '../domain/job.ts';

/** What operators did. The oldest go first, so that the numbers of those that are kept have no gaps but by age. */
export interface OperatorActionTable {
  readonly tenant_id: TenantId;
  readonly seq: number;
  readonly at_ms: number;
  readonly actor: string | null;
  readonly action: OperatorActionKind;
  /** JSON object. */
  readonly target: string;
  readonly changed: number;
  readonly skipped: number;
  readonly reason: string | null;
}

/** A tenant that never set any has no row. */
export interface RedactionRulesTable {
  readonly tenant_id: TenantId;
  readonly version: number;
  /** JSON array. */
  readonly rules: string;
}
