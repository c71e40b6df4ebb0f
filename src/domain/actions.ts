/** What can be asked of a job, and the facts that decide the answer. */
import type { LeaseLostReason } from './failures.ts';
import type { JobError, Progress, Retention } from './job.ts';
import type { ActionName } from './transitions.ts';

/** What is asked for, with everything that shapes the outcome. */
export type Action =
  | { readonly name: 'claim'; readonly workerId: string; readonly leaseSeconds: number; readonly requestId: string | null }
  | { readonly name: 'heartbeat'; readonly extendSeconds: number | null; readonly progress: Omit<Progress, 'updatedAtMs'> | null }
  | { readonly name: 'complete'; readonly resultJson: string | null }
  | { readonly name: 'fail'; readonly error: JobError; readonly retryAfterSeconds: number | null; readonly retryNever: boolean }
  | { readonly name: 'release'; readonly afterSeconds: number }
  | { readonly name: 'expire' }
  | { readonly name: 'cancel'; readonly reason: string | null; readonly force: boolean }
  | { readonly name: 'reschedule'; readonly runAtMs: number | null; readonly priority: number | null }
  | { readonly name: 'redrive'; readonly runAtMs: number | null; readonly maxAttempts: number | null; readonly payloadJson: string | null }
  | { readonly name: 'purge' };
export type ActionOf<Name extends ActionName> = Extract<Action, { readonly name: Name }>;

/** `current`: the token of the job's lease; else why it is not. */
export type TokenStanding = 'current' | LeaseLostReason;

export interface Facts {
  readonly nowMs: number;
  /** 0 to 1, drawn by chance. */
  readonly jitter: number;
  readonly token: TokenStanding;
  readonly queuePaused: boolean;
  readonly retention: Retention;
}
