/** Claims that wait for a job. A commit wakes as many as there are jobs for, first come first served, and never all. */
import type { TenantId } from '../domain/job.ts';
import type { ReadyJob } from './tally.ts';

/** What a waiting claim would take. */
export interface Wanted {
  readonly tenant: TenantId;
  readonly queues: readonly string[];
  /** Null: any task. */
  readonly tasks: readonly string[] | null;
}

interface Waiter extends Wanted {
  readonly wake: () => void;
}

function suits(waiter: Wanted, { tenant, queue, task }: ReadyJob): boolean {
  return waiter.tenant === tenant && waiter.queues.includes(queue) && (waiter.tasks === null || waiter.tasks.includes(task));
}

export class ClaimWaiters {
  readonly #waiting = new Map<TenantId, Set<Waiter>>();
  readonly #generations = new Map<TenantId, number>();
  readonly #stop = new AbortController();

  /** Aborts when no claim may wait any more. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Sample it before looking for a job: a job that comes in between then ends the wait at once. */
  generation(tenant: TenantId): number {
    return this.#generations.get(tenant) ?? 0;
  }

  /** Ends when a job may be there, or when the signal aborts. Answers true if it was woken for a job. */
  async wait(wanted: Wanted, sampled: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.generation(wanted.tenant) !== sampled) return true;
    return new Promise((resolve) => {
      const end = (woken: boolean): void => {
        this.#remove(waiter);
        signal.removeEventListener('abort', onAbort);
        resolve(woken);
      };
      const onAbort = (): void => end(false);
      const waiter: Waiter = { ...wanted, wake: () => end(true) };
      signal.addEventListener('abort', onAbort, { once: true });
      const waiters = this.#waiting.get(wanted.tenant) ?? new Set();
      this.#waiting.set(wanted.tenant, waiters.add(waiter));
    });
  }

  /** One waiter for each job; each is removed, and comes back if the job was gone. */
  wake(jobs: readonly ReadyJob[]): void {
    for (const job of jobs) {
      this.#generations.set(job.tenant, this.generation(job.tenant) + 1);
      for (const waiter of this.#waiting.get(job.tenant) ?? []) {
        if (!suits(waiter, job)) continue;
        waiter.wake();
        break;
      }
    }
  }

  /** A woken claim that cannot take its job any more hands the news on. */
  passOn({ tenant, queues, tasks }: Wanted): void {
    const next = [...(this.#waiting.get(tenant) ?? [])].find(
      (waiter) =>
        waiter.queues.some((queue) => queues.includes(queue)) && (tasks === null || waiter.tasks === null || waiter.tasks.some((task) => tasks.includes(task))),
    );
    next?.wake();
  }

  /** Wakes every claim that waits on the queue, as when it is resumed. */
  wakeQueue(tenant: TenantId, queue: string): void {
    this.#generations.set(tenant, this.generation(tenant) + 1);
    for (const waiter of [...(this.#waiting.get(tenant) ?? [])]) if (waiter.queues.includes(queue)) waiter.wake();
  }

  stop(): void {
    this.#stop.abort();
  }

  #remove(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.tenant);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(waiter.tenant);
  }
}
