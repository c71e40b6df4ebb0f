/**
 * Wakes the followers of a tenant after its log grew. It carries no data: whoever is woken reads the log. The
 * generation is sampled before a read, so that what is committed during the read is not missed.
 */
import type { TenantId } from '../domain/job.ts';

/** One follower's ear. State per tenant lives only as long as somebody listens. */
export interface WakeUpListener {
  generation(): number;
  /** Ends as soon as the generation is another one than the given, or the signal aborts; never rejects. */
  wait(generation: number, signal: AbortSignal): Promise<void>;
  /** Starts `watch`, which rings where nobody else did, unless one runs for the tenant. It ends with the last listener. */
  backUp(watch: Watch): void;
  close(): void;
}
export type Watch = (ring: () => void, signal: AbortSignal) => Promise<void>;

interface Bell {
  generation: number;
  readonly listeners: Set<WakeUpListener>;
  readonly waiting: Set<() => void>;
  watching: AbortController | null;
}

export class WakeUp {
  readonly #bells = new Map<TenantId, Bell>();

  /** Followers of all tenants. */
  get listeners(): number {
    return [...this.#bells.values()].reduce((sum, bell) => sum + bell.listeners.size, 0);
  }

  wake(tenant: TenantId): void {
    const bell = this.#bells.get(tenant);
    if (bell !== undefined) ring(bell);
  }

  listen(tenant: TenantId): WakeUpListener {
    const bell = this.#bells.get(tenant) ?? { generation: 0, listeners: new Set(), waiting: new Set(), watching: null };
    this.#bells.set(tenant, bell);
    const listener: WakeUpListener = {
      generation: () => bell.generation,
      wait: (generation, signal) => (bell.generation === generation ? nextRing(bell, signal) : Promise.resolve()),
      backUp: (watch) => {
        if (bell.watching !== null) return;
        bell.watching = new AbortController();
        void watch(() => ring(bell), bell.watching.signal);
      },
      close: () => {
        bell.listeners.delete(listener);
        if (bell.listeners.size > 0) return;
        bell.watching?.abort();
        if (this.#bells.get(tenant) === bell) this.#bells.delete(tenant);
      },
    };
    bell.listeners.add(listener);
    return listener;
  }
}

function ring(bell: Bell): void {
  bell.generation += 1;
  for (const end of bell.waiting) end();
}

function nextRing(bell: Bell, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      bell.waiting.delete(end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    bell.waiting.add(end);
    signal.addEventListener('abort', end, { once: true });
  });
}
