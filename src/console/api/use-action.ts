/** A change that a person asks for: under way, refused, or done and said so. */
import { useSignal } from '@preact/signals';
import type { LeaseQueueError } from '../../client/index.ts';
import { tell } from './toasts.ts';
import { heardOfError } from './session.ts';
import { asClientError } from './use-loaded.ts';

export interface Action<Args extends readonly unknown[]> {
  readonly isBusy: boolean;
  readonly error: LeaseQueueError | null;
  /** True where it was done. */
  readonly start: (...args: Args) => Promise<boolean>;
  readonly forget: () => void;
}

/** `run` answers the sentence that tells what was done; null says nothing. It throws what went wrong: use `unwrap`. */
export function useAction<Args extends readonly unknown[]>(run: (...args: Args) => Promise<string | null>): Action<Args> {
  const isBusy = useSignal(false);
  const error = useSignal<LeaseQueueError | null>(null);
  const start = async (...args: Args): Promise<boolean> => {
    if (isBusy.value) return false;
    isBusy.value = true;
    error.value = null;
    try {
      const said = await run(...args);
      if (said !== null) tell(said);
      return true;
    } catch (fault) {
      heardOfError(fault);
      error.value = asClientError(fault);
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  const forget = (): void => {
    error.value = null;
  };
  return { isBusy: isBusy.value, error: error.value, start, forget };
}
