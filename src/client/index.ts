/** `leasequeue/client`: everything that a producer, an operator's tool or a page of the browser needs. */
export { LeaseQueue, type LeaseQueueOptions, type Submitted, type SubmittedJob } from './client.ts';
export type { CallOptions, RetryNotice } from './caller.ts';
export type { Duration } from './duration.ts';
export { type ErrorCode, type FailureResult, type Issue, isFailure, LeaseQueueError, type RequestErrorCode, unwrap } from './errors.ts';
export type { EventBatch, EventGap, EventOptions, FollowedEvent } from './events.ts';
export type { SchemaInput, SchemaOutput, StandardSchema } from './standard-schema.ts';
export type { SubmitOptions } from './submission.ts';
export { defineTask, type RetryPolicy, type Task, type TaskInput, type TaskPayload, type TaskResult } from './task.ts';
export type { Transport, WireAnswer, WireRequest, WireStream } from './transport.ts';
export type * from './generated/graphql.ts';
