/** What a screen asks once, or again and again: the latest answer, its age, and what went wrong since. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { LeaseQueueError } from '../../client/index.ts';
import { systemClock } from '../../runtime/clock.ts';
import { heardOfError, lq, session } from './session.ts';
import { isVisible } from './time.ts';

export interface Loaded<Value> {
  /** The latest answer, also while the next one is awaited or fails; null before the first. */
  readonly value: Value | null;
  /** The question that `value` answers; null before the first answer. */
  readonly of: string | null;
  /** Why the latest try failed; null where it did not. */
  readonly error: LeaseQueueError | null;
  readonly isLoading: boolean;
  /** Asks again now. */
  readonly reload: () => void;
}

export interface LoadOptions<Value> {
  /** Asks again after so many milliseconds, while the page can be seen. */
  readonly everyMs?: number;
  /** True of an answer after which there is nothing more to be learnt. */
  readonly isFinal?: (value: Value) => boolean;
  /** Shows the answer to another question until the new one is there. */
  readonly isKept?: boolean;
}

interface State<Value> {
  readonly of: string | null;
  readonly value: Value | null;
  readonly error: LeaseQueueError | null;
  readonly isLoading: boolean;
}

/** Any fault in the words of the client: what is none is a fault of the console itself. */
export function asClientError(error: unknown): LeaseQueueError {
  if (error instanceof LeaseQueueError) return error;
  return new LeaseQueueError({ code: 'UNREADABLE_ANSWER', message: error instanceof Error ? error.message : String(error), cause: error });
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  if (isVisible.value || signal.aborted) return;
  const seen = Promise.withResolvers<void>();
  const leave = isVisible.subscribe((visible) => {
    if (visible) seen.resolve();
  });
  signal.addEventListener('abort', () => seen.resolve(), { once: true });
  await seen.promise;
  leave();
}

/** `key` names the question: another key is another question. Null asks nothing. */
export function useLoaded<Value>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<Value>,
  { everyMs, isFinal, isKept = false }: LoadOptions<Value> = {},
): Loaded<Value> {
  const state = useSignal<State<Value>>({ of: null, value: null, error: null, isLoading: key !== null });
  const round = useSignal(0);
  const client = useComputed(() => (session.value.status === 'in' ? lq.value : null));

  useEffect(() => {
    if (key === null || client.value === null) return;
    const over = new AbortController();
    const { signal } = over;
    const isSame = state.value.of === key;
    state.value = { ...state.value, isLoading: true, ...(!isSame && !isKept && { of: null, value: null, error: null }) };
    /** Whether to ask again. */
    const once = async (): Promise<boolean> => {
      try {
        const value = await load(signal);
        if (!signal.aborted) state.value = { of: key, value, error: null, isLoading: false };
        return isFinal?.(value) !== true;
      } catch (error) {
        if (signal.aborted) return false;
        heardOfError(error);
        state.value = { ...state.value, error: asClientError(error), isLoading: false };
        return true;
      }
    };
    const repeat = async (): Promise<void> => {
      while ((await once()) && everyMs !== undefined && !signal.aborted) {
        await systemClock.sleep(everyMs, signal);
        await untilVisible(signal);
      }
    };
    void repeat();
    return () => over.abort();
    // `load` belongs to the key.
  }, [key, client.value, everyMs, round.value]);

  const reload = useMemo(() => () => void (round.value += 1), [round]);
  return { ...state.value, reload };
}
