/** Producers and workers of the demo: each a loop that ends with the signal. */
import {
  ClaimJobsDocument,
  type ClaimJobsMutation,
  CompleteJobDocument,
  FailJobDocument,
  HeartbeatDocument,
  SubmitJobDocument,
} from '../client/generated/graphql.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Entropy } from '../runtime/entropy.ts';
import type { Call } from './api.ts';
import type { Scene } from './scenes.ts';

export interface Stage {
  readonly call: Call;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly signal: AbortSignal;
}

type ClaimedJob = NonNullable<ClaimJobsMutation['claimJobs']>['leases'][number];

/** How long a vanished worker's successor takes to start. */
const RESTART_MS = 3_000;
const WAIT_SECONDS = 5;

export async function produce({ call, clock, entropy, signal }: Stage, { queue, task, perMinute, maxAttempts, payload }: Scene): Promise<void> {
  for (let number = 1; !signal.aborted; number++) {
    const key = `demo-${task}-${Buffer.from(entropy.bytes(8)).toString('hex')}`;
    await call(SubmitJobDocument, { input: { queue, task, payload: payload(number), maxAttempts, retryBaseSeconds: 2, idempotencyKey: key } });
    const pauseMs = 60_000 / perMinute;
    await clock.sleep(pauseMs * (0.5 + entropy.ratio()), signal);
  }
}

export async function work(stage: Stage, scene: Scene, workerId: string): Promise<void> {
  const { call, clock, entropy, signal } = stage;
  while (!signal.aborted) {
    const { claimJobs } = await call(ClaimJobsDocument, {
      input: { queues: [scene.queue], workerId, leaseSeconds: scene.leaseSeconds, waitSeconds: WAIT_SECONDS },
    });
    for (const lease of claimJobs?.leases ?? []) {
      const isVanishing = entropy.ratio() < scene.vanishRatio;
      await (isVanishing ? clock.sleep(RESTART_MS, signal) : perform(stage, scene, lease));
    }
  }
}

/** Does the work in two halves with a heartbeat between them, then says how it went. */
async function perform({ call, clock, entropy, signal }: Stage, { workMs, failureRatio, failure }: Scene, { job, leaseToken }: ClaimedJob): Promise<void> {
  const [least, most] = workMs;
  const halfMs = (least + (most - least) * entropy.ratio()) / 2;
  await clock.sleep(halfMs, signal);
  await call(HeartbeatDocument, { input: { leases: [{ jobId: job.id, leaseToken, progress: { percent: 50, note: 'half way' } }] } });
  await clock.sleep(halfMs, signal);
  if (entropy.ratio() < failureRatio) await call(FailJobDocument, { input: { jobId: job.id, leaseToken, error: failure } });
  else await call(CompleteJobDocument, { input: { jobId: job.id, leaseToken, result: { tookMs: Math.round(halfMs * 2) } } });
}
