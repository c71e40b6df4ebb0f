/** How many event feeds each tenant follows at this server, over all transports. */
import type { TenantId } from '../domain/job.ts';
import type { FeedObserver } from '../feed/tail.ts';

export class OpenFeeds {
  readonly #open = new Map<TenantId, number>();

  of(tenant: TenantId): number {
    return this.#open.get(tenant) ?? 0;
  }

  /** The same observer, whose feed counts as the tenant's while it is open. */
  counting(tenant: TenantId, observer: FeedObserver): FeedObserver {
    return {
      ...observer,
      opened: () => {
        this.#open.set(tenant, this.of(tenant) + 1);
        observer.opened();
      },
      closed: () => {
        const left = this.of(tenant) - 1;
        if (left > 0) this.#open.set(tenant, left);
        else this.#open.delete(tenant);
        observer.closed();
      },
    };
  }
}
