/**
 * The rules of redaction of the tenants that were read lately, so that a read costs no look at the database. What
 * changes is forgotten at once; a look that was on its way then is not remembered.
 */
import type { TenantId } from '../domain/job.ts';
import { createRedaction, type Redaction } from '../domain/redaction.ts';
import type { TenantStore } from '../store/tenant-store.ts';

const TENANTS_MAX = 10_000;

export class RuleBook {
  readonly #store: Pick<TenantStore, 'redactionRules'>;
  #known = new Map<TenantId, Redaction | null>();

  constructor(store: Pick<TenantStore, 'redactionRules'>) {
    this.#store = store;
  }

  /** Null for a tenant without rules. At once where they are known; rejects where they cannot be read, so that nothing is shown without them. */
  of(tenant: TenantId): Redaction | null | Promise<Redaction | null> {
    const known = this.#known.get(tenant);
    return known === undefined ? this.#load(tenant) : known;
  }

  /** Every rule is looked up again before anything is shown. */
  forget(): void {
    this.#known = new Map();
  }

  async #load(tenant: TenantId): Promise<Redaction | null> {
    const known = this.#known;
    const redaction = createRedaction((await this.#store.redactionRules(tenant)).rules);
    if (known !== this.#known) return redaction;
    if (known.size >= TENANTS_MAX) known.clear();
    known.set(tenant, redaction);
    return redaction;
  }
}
