/**
 * Workers are told to end while they have their hands full, 200 times: nothing may be lost, done twice or left under a lease.
 * `SIGNALS_SEED` repeats the choices of a run, though not its timing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { LeaseQueue } from '../../src/client/index.ts';
import type { FollowedEvent } from '../../src/client/events.ts';
import { systemChance } from '../../src/runtime/chance.ts';
import { seededChance } from '../../src/testing/seeded-chance.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';
import { type ProgramSettings, type Stamp, stampsOf, startWorkerProcess } from '../support/worker-process.ts';

const SIGNALS = 200;
const SIDE_BY_SIDE = 4;
/** As long as workers are told to end, so many jobs wait, about. */
const BACKLOG = 300;
const SUBMITTED_AT_ONCE = 40;
const HANDLER_MS_MAX = 60;
const LIFE_MS_MAX = 300;
/** Beyond its grace a worker has so long to say its last words. */
const LAST_MS = 2_000;
/** On a machine that is busy with other tests a process may wait for its turn for longer than that: a few, and not for ever. */
const [STARVED_MAX, STARVED_MS] = [4, 8_000];
/** So often in a row a job may be handed back at no cost. */
const FREE_RELEASES = 10;
/** The head of the queue is handed back once in every few moments here, as nowhere else: its jobs may bear it. */
const ATTEMPTS_MAX = 20;
const DRAIN_LOOKS_MAX = 150;
const QUEUE = 'signals';

const SEED = Number(process.env['SIGNALS_SEED'] ?? Math.floor(systemChance.ratio() * 1_000_000));

/** How a worker is told to end: it may let its jobs end, has to abort them, or is told again while it waits for them. */
type Manner = 'patient' | 'short' | 'twice';
const GRACE_MS: Readonly<Record<Manner, number>> = { patient: 10_000, short: 15, twice: 10_000 };

interface Plan extends Pick<ProgramSettings, 'concurrency' | 'prefetch'> {
  readonly manner: Manner;
  readonly lifeMs: number;
  readonly secondAfterMs: number;
}
interface Ending {
  readonly plan: Plan;
  /** As a shell has it. */
  readonly code: number | null;
  readonly tookMs: number;
  readonly said: readonly string[];
}

function planOf(index: number): Plan {
  const { ratio } = seededChance(SEED * 1_000 + index);
  const one = <Choice>(...choices: readonly Choice[]): Choice => choices[Math.floor(ratio() * choices.length)] as Choice;
  const manner = one<Manner>('patient', 'patient', 'short', 'short', 'twice');
  // Many begin to end before their first claim is answered, some after hundreds of jobs.
  const lifeMs = ratio() ** 2 * LIFE_MS_MAX;
  return { manner, concurrency: one(1, 1, 10, 10, 50), prefetch: one(0, 0, 0, 5, 20), lifeMs, secondAfterMs: ratio() * HANDLER_MS_MAX * 0.4 };
}

/** Keeps jobs waiting until it is stopped; answers with their ids. */
async function produce(lq: LeaseQueue, signal: AbortSignal): Promise<readonly string[]> {
  const { ratio } = seededChance(SEED);
  const ids: string[] = [];
  while (!signal.aborted) {
    const waiting = (await lq.queue(QUEUE))?.stats.counts.queued ?? 0;
    if (waiting < BACKLOG) {
      const submissions = Array.from({ length: SUBMITTED_AT_ONCE }, () =>
        lq.submitJob({ queue: QUEUE, task: 't', maxAttempts: ATTEMPTS_MAX, payload: { ms: Math.floor(ratio() * HANDLER_MS_MAX) } }),
      );
      for (const submitted of await Promise.all(submissions)) if (submitted.__typename === 'SubmitJobSuccess') ids.push(submitted.job.id);
    }
    await pause(30);
  }
  return ids;
}

/** The life of one worker. */
async function live(plan: Plan, settings: Pick<ProgramSettings, 'url' | 'notes'>, codeFolder: string): Promise<Ending> {
  const { manner, lifeMs, secondAfterMs, ...options } = plan;
  await using worker = startWorkerProcess({ ...settings, ...options, queues: [QUEUE], lease: '5s', grace: GRACE_MS[manner] }, codeFolder);
  await worker.says('working');
  await pause(lifeMs);
  const toldMs = performance.now();
  worker.kill('SIGTERM');
  if (manner === 'twice') {
    await worker.says('worker-stopping');
    await pause(secondAfterMs);
    worker.kill('SIGTERM');
  }
  const { code, signal } = await worker.ended;
  // Once the worker itself is over a signal does what it always does.
  return { plan, code: signal === 'SIGTERM' ? 143 : code, tookMs: performance.now() - toldMs, said: worker.said };
}

async function everyEvent(lq: LeaseQueue, after: string): Promise<readonly FollowedEvent[]> {
  const events: FollowedEvent[] = [];
  for await (const batch of lq.eventBatches({ after, maxBatch: 1_000, everyMs: 20 })) {
    events.push(...batch.events);
    if (batch.caughtUp) break;
  }
  return events;
}

/** Begins a worker that nobody disturbs, and ends it once every job is done, or it is clear that some never are. */
async function drain(lq: LeaseQueue, jobs: number, settings: Pick<ProgramSettings, 'url' | 'notes'>, codeFolder: string): Promise<void> {
  await using worker = startWorkerProcess({ ...settings, queues: [QUEUE], concurrency: 50, prefetch: 50, lease: '5s' }, codeFolder);
  for (let looks = 0; looks < DRAIN_LOOKS_MAX && ((await lq.queue(QUEUE))?.stats.counts.completed ?? 0) < jobs; looks++) await pause(100);
  worker.kill('SIGTERM');
  expect(await worker.ended).toEqual({ code: 0, signal: null });
}

/** One that was told twice may have ended before it was told again. */
function endsWithOther({ plan, code }: Ending): boolean {
  return code !== 0 && !(code === 143 && plan.manner === 'twice');
}

function lateMs({ plan, tookMs }: Ending): number {
  return tookMs - GRACE_MS[plan.manner] - LAST_MS;
}

/** Jobs of which two attempts ran at the same time. */
function overlaps(stamps: readonly Stamp[]): readonly string[] {
  const endUs = new Map(stamps.filter(({ what }) => what !== 'start').map(({ job, fence, atUs }) => [`${job} ${fence}`, atUs]));
  const attempts = Map.groupBy(
    stamps.filter(({ what }) => what === 'start').toSorted((a, b) => a.fence - b.fence),
    ({ job }) => job,
  );
  const endOf = (before: Stamp | undefined): number => (before === undefined ? 0 : (endUs.get(`${before.job} ${before.fence}`) ?? Number.POSITIVE_INFINITY));
  return [...attempts].filter(([, inOrder]) => inOrder.some(({ atUs }, index) => endOf(inOrder[index - 1]) > atUs)).map(([job]) => job);
}

function historyOf(events: readonly FollowedEvent[], job: string): string {
  const steps = events.filter(({ jobId }) => jobId === job).map(({ kind, workerId, at }) => `${kind} ${workerId ?? ''} ${at}`);
  return `${job}: ${steps.join(', ')}`;
}

/** Jobs that have used more than one attempt without being handed back too often for that. */
function spent(events: readonly FollowedEvent[]): readonly string[] {
  return [...Map.groupBy(events, ({ jobId }) => jobId)].flatMap(([job, history]) => {
    const released = history.filter(({ kind }) => kind === 'RELEASED').length;
    const attempt = history.find(({ kind }) => kind === 'COMPLETED')?.attempt ?? 1;
    return attempt > 1 && released < FREE_RELEASES ? [`${job}: ${history.map(({ kind }) => kind).join(' ')}`] : [];
  });
}

function countOf<Item>(items: readonly Item[], says: (item: Item) => boolean): number {
  return items.filter(says).length;
}

/** What may not be, by its name; each is empty or 0. */
function flawsOf(ids: readonly string[], endings: readonly Ending[], stamps: readonly Stamp[], events: readonly FollowedEvent[]) {
  const isDone = ({ what }: Stamp): boolean => what === 'done';
  const done = Map.groupBy(stamps.filter(isDone), ({ job }) => job);
  const completed = new Set(events.filter(({ kind }) => kind === 'COMPLETED').map(({ jobId }) => jobId));
  return {
    'signals that were not sent': SIGNALS - endings.length,
    'workers that ended badly': endings.filter(endsWithOther),
    'workers that ended much too late': endings.filter((ending) => lateMs(ending) > STARVED_MS),
    'workers that ended too late, beyond the few': endings.filter((ending) => lateMs(ending) > 0).slice(STARVED_MAX),
    'lost jobs': ids.filter((id) => !completed.has(id)).map((id) => historyOf(events, id)),
    'jobs that handlers have done twice or never': ids.filter((id) => done.get(id)?.length !== 1),
    'handlers without an end': countOf(stamps, ({ what }) => what === 'start') - countOf(stamps, ({ what }) => what !== 'start'),
    'jobs run by two at a time': overlaps(stamps),
    'leases left behind': events.filter(({ kind }) => kind === 'LEASE_EXPIRED'),
    'jobs with a spent attempt': spent(events),
  };
}

describe(`${SIGNALS} workers that get SIGTERM under load (seed ${SEED})`, () => {
  test('lose no job, do none twice, leave no lease behind, and end in time with 0', { timeout: 120_000 }, async () => {
    using folder = temporaryFolder();
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
    const lq = new LeaseQueue({ url: server.url });
    const [after, enough] = [await lq.latestEventCursor(), new AbortController()];
    const producing = produce(lq, enough.signal);

    let begun = 0;
    const endings: Ending[] = [];
    const settingsOf = (index: number) => ({ url: server.url, notes: folder.file(`${index}.notes`) });
    const lane = async (): Promise<void> => {
      while (begun < SIGNALS) {
        const index = begun++;
        endings.push(await live(planOf(index), settingsOf(index), folder.file('code')));
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
    enough.abort();
    const ids = await producing;
    await drain(lq, ids.length, settingsOf(SIGNALS), folder.file('code'));

    const events = await everyEvent(lq, after);
    const stamps = Array.from({ length: SIGNALS + 1 }, (_, index) => stampsOf(settingsOf(index).notes)).flat();
    const flaws = flawsOf(ids, endings, stamps, events);
    const none = Object.fromEntries(Object.entries(flaws).map(([name, found]) => [name, Array.isArray(found) ? [] : 0]));
    expect(flaws, `seed ${SEED}, ${ids.length} jobs`).toEqual(none);

    // There was something to see: jobs were handed back and aborted, and most second signals found their worker at work.
    const told = endings.filter(({ plan }) => plan.manner === 'twice');
    expect(ids.length).toBeGreaterThan(SIGNALS * 5);
    expect(countOf(events, ({ kind }) => kind === 'RELEASED')).toBeGreaterThan(SIGNALS);
    expect(countOf(stamps, ({ what }) => what === 'aborted')).toBeGreaterThan(SIGNALS / 4);
    expect(countOf(told, ({ code }) => code === 143)).toBeGreaterThan(told.length / 2);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
