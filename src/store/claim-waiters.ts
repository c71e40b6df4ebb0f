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

/** Whoever would hear of a job in one queue: those that have no news yet, in the order in which they came. */
class Line {
  readonly #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  add(entry: Entry): void {
    this.#entries.splice(this.#placeOf(entry), 0, entry);
  }

  remove(entry: Entry): void {
    const place = this.#placeOf(entry);
    if (this.#entries[place] === entry) this.#entries.splice(place, 1);
  }

  /** In order; whoever is told meanwhile has left the line. */
  suitable(concerns: (wanted: Wanted) => boolean): readonly Entry[] {
    const found: Entry[] = [];
    for (const entry of this.#entries) {
      if (!concerns(entry.wanted)) continue;
      found.push(entry);
      if (entry.isWaiting) break;
    }
    return found;
  }

  all(): readonly Entry[] {
    return [...this.#entries];
  }

  #placeOf({ turn }: Entry): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.turn ?? turn) < turn) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Lines {
  /** Without news: to be told of the next job. */
  enter(entry: Entry): void;
  leave(entry: Entry): void;
  /** Gone for good: what it was told and did not act on goes to another. */
  passOn(entry: Entry): void;
}

class Entry implements Waiter {
  readonly wanted: Wanted;
  /** Lower came first. */
  readonly turn: number;
  readonly #lines: Lines;
  #hasNews = false;
  #wake: (() => void) | null = null;

  constructor(wanted: Wanted, turn: number, lines: Lines) {
    this.wanted = wanted;
    this.turn = turn;
    this.#lines = lines;
    lines.enter(this);
  }

  get isWaiting(): boolean {
    return this.#wake !== null;
  }

  get hasNews(): boolean {
    return this.#hasNews;
  }

  notify(): void {
    this.#hasNews = true;
    this.#lines.leave(this);
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
    if (this.#hasNews) this.#lines.enter(this);
    this.#hasNews = false;
  }

  leave(): void {
    this.#lines.leave(this);
    this.#lines.passOn(this);
  }
}

const suits = ({ queues, tasks }: Wanted, { queue, task }: ReadyJob): boolean => queues.includes(queue) && (tasks === null || tasks.includes(task));

/** True where a job that the one wants may be one that the other wants. */
const overlap = (one: Wanted, other: Wanted): boolean =>
  one.queues.some((queue) => other.queues.includes(queue)) &&
  (one.tasks === null || other.tasks === null || one.tasks.some((task) => other.tasks?.includes(task)));

const lineKey = (tenant: TenantId, queue: string): string => `${tenant}\n${queue}`;

export class ClaimWaiters {
  readonly #lines = new Map<string, Line>();
  readonly #stop = new AbortController();
  #turns = 0;

  /** Aborts when no claim may wait any more. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Call it before the first look, so that nothing which comes in during the look is missed. */
  join(wanted: Wanted): Waiter {
    return new Entry(wanted, this.#turns++, {
      enter: (entry) => this.#enter(entry),
      leave: (entry) => this.#leave(entry),
      passOn: (entry) => this.#passOn(entry),
    });
  }

  /**
   * For each job, wakes the first that waits for it, and tells those that are looking and may miss it. True where
   * somebody who waits was woken.
   */
  wake(jobs: readonly ReadyJob[]): boolean {
    if (this.#lines.size === 0) return false;
    let isAnyTaken = false;
    for (const job of jobs) isAnyTaken = this.#announce(job.tenant, job.queue, (wanted) => suits(wanted, job)) || isAnyTaken;
    return isAnyTaken;
  }

  /** Wakes every claim that waits on the queue, as when it is resumed. */
  wakeQueue(tenant: TenantId, queue: string): void {
    for (const entry of this.#lines.get(lineKey(tenant, queue))?.all() ?? []) entry.notify();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** True where somebody who waits was woken. */
  #announce(tenant: TenantId, queue: string, concerns: (wanted: Wanted) => boolean): boolean {
    const told = this.#lines.get(lineKey(tenant, queue))?.suitable(concerns) ?? [];
    const isTaken = told.some((entry) => entry.isWaiting);
    for (const entry of told) entry.notify();
    return isTaken;
  }

  #enter(entry: Entry): void {
    for (const queue of new Set(entry.wanted.queues)) {
      const key = lineKey(entry.wanted.tenant, queue);
      const line = this.#lines.get(key) ?? new Line();
      this.#lines.set(key, line);
      line.add(entry);
    }
  }

  #leave(entry: Entry): void {
    for (const queue of entry.wanted.queues) {
      const key = lineKey(entry.wanted.tenant, queue);
      const line = this.#lines.get(key);
      line?.remove(entry);
      if (line?.size === 0) this.#lines.delete(key);
    }
  }

  #passOn({ wanted, hasNews }: Entry): void {
    if (hasNews) wanted.queues.some((queue) => this.#announce(wanted.tenant, queue, (other) => overlap(wanted, other)));
  }
}
