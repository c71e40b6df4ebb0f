/** A change of many jobs, a batch at a time: what was done, what was passed over and why, and how to stop it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { BulkFieldsFragment, LeaseQueueError } from '../../client/index.ts';
import { systemClock } from '../../runtime/clock.ts';
import { heardOfError } from './session.ts';
import { asClientError } from './use-loaded.ts';

/** Jobs of one request: each is one transaction, between which others have their turn. */
const BATCH = 250;
const SAMPLES = 20;

export interface BulkProgress {
  readonly status: 'running' | 'done' | 'stopped' | 'failed';
  readonly changed: number;
  readonly skipped: number;
  readonly samples: BulkFieldsFragment['samples'];
  readonly error: LeaseQueueError | null;
}

export interface BulkPlan {
  /** Changes `limit` jobs at most and answers what it did. */
  readonly step: (limit: number) => Promise<BulkFieldsFragment>;
  /** Jobs in all at most; every one where absent. */
  readonly atMost?: number | undefined;
  /** Jobs a second at most; as fast as the server goes where absent. */
  readonly perSecond?: number | undefined;
}

export interface BulkRun {
  /** Null before it was started. */
  readonly progress: BulkProgress | null;
  readonly start: (plan: BulkPlan) => void;
  readonly stop: () => void;
}

const START: BulkProgress = { status: 'running', changed: 0, skipped: 0, samples: [], error: null };

/** Stops with the component that started it: what was done stays done. */
export function useBulkRun(): BulkRun {
  const progress = useSignal<BulkProgress | null>(null);
  const over = useRef(new AbortController());
  useEffect(() => () => over.current.abort(), []);

  const run = async (plan: BulkPlan, signal: AbortSignal): Promise<void> => {
    let now = START;
    const say = (change: Partial<BulkProgress>): void => {
      now = { ...now, ...change };
      progress.value = now;
    };
    say({});
    try {
      for (let hasMore = true; hasMore && !signal.aborted; ) {
        const left = (plan.atMost ?? Number.POSITIVE_INFINITY) - now.changed;
        const done = await plan.step(Math.min(BATCH, left, plan.perSecond ?? BATCH));
        say({ changed: now.changed + done.changed, skipped: now.skipped + done.skipped, samples: [...now.samples, ...done.samples].slice(0, SAMPLES) });
        // A batch that only passes over jobs would pass over the same ones again.
        hasMore = done.hasMore && done.changed > 0 && now.changed < (plan.atMost ?? Number.POSITIVE_INFINITY);
        if (hasMore && plan.perSecond !== undefined) await systemClock.sleep(1_000, signal);
      }
      say({ status: signal.aborted ? 'stopped' : 'done' });
    } catch (fault) {
      heardOfError(fault);
      say({ status: 'failed', error: asClientError(fault) });
    }
  };

  return {
    progress: progress.value,
    start: (plan) => {
      over.current = new AbortController();
      void run(plan, over.current.signal);
    },
    stop: () => over.current.abort(),
  };
}
