/** Claims that wait for a job. A commit wakes as many as there are jobs for, first come first served, and never all. */
import type { TenantId } from '../domain/job.ts';
import type { ReadyJob } from './tally.ts';

/** What a claim would take. */
export interface Wanted {
  readonly tenant: TenantId;
  readonly queues: readonly string[];
  /** Null: any task. */
  readonly tasks: readonly string[] | null;
}

/** A claim that may have to wait. While it looks for a job itself, news are kept for it; while it waits, they wake it. */
export interface Waiter {
  /** Ends as soon as a job may be there that came after the last look began, or the signal aborts. */
  news(signal: AbortSignal): Promise<void>;
  /** It looks now: what came in until here is acted on. */
  look(): void;
  /** It waits no more. News that it did not act on go to the next. */
  leave(): void;
}

class Entry implements Waiter {
  readonly wanted: Wanted;
  readonly #left: (entry: Entry) => void;
  #hasNews = false;
  #wake: (() => void) | null = null;

  constructor(wanted: Wanted, left: (entry: Entry) => void) {
    this.wanted = wanted;
    this.#left = left;
  }

  get isWaiting(): boolean {
    return this.#wake !== null && !this.#hasNews;
  }

  get hasNews(): boolean {
    return this.#hasNews;
  }

  notify(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  news(signal: AbortSignal): Promise<void> {
    if (this.#hasNews || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        this.#wake = null;
        signal.removeEventListener('abort', end);
        resolve();
      };
      this.#wake = end;
      signal.addEventListener('abort', end, { once: true });
    });
  }

  look(): void {
    this.#hasNews = false;
  }

  leave(): void {
    this.#left(this);
  }
}

const suits = ({ queues, tasks }: Wanted, { queue, task }: ReadyJob): boolean => queues.includes(queue) && (tasks === null || tasks.includes(task));

/** True where a job that the one wants may be one that the other wants. */
const overlap = (one: Wanted, other: Wanted): boolean =>
  one.queues.some((queue) => other.queues.includes(queue)) &&
  (one.tasks === null || other.tasks === null || one.tasks.some((task) => other.tasks?.includes(task)));

export class ClaimWaiters {
  readonly #entries = new Map<TenantId, Set<Entry>>();
  readonly #stop = new AbortController();

  /** Aborts when no claim may wait any more. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Call it before the first look, so that nothing which comes in during the look is missed. */
  join(wanted: Wanted): Waiter {
    const entry = new Entry(wanted, (gone) => this.#remove(gone));
    const entries = this.#entries.get(wanted.tenant) ?? new Set();
    this.#entries.set(wanted.tenant, entries.add(entry));
    return entry;
  }

  /** For each job, wakes the first that waits for it, and tells those that are looking and may miss it. */
  wake(jobs: readonly ReadyJob[]): void {
    for (const job of jobs) this.#announce(job.tenant, (wanted) => suits(wanted, job));
  }

  /** Wakes every claim that waits on the queue, as when it is resumed. */
  wakeQueue(tenant: TenantId, queue: string): void {
    for (const entry of this.#entries.get(tenant) ?? []) if (entry.wanted.queues.includes(queue)) entry.notify();
  }

  stop(): void {
    this.#stop.abort();
  }

  #announce(tenant: TenantId, concerns: (wanted: Wanted) => boolean): void {
    let isTaken = false;
    for (const entry of this.#entries.get(tenant) ?? []) {
      if (entry.hasNews || (entry.isWaiting && isTaken) || !concerns(entry.wanted)) continue;
      isTaken ||= entry.isWaiting;
      entry.notify();
    }
  }

  #remove(entry: Entry): void {
    const { tenant } = entry.wanted;
    const entries = this.#entries.get(tenant);
    entries?.delete(entry);
    if (entries?.size === 0) this.#entries.delete(tenant);
    if (entry.hasNews) this.#announce(tenant, (wanted) => overlap(wanted, entry.wanted));
  }
}
