/** Producers and workers of the demo: each a loop that ends with the signal. */
import { type ClaimJobsMutation, type LeaseQueue, unwrap } from '../client/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Entropy } from '../runtime/entropy.ts';
import { submissionOf } from './history.ts';
import type { Scene } from './scenes.ts';

export interface Stage {
  readonly lq: LeaseQueue;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly signal: AbortSignal;
}

type ClaimedJob = NonNullable<ClaimJobsMutation['claimJobs']>['leases'][number];

/** How long a vanished worker's successor takes to start. */
const RESTART_MS = 3_000;
const WAIT_SECONDS = 5;

export async function produce({ lq, clock, entropy, signal }: Stage, scene: Scene): Promise<void> {
  for (let number = 1; !signal.aborted; number++) {
    unwrap(await lq.submitJob(submissionOf(scene, number)));
    const pauseMs = 60_000 / scene.perMinute;
    await clock.sleep(pauseMs * (0.5 + entropy.ratio()), signal);
  }
}

export async function work(stage: Stage, scene: Scene, workerId: string): Promise<void> {
  const { lq, clock, entropy, signal } = stage;
  while (!signal.aborted) {
    const claim = { queues: [scene.queue], workerId, leaseSeconds: scene.leaseSeconds, waitSeconds: WAIT_SECONDS };
    for (const lease of (await lq.claimJobs(claim, { signal })).leases) {
      const isVanishing = entropy.ratio() < scene.vanishRatio;
      await (isVanishing ? clock.sleep(RESTART_MS, signal) : perform(stage, scene, lease));
    }
  }
}

/** Does the work in two halves with a heartbeat between them, then says how it went. */
async function perform({ lq, clock, entropy, signal }: Stage, { workMs, failureRatio, failures }: Scene, { job, leaseToken }: ClaimedJob): Promise<void> {
  const [least, most] = workMs;
  const halfMs = (least + (most - least) * entropy.ratio()) / 2;
  await clock.sleep(halfMs, signal);
  await lq.heartbeat({ jobId: job.id, leaseToken, progress: { percent: 50, note: 'half way' } });
  await clock.sleep(halfMs, signal);
  const number = Math.floor(entropy.ratio() * 1_000);
  const failure = failures[number % failures.length];
  if (failure !== undefined && entropy.ratio() < failureRatio)
    await lq.failJob({ jobId: job.id, leaseToken, error: { type: failure.type, message: failure.message(number) } });
  else await lq.completeJob({ jobId: job.id, leaseToken, result: { tookMs: Math.round(halfMs * 2) } });
}
