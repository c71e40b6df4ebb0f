/** One change to many jobs: found first, then changed in small transactions, each job once. */
import type { FailureCode } from '../../domain/failures.ts';
import { JOB_STATES, type JobState, type TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import { TRANSITIONS } from '../../domain/transitions.ts';
import type { Scene } from '../apply.ts';
import { type ActionTarget, addToAction, filterTarget, recordAction } from '../audit-log.ts';
import type { JobQueries } from '../queries/jobs.ts';
import type { BulkAnswer, CappedCount } from '../answers.ts';
import type { BulkAction, BulkRequest, Caller, JobFilter } from '../requests.ts';
import { inScene, type OperationParts } from './facts.ts';
import { act, redriveOne } from './operator.ts';
import { startMs } from './start.ts';

export interface BulkParts extends OperationParts {
  readonly queries: JobQueries;
}

/** Jobs that one transaction changes: more would keep workers waiting. */
const JOBS_PER_TRANSACTION = 50;

interface Candidates {
  readonly ids: readonly string[];
  readonly matched: CappedCount;
  readonly hasMore: boolean;
}
interface Tried {
  /** The record of the call, which all its steps share; null before the first. */
  readonly recorded: number | null;
  readonly changed: number;
  readonly skips: readonly { readonly jobId: string; readonly code: FailureCode }[];
}

export async function bulk(parts: BulkParts, tenant: TenantId, caller: Caller, request: BulkRequest): Promise<BulkAnswer> {
  const { ids, matched, hasMore } = await candidates(parts, tenant, request);
  const tried: Tried[] = [];
  if (!request.dryRun) {
    for (let from = 0; from < ids.length; from += JOBS_PER_TRANSACTION) {
      const some = ids.slice(from, from + JOBS_PER_TRANSACTION);
      tried.push(await changeSome(parts, tenant, caller, { ids: some, request, recorded: tried.at(-1)?.recorded ?? null }));
    }
  }
  const skips = tried.flatMap((some) => some.skips);
  return {
    matched,
    changed: tried.reduce((sum, some) => sum + some.changed, 0),
    skipped: skips.length,
    hasMore,
    samples: skips.slice(0, LIMITS.bulkSamplesMax),
  };
}

async function candidates({ queries }: BulkParts, tenant: TenantId, { target, action, limit }: BulkRequest): Promise<Candidates> {
  if ('ids' in target) {
    const ids = [...new Set(target.ids)];
    return { ids: ids.slice(0, limit), matched: { value: await queries.countIds(tenant, ids), exact: true }, hasMore: ids.length > limit };
  }
  const filter = eligible(target.filter, action);
  const withoutRequested = action.name === 'cancel' && !action.force;
  const found = await queries.ids(tenant, filter, withoutRequested, limit + 1);
  return { ids: found.slice(0, limit), matched: await queries.count(tenant, filter, withoutRequested), hasMore: found.length > limit };
}

/** Only jobs that the action can change: those it has changed then no longer match, so that calling again makes progress. */
function eligible(filter: JobFilter, { name }: BulkAction): JobFilter {
  const wanted = filter.states ?? JOB_STATES;
  return { ...filter, states: wanted.filter((state) => statesOf(name).includes(state)) };
}

function statesOf(action: BulkAction['name']): readonly JobState[] {
  return TRANSITIONS.filter((row) => row.action === action && !row.requires.includes('stateAllows')).map(({ from }) => from);
}

/** One transaction of a call. */
interface Step {
  readonly ids: readonly string[];
  readonly request: BulkRequest;
  readonly recorded: number | null;
}

function changeSome(parts: BulkParts, tenant: TenantId, caller: Caller, { ids, request, recorded }: Step): Promise<Tried> {
  return inScene(parts, tenant, caller, { weight: ids.length }, async (scene) => {
    let changed = 0;
    const skips: { jobId: string; code: FailureCode }[] = [];
    for (const jobId of ids) {
      const outcome = await actOn(parts, scene, jobId, request.action);
      if (outcome.ok) changed += 1;
      else skips.push({ jobId, code: outcome.failure.code });
    }
    return { changed, skips, recorded: await record(scene, { ids, request, recorded }, { changed, skips }) };
  });
}

const KINDS = { cancel: 'cancel_jobs', redrive: 'redrive_jobs', purge: 'purge_jobs' } as const;

async function record(scene: Scene, { ids, request, recorded }: Step, { changed, skips }: Omit<Tried, 'recorded'>): Promise<number | null> {
  const { target, action } = request;
  const done = { changed, skipped: skips.length };
  if (recorded === null) {
    const about = { ...targetOf(target, ids, skips), ...(action.name === 'cancel' && action.force && { force: true }) };
    return recordAction(scene, { kind: KINDS[action.name], target: about, ...done, reason: action.name === 'cancel' ? action.reason : null });
  }
  await addToAction(scene, recorded, done);
  return recorded;
}

/** Ids as some of those that are jobs: what else was sent may be any text. */
function targetOf(target: BulkRequest['target'], tried: readonly string[], skips: Tried['skips']): ActionTarget {
  if ('filter' in target) return { filter: filterTarget(target.filter) };
  const unknown = new Set(skips.filter(({ code }) => code === 'JOB_NOT_FOUND').map(({ jobId }) => jobId));
  return { ids: target.ids.length, jobIds: tried.filter((id) => !unknown.has(id)).slice(0, LIMITS.bulkSamplesMax) };
}

function actOn(parts: BulkParts, scene: Scene, jobId: string, wanted: BulkAction): ReturnType<typeof redriveOne> {
  if (wanted.name !== 'redrive') return act(parts, scene, jobId, wanted);
  return redriveOne(parts, scene, jobId, { name: 'redrive', runAtMs: startMs(wanted.start, scene.nowMs), maxAttempts: null, payloadJson: null });
}
