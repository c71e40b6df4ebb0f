/** What a worker tells whoever listens, for logs and metrics. No payload, result or token is in it. */
import type { LeaseQueueError } from '../client/errors.ts';
import type { AbortReason } from './outcomes.ts';
import type { RunningJob } from './registration.ts';

export type WorkerEvent =
  | { readonly type: 'job-started'; readonly job: RunningJob }
  | { readonly type: 'job-completed'; readonly job: RunningJob; readonly tookMs: number }
  /** `retryAt` is null where the job is a dead letter now, or was cancelled. */
  | {
      readonly type: 'job-failed';
      readonly job: RunningJob;
      readonly error: unknown;
      /** As the server has it. */
      readonly errorType: string;
      readonly retryAt: Date | null;
      readonly isDead: boolean;
      readonly tookMs: number;
    }
  | { readonly type: 'job-released'; readonly job: RunningJob; readonly why: 'shutdown' | 'snooze' | 'cancelled' }
  | { readonly type: 'job-aborted'; readonly job: RunningJob; readonly reason: AbortReason }
  /** The lease is gone: nothing more is said to the server about this attempt. */
  | { readonly type: 'lease-lost'; readonly job: RunningJob; readonly message: string }
  /** The handler was told to stop and still runs. Its slot stays taken until it returns. */
  | { readonly type: 'handler-stuck'; readonly job: RunningJob }
  | { readonly type: 'server-unreachable'; readonly error: LeaseQueueError }
  | { readonly type: 'server-reachable' }
  /** A claim that waited as long as it might found no job that is due. */
  | { readonly type: 'no-work' }
  /** The event loop stood still, so that heartbeats could not go out: move long calculations to a thread or a process. */
  | { readonly type: 'event-loop-blocked'; readonly blockedMs: number }
  /** The server refused the worker for good: it stops. */
  | { readonly type: 'worker-refused'; readonly error: LeaseQueueError }
  | { readonly type: 'worker-stopping'; readonly running: number }
  | { readonly type: 'worker-stopped' };

export type Tell = (event: WorkerEvent) => void;
