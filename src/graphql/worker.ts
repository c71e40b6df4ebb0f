/** What workers call: they claim jobs, keep their leases alive, and settle them or hand them back. */
import { GraphQLError } from 'graphql';
import { LIMITS } from '../domain/limits.ts';
import type { ClaimAnswer, ClaimedJob, CompleteOutcome, Failed, HeartbeatOutcome, LeaseRenewed, Settled } from '../store/answers.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { IdleReasonEnum } from './enums.ts';
import { JobNotFoundRef, LeaseLostRef } from './failures.ts';
import { parseInput } from './inputs.ts';
import { answer, memberType, only } from './outcome.ts';
import { JobRef } from './refs.ts';
import { costsEach, count, listOf, needs } from './terms.ts';
import * as inputs from './worker-inputs.ts';

const LEASES = count(LIMITS.claimLeasesMax, 'input.max');
const COMPLETING = count(LIMITS.claimCompletingMax, 'input.completing');
const COMPLETIONS = count(LIMITS.batchItemsMax, 'input.jobs');
const HEARTBEATS = count(LIMITS.batchItemsMax, 'input.leases');

const REPLAYED = 'True: this very lease had done so before, and nothing was changed.';

const CompleteJobSuccessRef = builder.objectRef<Settled>('CompleteJobSuccess').implement({
  description: 'The job is COMPLETED.',
  fields: (t) => ({
    job: t.expose('job', { type: JobRef, description: 'The job, as it is now.' }),
    replayed: t.exposeBoolean('replayed', { description: REPLAYED }),
  }),
});
const CompleteJobResultRef = builder.unionType('CompleteJobResult', {
  description: 'The answer to a completion.',
  types: [CompleteJobSuccessRef, LeaseLostRef, JobNotFoundRef],
  resolveType: memberType('CompleteJobSuccess'),
});
const CompleteJobsPayloadRef = builder.objectRef<readonly CompleteOutcome[]>('CompleteJobsPayload').implement({
  description: 'The answer to a batch of completions.',
  fields: (t) => ({
    results: t.field({
      type: [CompleteJobResultRef],
      extensions: listOf(COMPLETIONS),
      description: 'One per input, in order.',
      resolve: (outcomes) => outcomes.map(answer),
    }),
  }),
});

const ClaimedJobRef = builder.objectRef<ClaimedJob>('ClaimedJob').implement({
  description: 'A job under a lease. The only place that shows a lease token.',
  fields: (t) => ({
    job: t.field({ type: JobRef, description: 'The job, always with its payload.', resolve: ({ job }) => ({ ...job, isClaimed: true as const }) }),
    leaseToken: t.exposeString('leaseToken', { description: 'The secret that proves the lease, for heartbeat, completeJob, failJob and releaseJob.' }),
    leaseExpiresAt: t.expose('leaseExpiresAtMs', { type: 'DateTime', description: "The lease is live before this instant, on the server's clock." }),
    leaseSeconds: t.exposeInt('leaseSeconds', { description: 'Seconds from `serverTime` to its end, for clients whose clock is off.' }),
    attempt: t.int({ description: "The job's attempt: 1 for the first of its budget.", resolve: ({ job }) => job.attempt }),
    fence: t.int({ description: "The claim's fencing token: pass it on to whatever must refuse an older holder.", resolve: ({ job }) => job.fence }),
  }),
});
const ClaimJobsPayloadRef = builder.objectRef<ClaimAnswer>('ClaimJobsPayload').implement({
  description: 'The answer to a claim. Nothing to do is no failure: `leases` is empty and `idle` says why.',
  fields: (t) => ({
    completed: t.field({
      type: [CompleteJobResultRef],
      extensions: listOf(COMPLETING),
      description: 'One per `completing`, in order.',
      resolve: ({ completed }) => completed.map(answer),
    }),
    leases: t.expose('leases', { type: [ClaimedJobRef], extensions: listOf(LEASES), description: 'The jobs, each leased to this worker alone.' }),
    idle: t.expose('idle', { type: IdleReasonEnum, nullable: true, description: 'Why there are none; null when there are.' }),
    pollAgainInMs: t.exposeInt('pollAgainInMs', { description: 'Milliseconds to wait before the next claim; 0 means at once.' }),
    serverTime: t.expose('nowMs', { type: 'DateTime', description: "The server's clock, which leases are judged by." }),
  }),
});

const LeaseRenewedRef = builder.objectRef<LeaseRenewed>('LeaseRenewed').implement({
  description: 'The lease lives on.',
  fields: (t) => ({
    jobId: t.exposeID('jobId', { description: 'The job.' }),
    leaseExpiresAt: t.expose('leaseExpiresAtMs', { type: 'DateTime', description: "The lease is live before this instant, on the server's clock." }),
    leaseSeconds: t.exposeInt('leaseSeconds', { description: 'Seconds from `serverTime` to its end.' }),
    cancelRequested: t.exposeBoolean('cancelRequested', {
      description: 'Stop, then call failJob or releaseJob: either ends the job as CANCELLED. Completing first wins.',
    }),
    cancelReason: t.exposeString('cancelReason', { nullable: true, description: 'Why, as the operator said; null where unsaid.' }),
  }),
});
const HeartbeatResultRef = builder.unionType('HeartbeatResult', {
  description: 'The answer to one heartbeat.',
  types: [LeaseRenewedRef, LeaseLostRef, JobNotFoundRef],
  resolveType: memberType('LeaseRenewed'),
});
const HeartbeatPayloadRef = builder.objectRef<{ readonly results: readonly HeartbeatOutcome[]; readonly nowMs: number }>('HeartbeatPayload').implement({
  description: 'The answer to heartbeats.',
  fields: (t) => ({
    results: t.field({
      type: [HeartbeatResultRef],
      extensions: listOf(HEARTBEATS),
      description: 'One per input, in order.',
      resolve: ({ results }) => results.map(answer),
    }),
    serverTime: t.expose('nowMs', { type: 'DateTime', description: "The server's clock, which leases are judged by." }),
  }),
});

const FailJobSuccessRef = builder.objectRef<Failed>('FailJobSuccess').implement({
  description: 'The failure is recorded.',
  fields: (t) => ({
    job: t.expose('job', { type: JobRef, description: 'The job, as it is now.' }),
    retryAt: t.expose('retryAtMs', { type: 'DateTime', nullable: true, description: 'When it is due again. Null when it ended: DEAD, or CANCELLED.' }),
    deadLettered: t.exposeBoolean('deadLettered', { description: 'True when it became a dead letter.' }),
    replayed: t.exposeBoolean('replayed', { description: REPLAYED }),
  }),
});
const FailJobResultRef = builder.unionType('FailJobResult', {
  description: 'The answer to a failure report.',
  types: [FailJobSuccessRef, LeaseLostRef, JobNotFoundRef],
  resolveType: memberType('FailJobSuccess'),
});

const ReleaseJobSuccessRef = builder.objectRef<Settled>('ReleaseJobSuccess').implement({
  description: 'The job is handed back.',
  fields: (t) => ({
    job: t.expose('job', { type: JobRef, description: 'The job, as it is now.' }),
    replayed: t.exposeBoolean('replayed', { description: REPLAYED }),
  }),
});
const ReleaseJobResultRef = builder.unionType('ReleaseJobResult', {
  description: 'The answer to a release.',
  types: [ReleaseJobSuccessRef, LeaseLostRef, JobNotFoundRef],
  resolveType: memberType('ReleaseJobSuccess'),
});

/** Leases that nobody learned of would be stranded until they lapse: they go back at once. */
function handBackIfUndelivered(context: GraphQLContext, { leases }: ClaimAnswer): void {
  if (leases.length === 0) return;
  const { store, principal } = context;
  const requests = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken, afterSeconds: 0 }));
  context.onUndelivered(async () => {
    await store.release(principal.tenant, principal, requests);
  });
}

/** A claim whose key lapsed while it waited says so, unless there is something else to tell. Throws UNAUTHENTICATED. */
function tellOfLapse({ reason }: AbortSignal, { leases, completed }: ClaimAnswer): void {
  if (reason instanceof GraphQLError && leases.length === 0 && completed.length === 0) throw reason;
}

builder.mutationFields((t) => ({
  claimJobs: t.field({
    type: ClaimJobsPayloadRef,
    extensions: { ...needs('WORK'), ...costsEach(LEASES, COMPLETING) },
    nullable: true,
    description:
      `Leases up to ${LIMITS.claimLeasesMax} due jobs to a worker: by priority, then by due time, then in order of submission. Two claims never share a job. ` +
      'Over HTTP only. Leases whose answer could not be written, the client having gone, are released at once.',
    args: { input: t.arg({ type: inputs.ClaimJobsInput, required: true, description: 'What the worker can do.' }) },
    resolve: async (_root, { input }, context) => {
      const { store, principal } = context;
      const gone = context.gone();
      const claimed = await store.claim(principal.tenant, principal, parseInput(inputs.claim, input, ['input']), gone);
      tellOfLapse(gone, claimed);
      handBackIfUndelivered(context, claimed);
      return claimed;
    },
  }),
  heartbeat: t.field({
    type: HeartbeatPayloadRef,
    extensions: { ...needs('WORK'), ...costsEach(HEARTBEATS) },
    nullable: true,
    description: 'Extends leases, reports progress, and tells whether an operator wants the job cancelled. Call it every third of the lease. Writes no event.',
    args: { input: t.arg({ type: inputs.HeartbeatInput, required: true, description: 'The leases.' }) },
    resolve: (_root, { input }, { store, principal }) => store.heartbeat(principal.tenant, principal, parseInput(inputs.heartbeat, input, ['input']).leases),
  }),
}));

builder.mutationFields((t) => ({
  completeJob: t.field({
    type: CompleteJobResultRef,
    extensions: needs('WORK'),
    nullable: true,
    description: 'Ends a job as COMPLETED. May be repeated with the same token.',
    args: { input: t.arg({ type: inputs.CompleteJobInput, required: true, description: 'The job, and what came out.' }) },
    resolve: async (_root, { input }, { store, principal }) =>
      answer(only(await store.complete(principal.tenant, principal, [parseInput(inputs.completion, input, ['input'])]))),
  }),
  completeJobs: t.field({
    type: CompleteJobsPayloadRef,
    extensions: { ...needs('WORK'), ...costsEach(COMPLETIONS) },
    nullable: true,
    description: 'Ends several jobs as COMPLETED, each with its own answer: one lost lease does not keep the others.',
    args: { input: t.arg({ type: inputs.CompleteJobsInput, required: true, description: 'The jobs, and what came out.' }) },
    resolve: (_root, { input }, { store, principal }) => store.complete(principal.tenant, principal, parseInput(inputs.completions, input, ['input']).jobs),
  }),
  failJob: t.field({
    type: FailJobResultRef,
    extensions: needs('WORK'),
    nullable: true,
    description:
      'Ends the attempt as failed: the job waits for its next attempt (RETRY), or becomes a dead letter when its budget is spent. ' +
      'A job whose cancel was requested becomes CANCELLED. May be repeated with the same token.',
    args: { input: t.arg({ type: inputs.FailJobInput, required: true, description: 'The job, and what went wrong.' }) },
    resolve: async (_root, { input }, { store, principal }) =>
      answer(await store.fail(principal.tenant, principal, parseInput(inputs.failure, input, ['input']))),
  }),
  releaseJob: t.field({
    type: ReleaseJobResultRef,
    extensions: needs('WORK'),
    nullable: true,
    description:
      'Hands a job back without charging the attempt, so that a deploy costs no retry. ' +
      `After ${LIMITS.refundedReleasesMax} releases in a row the attempt is kept. May be repeated with the same token.`,
    args: { input: t.arg({ type: inputs.ReleaseJobInput, required: true, description: 'The job.' }) },
    resolve: async (_root, { input }, { store, principal }) =>
      answer(only(await store.release(principal.tenant, principal, [parseInput(inputs.release, input, ['input'])]))),
  }),
}));
