/** One job of the model: its row, who it was submitted as, every claim of it, and its events. */
import type { Action, TokenStanding } from '../../src/domain/actions.ts';
import type { Verdict } from '../../src/domain/decide.ts';
import type { JobEvent } from '../../src/domain/events.ts';
import type { FingerprintField } from '../../src/domain/idempotency.ts';
import type { Attempt, Job, TenantId } from '../../src/domain/job.ts';
import { deadGroupOf } from '../../src/store/dead-groups.ts';

export type SettlingVerb = 'complete' | 'fail' | 'release';

/** One claim: the attempt that it began, and how its token may still be used. */
export interface ModelClaim {
  /** A repeat of the claim replaces it. */
  readonly token: string;
  readonly attempt: Attempt;
  /** The verb by which its holder ended it; null while it runs, and where somebody else ended it. */
  readonly settledBy: SettlingVerb | null;
  /** The job as that verb left it. */
  readonly settledAs: Job | null;
}

export interface ModelEntry {
  readonly tenant: TenantId;
  /** Grows with each submission. */
  readonly order: number;
  readonly key: string | null;
  readonly canonical: Readonly<Record<FingerprintField, string>>;
  job: Job;
  claims: readonly ModelClaim[];
  events: readonly JobEvent[];
}

export function standingOf(entry: ModelEntry, token: string): TokenStanding {
  const index = entry.claims.findIndex((claim) => claim.token === token);
  if (index < 0) return 'unknown_token';
  if (index < entry.claims.length - 1) return 'superseded';
  const { outcome } = entry.claims[index]!.attempt;
  if (outcome === 'running') return 'current';
  if (outcome === 'lease_expired') return 'expired';
  return outcome === 'revoked' ? 'revoked' : 'finished';
}

/** True where this very token has settled the job with this very verb, and nobody has claimed the job since. */
export function isReplay(entry: ModelEntry, token: string, verb: SettlingVerb): boolean {
  const last = entry.claims.at(-1);
  return last !== undefined && last.token === token && last.settledBy === verb;
}

/** Changes the entry as the verdict says, its ledger and its events included. */
export function moveEntry(entry: ModelEntry, action: Action, verdict: Extract<Verdict, { allowed: true }>, nowMs: number, nextSeq: () => number): void {
  const before = entry.job;
  const after: Job = { ...before, ...verdict.patch, updatedAtMs: nowMs };
  entry.job = { ...after, deadGroup: after.state === 'dead' ? deadGroupOf(after) : null };
  if (action.name === 'heartbeat') changeLastClaim(entry, {}, { lastHeartbeatAtMs: nowMs });
  if (verdict.ends !== null) {
    const error = action.name === 'fail' ? action.error : action.name === 'expire' ? entry.job.lastError : null;
    const settledBy = settlingVerb(action);
    changeLastClaim(
      entry,
      { settledBy, settledAs: settledBy === null ? null : entry.job },
      { outcome: verdict.ends, finishedAtMs: nowMs, error, errorGroup: error === null ? null : deadGroupOf(entry.job) },
    );
  }
  const { id, queue, task } = before;
  const events = verdict.events.map((fact): JobEvent => ({ ...fact, seq: nextSeq(), jobId: id, queue, task, atMs: nowMs, actor: null }));
  // A purge takes the job's events with it and leaves its own.
  entry.events = verdict.to === 'gone' ? events : [...entry.events, ...events];
}

function settlingVerb({ name }: Action): SettlingVerb | null {
  return name === 'complete' || name === 'fail' || name === 'release' ? name : null;
}

function changeLastClaim(entry: ModelEntry, change: Partial<ModelClaim>, attempt: Partial<Attempt> = {}): void {
  const last = entry.claims.length - 1;
  entry.claims = entry.claims.map((claim, index) => (index < last ? claim : { ...claim, ...change, attempt: { ...claim.attempt, ...attempt } }));
}

/** Gives the live lease a fresh token; the old one is worthless from then on. */
export function rekeyEntry(entry: ModelEntry, token: string): void {
  changeLastClaim(entry, { token });
}
