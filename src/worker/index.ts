/** `leasequeue/worker`: what does the jobs. */
export { type AbortReason, abortReasonOf, JobAborted, NonRetryable, RetryAfter, Snooze } from './outcomes.ts';
export type { Handler, HandlerOptions, JobContext, JobProgress, Middleware, RunningJob } from './registration.ts';
export type { ShiftReport } from './shift.ts';
export { type RunReport, Worker, type WorkerOptions } from './worker.ts';
export type { WorkerEvent } from './worker-events.ts';
