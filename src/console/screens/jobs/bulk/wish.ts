/** What somebody wants to do to many jobs, before they have agreed to its number. */
import type { Deed, Target } from './deeds.ts';

export interface Wish {
  /** What may be done; the first one unless another is chosen. */
  readonly deeds: readonly Deed[];
  readonly target: Target;
  /** The filter as it was written; null for selected jobs. */
  readonly filter: string | null;
  /** Selected jobs that are left out, because their state does not allow it. */
  readonly leftOut: number;
  readonly onStart: () => void;
}
