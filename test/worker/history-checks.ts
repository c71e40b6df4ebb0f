/** What holds after any history of workers. Each check gives a sentence for every place where it does not. */
import type { FollowedEvent } from '../../src/client/events.ts';
import type { History, Run, Stop } from './history.ts';

/** After the grace: for what is still to be said to the server. */
const LAST_WORDS_MS = 2_000;
/** So many moments of the clock may pass between what ends a wait and whoever waits. */
const SLACK_MS = 500;
const FREE_RELEASES = 10;

export function flawsOf(history: History): readonly string[] {
  const byJob = Map.groupBy(history.events, ({ jobId }) => jobId);
  const runsOf = Map.groupBy(history.runs, ({ job }) => job);
  return [
    ...history.jobs.flatMap((id) => flawsOfJob(history, byJob.get(id) ?? [], runsOf.get(id) ?? [])),
    ...history.stops.flatMap((stop) => flawsOfStop(history, stop)),
  ];
}

function flawsOfJob(history: History, events: readonly FollowedEvent[], runs: readonly Run[]): readonly string[] {
  const story = `${events.map(({ kind, fence, workerId }) => `${kind} ${fence} ${workerId}`).join(', ')}; ${runs.map(textOf).join(', ')}`;
  const flaws = [...ending(history, events, runs), ...fences(runs), ...runs.flatMap((run) => outsideItsLease(run, events)), ...attempts(history, events)];
  return flaws.map((flaw) => `${flaw} (${story})`);
}

function textOf({ fence, worker, startMs, endMs, ended }: Run): string {
  return `run ${fence} by ${worker} ${startMs % 10_000_000}-${endMs % 10_000_000} ${ended}`;
}

/** Completed once, with the result of the one run that did it. */
function ending({ told, stops }: History, events: readonly FollowedEvent[], runs: readonly Run[]): readonly string[] {
  const [last, ...more] = events.filter(({ kind }) => kind === 'COMPLETED');
  if (last === undefined || more.length > 0 || events.at(-1) !== last) return ['a job was not completed, or more than once'];
  const isToldOf = ({ job, fence }: Run): boolean => told.some((event) => event.type === 'lease-lost' && event.job.id === job && event.job.fence === fence);
  // Whoever died says nothing, and whoever stopped could not wait for the server for ever, and has reported that.
  const isExcused = ({ worker }: Run): boolean => (stops.find((stop) => stop.worker === worker)?.report.unsettled ?? 1) > 0;
  const done = runs.filter(({ ended }) => ended === 'done');
  const reports = told.filter((event) => event.type === 'job-completed' && event.job.id === last.jobId);
  return [
    ...(done.filter(({ fence }) => fence === last.fence).length === 1 ? [] : ['a job was completed by a run that had not done it']),
    ...(done.every((run) => run.fence === last.fence || isToldOf(run) || isExcused(run))
      ? []
      : ['a run was done, its result did not count, and nobody said so']),
    ...(reports.length <= 1 ? [] : ['a job was reported completed twice']),
  ];
}

function fences(runs: readonly Run[]): readonly string[] {
  return new Set(runs.map(({ fence }) => fence)).size === runs.length ? [] : ['a lease was worked under twice'];
}

/** A run begins after its claim, and is over before anything else happens to the job. */
function outsideItsLease(run: Run, events: readonly FollowedEvent[]): readonly string[] {
  const claim = events.findIndex(({ kind, fence }) => kind === 'CLAIMED' && fence === run.fence);
  const [claimedAt, over] = [events[claim], events[claim + 1]];
  if (claimedAt === undefined || run.startMs < Date.parse(claimedAt.at)) return ['a run began before its lease'];
  return over !== undefined && run.endMs > Date.parse(over.at) ? [`a run went on after ${over.kind}`] : [];
}

/** An attempt is used by a failure, a lapse, or one release too many; where nothing goes wrong, by failures alone. */
function attempts({ isClean }: History, events: readonly FollowedEvent[]): readonly string[] {
  const count = (wanted: FollowedEvent['kind']): number => events.filter(({ kind }) => kind === wanted).length;
  const [used, released, lapsed] = [events.at(-1)?.attempt ?? 0, count('RELEASED'), count('LEASE_EXPIRED')];
  return [
    ...(used === 1 + count('RETRY_SCHEDULED') + lapsed || released >= FREE_RELEASES ? [] : [`an attempt went astray: ${used} are used`]),
    ...(isClean && lapsed > 0 ? ['a lease was left behind although nothing went wrong'] : []),
  ];
}

function flawsOfStop({ isClean }: History, { how, worker, graceMs, tookMs, report }: Stop): readonly string[] {
  return [
    ...(tookMs <= graceMs + LAST_WORDS_MS + SLACK_MS ? [] : [`${how} of ${worker} took ${tookMs} ms with a grace of ${graceMs} ms`]),
    ...(isClean && report.unsettled > 0 ? [`${how} of ${worker} left ${report.unsettled} leases behind although nothing went wrong`] : []),
    ...(how !== 'stopNow' && report.abandoned > 0 ? [`${how} of ${worker} did not wait for ${report.abandoned} handlers`] : []),
  ];
}
