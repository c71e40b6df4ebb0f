/** Row types of the groups of dead letters. */
import type { TenantId } from '../domain/job.ts';

/** Dead letters of one queue and task that died of the same error: as many as there are jobs that name it, and at least one. */
export interface DeadGroupTable {
  readonly tenant_id: TenantId;
  readonly id: string;
  readonly queue_name: string;
  readonly task: string;
  readonly error_type: string | null;
  /** Of the latest, cut. */
  readonly message: string;
  readonly count: number;
  readonly first_at_ms: number;
  readonly last_at_ms: number;
}

/** How many jobs of a group died within an hour, whether or not they are dead still. */
export interface DeadGroupActivityTable {
  readonly tenant_id: TenantId;
  readonly group_id: string;
  readonly bucket_ms: number;
  readonly died: number;
}
