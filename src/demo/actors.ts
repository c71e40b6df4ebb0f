/** Producers and workers of the demo: each a loop that ends with the signal. */
import { type ClaimJobsMutation, type LeaseQueue, unwrap } from '../client/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Entropy } from '../runtime/entropy.ts';
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

export async function produce({ lq, clock, entropy, signal }: Stage, { queue, task, perMinute, maxAttempts, payload }: Scene): Promise<void> {
  for (let number = 1; !signal.aborted; number++) {
    const key = `demo-${task}-${Buffer.from(entropy.bytes(8)).toString('hex')}`;
    unwrap(await lq.submitJob({ queue, task, payload: payload(number), maxAttempts, retryBaseSeconds: 2, idempotencyKey: key }));
    const pauseMs = 60_000 / perMinute;
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
async function perform({ lq, clock, entropy, signal }: Stage, { workMs, failureRatio, failure }: Scene, { job, leaseToken }: ClaimedJob): Promise<void> {
  const [least, most] = workMs;
  const halfMs = (least + (most - least) * entropy.ratio()) / 2;
  await clock.sleep(halfMs, signal);
  await lq.heartbeat({ jobId: job.id, leaseToken, progress: { percent: 50, note: 'half way' } });
  await clock.sleep(halfMs, signal);
  if (entropy.ratio() < failureRatio) await lq.failJob({ jobId: job.id, leaseToken, error: failure });
  else await lq.completeJob({ jobId: job.id, leaseToken, result: { tookMs: Math.round(halfMs * 2) } });
}
