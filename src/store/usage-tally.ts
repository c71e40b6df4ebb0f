/** What one transaction adds to what its tenants use of their quotas. Written once per commit and tenant. */
import type { StoredUsage } from '../domain/access.ts';
import type { TenantId } from '../domain/job.ts';
import { type Session, statement } from './statements.ts';

/** Changes, which may be below zero. */
export type UsageChange = { -readonly [Figure in keyof StoredUsage]: number };

const ADD_TO_USAGE = statement((db, values: UsageChange & { readonly tenant: TenantId }) =>
  db
    .updateTable('tenant_usage')
    .set((eb) => ({
      waiting: eb('waiting', '+', values.waitingJobs),
      queues: eb('queues', '+', values.queues),
      stored_bytes: eb('stored_bytes', '+', values.storedBytes),
    }))
    .where('tenant_id', '=', values.tenant),
);

export class UsageTally {
  readonly #changes = new Map<TenantId, UsageChange>();

  /** To be added to. */
  of(tenant: TenantId): UsageChange {
    const known = this.#changes.get(tenant);
    if (known !== undefined) return known;
    const change: UsageChange = { waitingJobs: 0, queues: 0, storedBytes: 0 };
    this.#changes.set(tenant, change);
    return change;
  }

  async flush(session: Session): Promise<void> {
    for (const [tenant, change] of this.#changes) {
      if (change.waitingJobs === 0 && change.queues === 0 && change.storedBytes === 0) continue;
      const changed = await session.change(ADD_TO_USAGE, { tenant, ...change });
      if (changed !== 1) throw new Error(`tenant ${tenant} has queues but no row`);
    }
  }
}
