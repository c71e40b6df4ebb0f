/** The worker that a person plays: at most one lease, whose token is in memory only and goes with the screen. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  type ClaimJobsMutation,
  type FailureResult,
  type JobErrorInput,
  type LeaseLostReason,
  type ProgressInput,
  type RetryInput,
  unwrap,
} from '../../../client/index.ts';
import { systemChance } from '../../../runtime/chance.ts';
import type { ConsoleClient } from '../../api/console-client.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { tell } from '../../api/toasts.ts';
import { type PlaySettings, queuesOf } from './settings.ts';
import { IDLE_WORDS } from './words.ts';

type Claimed = NonNullable<ClaimJobsMutation['claimJobs']>['leases'][number];
export type PlayedJob = Claimed['job'];

/** What may be shown of a lease: everything but its token. */
export interface Held {
  readonly job: PlayedJob;
  readonly attempt: number;
  readonly fence: number;
  readonly expiresAt: string;
  readonly leaseSeconds: number;
  readonly heartbeats: number;
  /** Null: nobody asked to cancel. An empty text: without a reason. */
  readonly cancelReason: string | null;
}

/** What came of the latest answer. */
export type Told =
  | { readonly kind: 'idle'; readonly words: string }
  | { readonly kind: 'settled'; readonly job: PlayedJob; readonly words: string }
  | { readonly kind: 'lost'; readonly job: PlayedJob; readonly reason: LeaseLostReason; readonly state: string }
  | null;

/** The secret, and the client that it was claimed with. */
interface Proof {
  readonly client: ConsoleClient;
  readonly jobId: string;
  readonly leaseToken: string;
}

type Answer = { readonly __typename: string };
type Lost = Extract<Awaited<ReturnType<ConsoleClient['heartbeat']>>, { readonly __typename: 'LeaseLost' }>;

export const WAIT_SECONDS = 20;

function heldOf({ job, attempt, fence, leaseExpiresAt, leaseSeconds }: Claimed): Held {
  return { job, attempt, fence, expiresAt: leaseExpiresAt, leaseSeconds, heartbeats: 0, cancelReason: null };
}

/** The one lease: what is shown of it, and who may ask with its token. */
function useLease() {
  const held = useSignal<Held | null>(null);
  const told = useSignal<Told>(null);
  const proof = useRef<Proof | null>(null);
  const take = (client: ConsoleClient, lease: Claimed): void => {
    proof.current = { client, jobId: lease.job.id, leaseToken: lease.leaseToken };
    held.value = heldOf(lease);
  };
  const end = (words: (job: PlayedJob) => Told): void => {
    if (held.value !== null) told.value = words(held.value.job);
    held.value = proof.current = null;
  };
  /** Asks with the token. A lease that is lost ends the play; every other refusal is thrown. */
  const ask = async <Result extends Answer>(send: (given: Proof) => Promise<Result>): Promise<Exclude<Result, FailureResult> | null> => {
    if (proof.current === null) return null;
    const result = await send(proof.current);
    if (result.__typename !== 'LeaseLost') return unwrap(result);
    const { reason, state } = result as unknown as Lost;
    end((job) => ({ kind: 'lost', job, reason, state }));
    return null;
  };
  return { held, told, proof, take, end, ask };
}

type LeaseOfPlay = ReturnType<typeof useLease>;

/** Asks for a job. Whoever stops waiting holds nothing: what comes all the same is handed back. */
function useClaim({ told, take }: LeaseOfPlay, waiting: { current: AbortController | null }) {
  return useAction(async (settings: PlaySettings, waitSeconds: number) => {
    const client = lq.value;
    const { signal } = (waiting.current = new AbortController());
    told.value = null;
    const input = { queues: [...queuesOf(settings)], leaseSeconds: Number(settings.leaseSeconds), workerId: settings.workerId, max: 1, waitSeconds };
    try {
      const { leases, idle } = await client.claimJobs({ ...input, requestId: systemChance.word() }, { signal });
      const [lease] = leases;
      if (lease === undefined) told.value = { kind: 'idle', words: IDLE_WORDS[idle ?? 'NO_READY_JOB'] };
      else if (signal.aborted) await handBack({ client, jobId: lease.job.id, leaseToken: lease.leaseToken });
      else take(client, lease);
    } catch (error) {
      if (!signal.aborted) throw error;
      told.value = { kind: 'idle', words: 'You stopped waiting.' };
    } finally {
      waiting.current = null;
    }
    return null;
  });
}

export function useWorker() {
  const lease = useLease();
  const { held, told, proof, end, ask } = lease;
  const waiting = useRef<AbortController | null>(null);
  const claim = useClaim(lease, waiting);
  useHandingBack(proof, waiting);

  const settled = (words: string): null => {
    end((job) => ({ kind: 'settled', job, words }));
    return null;
  };
  const heartbeat = useAction(async (progress: ProgressInput | null) => {
    const renewed = await ask(({ client, jobId, leaseToken }) => client.heartbeat({ jobId, leaseToken, progress }));
    if (renewed === null || held.value === null) return null;
    const { leaseExpiresAt: expiresAt, leaseSeconds, cancelRequested, cancelReason } = renewed;
    held.value = { ...held.value, expiresAt, leaseSeconds, heartbeats: held.value.heartbeats + 1, cancelReason: cancelRequested ? (cancelReason ?? '') : null };
    return 'The lease counts from now again.';
  });
  const complete = useAction(async (result: unknown) => {
    const done = await ask(({ client, jobId, leaseToken }) => client.completeJob({ jobId, leaseToken, result }));
    return done === null ? null : settled('The job is completed, and its result is kept with it.');
  });
  const fail = useAction(async (error: JobErrorInput, retry: RetryInput | null) => {
    const done = await ask(({ client, jobId, leaseToken }) => client.failJob({ jobId, leaseToken, error, retry }));
    return done === null ? null : settled(failedWords(done));
  });
  const release = useAction(async () => {
    const done = await ask(({ client, jobId, leaseToken }) => client.releaseJob({ jobId, leaseToken }));
    return done === null ? null : settled(`The job is handed back: it is ${done.job.state} again.`);
  });
  return { held: held.value, told: told.value, claim, heartbeat, complete, fail, release, stop: () => waiting.current?.abort() };
}

export type PlayedWorker = ReturnType<typeof useWorker>;

function failedWords({
  deadLettered,
  retryAt,
  job,
}: {
  readonly deadLettered: boolean;
  readonly retryAt: string | null;
  readonly job: { readonly state: string };
}): string {
  if (deadLettered) return 'The failure is recorded, and the job is a dead letter: it runs again only if somebody redrives it.';
  return retryAt === null ? `The failure is recorded, and the job is ${job.state}.` : 'The failure is recorded, and the job waits for its retry.';
}

/** Whoever leaves gives back what they hold: at once within the console; the browser asks before it closes the page. */
function useHandingBack(proof: { readonly current: Proof | null }, waiting: { readonly current: AbortController | null }): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (proof.current !== null) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
      waiting.current?.abort();
      if (proof.current !== null) void handBack(proof.current);
    };
  }, [proof, waiting]);
}

async function handBack({ client, jobId, leaseToken }: Proof): Promise<void> {
  try {
    unwrap(await client.releaseJob({ jobId, leaseToken }));
    tell('You left the worker: the job that it held is handed back.');
  } catch {
    tell('You left the worker, and the job could not be handed back: its lease ends by itself.');
  }
}
