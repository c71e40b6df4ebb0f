/** `leasequeue/testing`: a queue for the tests of programs that use LeaseQueue. */
export type { RequestFault } from './faults.ts';
export type { Run, RunOutcome, TestJob } from './runner.ts';
export { createTestQueue, type JobsWanted, type Partially, type TestQueue, type TestQueueOptions } from './test-queue.ts';
