/** What a claim says: what it asks for, and the finished jobs that it brings along. */
import type { ClaimJobsInput, CompleteJobInput, WorkerClaimFieldsFragment } from '../client/generated/graphql.ts';
import { LIMITS } from '../domain/limits.ts';
import type { HeldLease } from './held-lease.ts';
import type { Lane } from './lanes.ts';

/** A job that is done, waiting for the server to know. */
export interface Finished {
  readonly lease: HeldLease;
  readonly result: unknown;
  readonly resultBytes: number;
  /** Told what the server said; null: it was not asked, so that somebody else has to. */
  readonly answered: (result: CompletedResult | null) => void;
}
export type CompletedResult = WorkerClaimFieldsFragment['completed'][number];

export interface ClaimRequest {
  readonly input: ClaimJobsInput & { readonly requestId: string; readonly waitSeconds: number };
  readonly completing: readonly Finished[];
}

export interface Claimant {
  readonly workerId: string;
  readonly queues: readonly string[];
  readonly requestId: string;
}

/** No task has this name: a claim that asks for it takes nothing new, and finds what an earlier one with its id took. */
const NO_TASK = 'leasequeue.none';
/** A lease counts from when its claim was sent: it may not spend its time with waiting. */
const WAIT_SHARE = 1 / 3;
/** For what is around the results in a request: heartbeats above all. */
const AROUND_BYTES = 49_152;
/** Of a completion without its result. */
const COMPLETION_BYTES = 160;

export function claimRequest(parts: Claimant & { readonly lane: Lane; readonly waitSeconds: number; readonly completing: readonly Finished[] }): ClaimRequest {
  const { workerId, queues, requestId, lane, completing } = parts;
  const { tasks, room: max, leaseSeconds } = lane;
  const waitSeconds = parts.waitSeconds === 0 ? 0 : Math.max(1, Math.min(parts.waitSeconds, Math.floor(leaseSeconds * WAIT_SHARE)));
  const brought = completing.length === 0 ? {} : { completing: completing.map(completionOf) };
  return {
    input: { workerId, queues: [...queues], requestId, max, leaseSeconds, waitSeconds, ...(tasks !== null && { tasks: [...tasks] }), ...brought },
    completing,
  };
}

export function recoveryRequest({ workerId, queues, requestId }: Claimant): ClaimRequest {
  return { input: { workerId, queues: [...queues], requestId, tasks: [NO_TASK], max: 1, waitSeconds: 0 }, completing: [] };
}

function completionOf({ lease, result }: Finished): CompleteJobInput {
  return { jobId: lease.job.id, leaseToken: lease.token, result };
}

/** Whether the server holds its answer back until there is work. */
export function isWaiting({ input }: ClaimRequest): boolean {
  return input.waitSeconds > 0;
}

/** Whether the claim asks for the tasks of the lane. */
export function isAskedFor({ input }: ClaimRequest, { tasks }: Lane): boolean {
  const asked = input.tasks;
  if (asked === undefined || asked === null) return true;
  return tasks !== null && tasks.every((task) => asked.includes(task));
}

/** What is finished, in the order in which it was. */
export class FinishedJobs {
  #jobs: Finished[] = [];

  add(finished: Finished): void {
    this.#jobs.push(finished);
  }

  putBack(jobs: readonly Finished[]): void {
    this.#jobs.unshift(...jobs);
  }

  /** As many as one claim may carry. A result that is too large for company goes alone, where it stands in nobody's way. */
  take(): readonly Finished[] {
    let bytes = 0;
    const beyond = this.#jobs.findIndex(({ resultBytes }, index) => {
      bytes += resultBytes + COMPLETION_BYTES;
      return index >= LIMITS.claimCompletingMax || bytes > LIMITS.requestBytesMax - AROUND_BYTES;
    });
    return this.#jobs.splice(0, beyond === -1 ? this.#jobs.length : Math.max(1, beyond));
  }

  sendAlone(): void {
    for (const { answered } of this.#jobs.splice(0)) answered(null);
  }
}
