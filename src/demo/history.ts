/** The demo's last hour, played in seconds: what a console shows of a server that has been running. */
import { type ClaimJobsMutation, type LeaseQueue, unwrap } from '../client/index.ts';
import type { Entropy } from '../runtime/entropy.ts';
import type { PastClock } from './past-clock.ts';
import { SCENES, type Scene } from './scenes.ts';

export const HISTORY_MS = 3_600_000;
const STEP_MS = 30_000;

interface Past {
  readonly lq: LeaseQueue;
  readonly clock: PastClock;
  readonly entropy: Entropy;
}

type ClaimedJob = NonNullable<ClaimJobsMutation['claimJobs']>['leases'][number];

/** Ends when the clock has reached now. */
export async function playHistory(past: Past): Promise<void> {
  for (let step = 1; past.clock.behindMs > 0; step++) {
    const leases = await Promise.all(SCENES.map((scene) => beginStep(past, scene, step)));
    past.clock.advance(500 + past.entropy.ratio() * 1_500);
    await Promise.all(SCENES.map((scene, index) => endStep(past, scene, step, leases[index] ?? [])));
    past.clock.advance(STEP_MS);
  }
}

async function beginStep({ lq, clock, entropy }: Past, scene: Scene, step: number): Promise<readonly ClaimedJob[]> {
  const jobs = Array.from({ length: submissionsOf(scene, clock, entropy) }, (_, index) => submissionOf(scene, step * 100 + index));
  if (jobs.length > 0) await lq.submitJobs({ jobs });
  // A worker now and then stands still, so that something waits.
  const max = Math.round((scene.perMinute / 60) * (STEP_MS / 1_000) * (0.7 + entropy.ratio() * 0.8));
  if (max < 1) return [];
  const workerId = `${scene.queue}-worker-${1 + (step % scene.workers)}`;
  return (await lq.claimJobs({ queues: [scene.queue], workerId, leaseSeconds: scene.leaseSeconds, max: Math.min(100, max) })).leases;
}

/** More in the middle of the hour than at its ends. */
function submissionsOf({ perMinute }: Scene, { behindMs }: PastClock, entropy: Entropy): number {
  const swell = 0.75 + 0.5 * Math.sin((behindMs / HISTORY_MS) * 2 * Math.PI) ** 2;
  return Math.floor((perMinute / 60) * (STEP_MS / 1_000) * swell * (0.6 + entropy.ratio() * 0.8));
}

export function submissionOf(scene: Scene, number: number) {
  const { queue, task, maxAttempts } = scene;
  return { queue, task, payload: scene.payload(number), tags: [...scene.tags(number)], maxAttempts, retryBaseSeconds: 2 };
}

async function endStep({ lq, entropy }: Past, scene: Scene, step: number, leases: readonly ClaimedJob[]): Promise<void> {
  await Promise.all(
    leases.map(async ({ job, leaseToken }, index) => {
      const lease = { jobId: job.id, leaseToken };
      if (entropy.ratio() < scene.vanishRatio) return;
      const failure = scene.failures[index % scene.failures.length];
      if (failure !== undefined && entropy.ratio() < scene.failureRatio) await fail(lq, lease, failure.type, failure.message(step * 100 + index));
      else await lq.completeJob({ ...lease, result: { pages: index } });
    }),
  );
}

async function fail(lq: LeaseQueue, lease: { readonly jobId: string; readonly leaseToken: string }, type: string, message: string): Promise<void> {
  unwrap(await lq.failJob({ ...lease, error: { type, message } }));
}
