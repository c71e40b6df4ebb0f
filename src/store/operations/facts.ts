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
import { type LocatedJob, retentionOf } from '../rows.ts';
import type { Caller } from '../requests.ts';
import type { OperationTraits, Writer } from '../transaction.ts';

/** What every operation has at hand. */
export interface OperationParts {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** The server's own retention, which a queue may override. */
  readonly retention: Retention;
  /** Makes growing ids of jobs, each with the place of its first event. */
  readonly newId: (nowMs: number, firstEventSeq: number) => string;
}

/** Runs `work` as one operation: one transaction, one instant. */
export function inScene<Result>(
  parts: OperationParts,
  tenant: TenantId,
  caller: Caller,
  traits: OperationTraits,
  work: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  return parts.writer.write((tx, nowMs) => work({ tx, tenant, caller, nowMs }), traits);
}

/** Asks the domain what the action does to the job. */
export async function judge(parts: OperationParts, { tx, tenant, nowMs }: Scene, { job }: LocatedJob, action: Action, token: TokenStanding): Promise<Verdict> {
  const queue = await findQueueRow(tx, tenant, job.queue);
  if (queue === null) throw new Error(`queue ${job.queue} has jobs but no row`);
  const facts: Facts = {
    nowMs,
    jitter: parts.entropy.ratio(),
    token,
    queuePaused: queue.paused_at_ms !== null,
    retention: retentionOf(queue, parts.retention),
  };
  return decide(job, action, facts);
}
