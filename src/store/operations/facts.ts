/** Puts together what the domain needs to decide. */
import type { Facts, TokenStanding } from '../../domain/actions.ts';
import { decide } from '../../domain/decide.ts';
import type { Action } from '../../domain/actions.ts';
import type { Verdict } from '../../domain/decide.ts';
import type { Retention, TenantId } from '../../domain/job.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Entropy } from '../../runtime/entropy.ts';
import type { Scene } from '../apply.ts';
import { findQueueRow } from '../queue-rows.ts';
import { type LocatedJob, queueOf } from '../rows.ts';
import type { Queue } from '../answers.ts';
import type { Caller } from '../requests.ts';
import type { Writer } from '../transaction.ts';

/** What every operation has at hand. */
export interface OperationParts {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** The server's own retention, which a queue may override. */
  readonly retention: Retention;
  /** Makes growing ids. */
  readonly newId: (nowMs: number) => string;
}

/** Runs `work` as one operation: one transaction, one instant. `weight`: jobs that it may touch. */
export function inScene<Result>(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  weight: number,
  work: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  return parts.writer.write((tx, nowMs) => work({ tx, tenant, caller, nowMs }), weight);
}

/** The queue that a located job belongs to. */
async function queueOfJob({ retention }: OperationParts, { tx, tenant }: Scene, name: string): Promise<Queue> {
  const row = await findQueueRow(tx, tenant, name);
  if (row === null) throw new Error(`queue ${name} has jobs but no row`);
  return queueOf(row, retention);
}

/** Asks the domain what the action does to the job. */
export async function judge(parts: OperationParts, scene: Scene, { job }: LocatedJob, action: Action, token: TokenStanding): Promise<Verdict> {
  const queue = await queueOfJob(parts, scene, job.queue);
  const facts: Facts = {
    nowMs: scene.nowMs,
    jitter: parts.entropy.ratio(),
    token,
    queuePaused: queue.pausedAtMs !== null,
    retention: queue.retention,
  };
  return decide(job, action, facts);
}
