/** Works through an order in batches, until nothing is left, somebody stops it, or a batch fails. */
import { computed, signal } from '@preact/signals';
import type { BulkFieldsFragment, LeaseQueueError } from '../../client/index.ts';
import { systemClock } from '../../runtime/clock.ts';
import { heardOfError, lq } from '../api/session.ts';
import { asClientError } from '../api/use-loaded.ts';
import { askBulk, bounded, type BulkOrder, type Target } from './deeds.ts';

export type RunStatus = 'running' | 'stopping' | 'stopped' | 'done' | 'stuck' | 'failed';

export interface RunProgress {
  readonly status: RunStatus;
  readonly changed: number;
  readonly skipped: number;
  readonly left: BulkFieldsFragment['matched'];
  readonly samples: BulkFieldsFragment['samples'];
  readonly error: LeaseQueueError | null;
}

const BATCH_JOBS = 500;
const SAMPLES = 20;

export class BulkRun {
  readonly order: BulkOrder;
  readonly progress;
  readonly isUnderWay = computed(() => this.progress.value.status === 'running' || this.progress.value.status === 'stopping');
  readonly #onBatch: () => void;
  /** What is still to be asked for, one after the other; a filter stays until it has nothing more. */
  #targets: readonly Target[] | null = null;
  readonly #client = lq.peek();

  constructor(order: BulkOrder, matched: BulkFieldsFragment['matched'], onBatch: () => void) {
    this.order = order;
    this.#onBatch = onBatch;
    this.progress = signal<RunProgress>({ status: 'running', changed: 0, skipped: 0, left: matched, samples: [], error: null });
  }

  /** Begins, or goes on after a stop or a failure. Never rejects. */
  async go(): Promise<void> {
    this.#set({ status: 'running', error: null });
    try {
      this.#targets ??= await targetsOf(this.order);
      while (this.progress.value.status === 'running') await this.#batch();
    } catch (fault) {
      heardOfError(fault);
      this.#set({ status: 'failed', error: asClientError(fault) });
    }
    if (this.progress.value.status === 'stopping') this.#set({ status: 'stopped' });
  }

  /** After the batch that is under way. */
  stop(): void {
    if (this.progress.value.status === 'running') this.#set({ status: 'stopping' });
  }

  async #batch(): Promise<void> {
    const [target, ...others] = this.#targets ?? [];
    if (target === undefined) return this.#set({ status: 'done' });
    // Whoever looks at another tenant since has not asked for anything there.
    if (this.#client !== lq.peek()) return this.#set({ status: 'stopped' });
    const { perSecond = BATCH_JOBS, atMost = Number.POSITIVE_INFINITY } = this.order;
    const wanted = atMost - this.progress.value.changed;
    const answer = await askBulk({ ...this.order, target }, { dryRun: false, limit: Math.min(BATCH_JOBS, perSecond, wanted) });
    const isEnough = answer.changed >= wanted;
    const isStuck = !isEnough && answer.hasMore && answer.changed === 0;
    if (isEnough) this.#targets = [];
    else if (!answer.hasMore) this.#targets = others;
    this.#add(answer, 'ids' in target ? waitingIds(others) : null);
    // Where a call changed nothing, another one would not either.
    if (isStuck) this.#set({ status: 'stuck' });
    else if (this.#targets?.length === 0) this.#set({ status: 'done' });
    this.#onBatch();
    if (this.order.perSecond !== undefined && this.progress.value.status === 'running') await systemClock.sleep(1_000);
  }

  #add({ changed, skipped, matched, samples }: BulkFieldsFragment, idsLeft: number | null): void {
    const before = this.progress.value;
    const { atMost = Number.POSITIVE_INFINITY } = this.order;
    const there = Math.min(matched.value, atMost - before.changed);
    const left = idsLeft === null ? { value: Math.max(0, there - changed - skipped), exact: matched.exact } : { value: idsLeft, exact: true };
    this.#set({ changed: before.changed + changed, skipped: before.skipped + skipped, left, samples: [...before.samples, ...samples].slice(0, SAMPLES) });
  }

  #set(change: Partial<RunProgress>): void {
    this.progress.value = { ...this.progress.value, ...change };
  }
}

function waitingIds(targets: readonly Target[]): number {
  return targets.reduce((sum, target) => sum + ('ids' in target ? target.ids.length : 0), 0);
}

async function targetsOf({ deed, target }: BulkOrder): Promise<readonly Target[]> {
  if ('ids' in target) {
    const size = Math.ceil(target.ids.length / BATCH_JOBS);
    return Array.from({ length: size }, (_, index) => ({ ids: target.ids.slice(index * BATCH_JOBS, (index + 1) * BATCH_JOBS) }));
  }
  const { serverTime } = await lq.value.viewer();
  return [{ filter: bounded(target.filter, deed, serverTime) }];
}
