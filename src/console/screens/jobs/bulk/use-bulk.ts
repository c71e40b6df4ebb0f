/** A change of many jobs, from the wish to its end: one at a time. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { tell } from '../../../api/toasts.ts';
import type { CappedCount } from '../count.tsx';
import { type BulkOrder, DEED_WORDS } from '../../../bulk/deeds.ts';
import { BulkRun } from '../../../bulk/run.ts';
import type { Wish } from './wish.ts';

export interface Bulk {
  readonly wish: Wish | null;
  readonly run: BulkRun | null;
  /** Nothing else can be started. */
  readonly isBusy: boolean;
  /** Counts the batches that were done, so that others can look again. */
  readonly batches: number;
  readonly want: (wish: Wish) => void;
  readonly leave: () => void;
  readonly start: (order: BulkOrder, matched: CappedCount) => void;
  readonly forget: () => void;
}

export function useBulk(): Bulk {
  const wish = useSignal<Wish | null>(null);
  const run = useSignal<BulkRun | null>(null);
  const batches = useSignal(0);
  useRunEnds(run.value);
  const start = (order: BulkOrder, matched: CappedCount): void => {
    wish.value?.onStart();
    wish.value = null;
    run.value = new BulkRun(order, matched, () => (batches.value += 1));
    void run.value.go();
  };
  return {
    wish: wish.value,
    run: run.value,
    isBusy: run.value?.isUnderWay.value === true,
    batches: batches.value,
    want: (wanted) => void (wish.value = wanted),
    leave: () => void (wish.value = null),
    start,
    forget: () => void (run.value = null),
  };
}

/** Leaving with the screen stops the run, and says so. */
function useRunEnds(run: BulkRun | null): void {
  useEffect(() => {
    if (run === null) return;
    const warn = (event: BeforeUnloadEvent): void => {
      if (run.isUnderWay.peek()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
      if (!run.isUnderWay.peek()) return;
      run.stop();
      tell(`${DEED_WORDS[run.order.deed].doing} was stopped, because you left the list of jobs.`);
    };
  }, [run]);
}
