/**
 * One random history of workers and their server: the wire between them loses, refuses and delays, and workers come, stop and
 * die. The server's API and store, the client and the worker are the real ones; time passes in steps.
 */
import type { FollowedEvent } from '../../src/client/events.ts';
import { unwrap } from '../../src/client/index.ts';
import type { Transport } from '../../src/client/transport.ts';
import { Activity } from '../../src/testing/activity.ts';
import { inProcessTransport } from '../../src/testing/in-process.ts';
import { type Inside, openInside } from '../../src/testing/inside.ts';
import { Program } from '../../src/testing/program.ts';
import { seededChance } from '../../src/testing/seeded-chance.ts';
import { VirtualClock } from '../../src/testing/virtual-clock.ts';
import { type JobContext, RetryAfter, type ShiftReport, Snooze, Worker, type WorkerEvent } from '../../src/worker/index.ts';
import { tenant } from '../support/tenants.ts';
import { T0_MS } from '../support/manual-clock.ts';
import { PassingTime } from './passing-time.ts';
import { type Mishaps, NO_MISHAPS, SpoiledWire } from './spoiled-wire.ts';

/** One run of a handler. Times are the server's too. */
export interface Run {
  readonly job: string;
  readonly fence: number;
  readonly worker: string;
  readonly startMs: number;
  endMs: number;
  /** `running`: its program died. */
  ended: 'done' | 'failed' | 'aborted' | 'running';
}

/** A worker that was told to stop, and has. */
export interface Stop {
  readonly how: 'stop' | 'stopSoon' | 'stopNow';
  readonly worker: string;
  readonly graceMs: number;
  readonly tookMs: number;
  readonly report: ShiftReport;
}

export interface History {
  /** Nothing was lost, refused or delayed, and nobody died. */
  readonly isClean: boolean;
  readonly jobs: readonly string[];
  readonly runs: readonly Run[];
  readonly stops: readonly Stop[];
  /** Of the workers, with who said it. */
  readonly told: readonly Told[];
  /** As the server has them. */
  readonly events: readonly FollowedEvent[];
}

export type Told = WorkerEvent & { readonly worker: string };

interface Work {
  readonly ms: number;
  /** What comes of its first claim. */
  readonly first: 'works' | 'fails' | 'snoozes' | 'asks';
}
interface Hand {
  readonly name: string;
  readonly worker: Worker;
  readonly program: Program;
  readonly graceMs: number;
  isStopping: boolean;
}

const STEPS = 8;
const WORKERS_MAX = 3;
const STEP_MS_MAX = 12_000;
const HANDLER_MS_MAX = 18_000;
const SILENT_MS_MAX = 25_000;
/** For what is to come of itself in the end. */
const FINISH_MS_MAX = 600_000;
const LOOK_MS = 2_000;
const QUEUE = 'default';

const CALM = 0.25;
const ROUGH: Mishaps = { lostRequest: 0.08, lostAnswer: 0.12, refused: 0.06, delayed: 0.2, delayMsMax: 25_000 };

export async function playHistory(seed: number): Promise<History> {
  const chance = seededChance(seed);
  const activity = new Activity();
  const clock = new VirtualClock(T0_MS, activity.note);
  const inside = await openInside({ tenant: tenant('default'), clock, entropy: chance, committed: activity.note });
  const player = new Player(seed, clock, activity, inside);
  try {
    return await player.play();
  } finally {
    await player.close();
  }
}

class Player {
  readonly #chance: ReturnType<typeof seededChance>;
  readonly #clock: VirtualClock;
  readonly #activity: Activity;
  readonly #time: PassingTime;
  readonly #inside: Inside;
  readonly #way: Transport;
  readonly #wire: SpoiledWire;
  readonly #watcher: Program;
  readonly #isClean: boolean;
  readonly #programs: Program[] = [];
  readonly #hands = new Set<Hand>();
  readonly #jobs: string[] = [];
  readonly #runs: Run[] = [];
  readonly #stops: Stop[] = [];
  readonly #told: Told[] = [];
  #hired = 0;

  constructor(seed: number, clock: VirtualClock, activity: Activity, inside: Inside) {
    [this.#chance, this.#clock, this.#activity, this.#inside] = [seededChance(seed + 1), clock, activity, inside];
    this.#time = new PassingTime(clock, activity, inside.store);
    this.#isClean = this.#chance.ratio() < CALM;
    this.#way = inProcessTransport({ inside, clock, passed: activity.note });
    this.#wire = new SpoiledWire(this.#way, clock, this.#chance.ratio, this.#isClean ? NO_MISHAPS : ROUGH);
    this.#watcher = this.#started(this.#way);
  }

  async play(): Promise<History> {
    for (let step = 0; step < STEPS; step++) {
      await this.#act();
      await this.#time.pass(this.#chance.ratio() ** 2 * STEP_MS_MAX);
    }
    await this.#finish();
    const events = await this.#events();
    return { isClean: this.#isClean, jobs: this.#jobs, runs: this.#runs, stops: this.#stops, told: this.#told, events };
  }

  async close(): Promise<void> {
    for (const program of this.#programs) program.kill();
    await this.#activity.settled();
    await this.#inside.close();
    await this.#activity.settled();
    this.#clock.wakeAll();
  }

  #started(transport: Transport): Program {
    const program = new Program({ transport, clock: this.#clock, chance: this.#chance });
    this.#programs.push(program);
    return program;
  }

  #one<Choice>(...choices: readonly Choice[]): Choice {
    return choices[Math.floor(this.#chance.ratio() * choices.length)] as Choice;
  }

  async #act(): Promise<void> {
    const [hand] = [...this.#hands].filter(({ isStopping }) => !isStopping);
    const act = this.#one('submit', 'submit', 'hire', 'hire', 'stop', 'stopSoon', 'stopNow', 'kill', 'silence');
    if (act === 'submit') await this.#submit(1 + Math.floor(this.#chance.ratio() * 4));
    else if (act === 'hire' || hand === undefined) this.#hire(this.#one(1, 1, 2, 5), this.#one(0, 0, 2));
    else if (act === 'silence') this.#fallSilent();
    else if (act === 'kill') this.#dieOnlyOnABadDay(hand);
    else this.#stop(hand, act);
  }

  async #submit(count: number): Promise<void> {
    for (let each = 0; each < count; each++) {
      const payload: Work = {
        ms: Math.floor(this.#chance.ratio() ** 3 * HANDLER_MS_MAX),
        first: this.#one('works', 'works', 'works', 'fails', 'snoozes', 'asks'),
      };
      const { job } = unwrap(await this.#watcher.lq.submitJob({ task: 't', payload: { ...payload }, maxAttempts: 20, retryBaseSeconds: 1 }));
      this.#jobs.push(job.id);
    }
  }

  #hire(concurrency: number, prefetch: number): void {
    if (this.#hands.size >= WORKERS_MAX) return;
    const name = `w${++this.#hired}`;
    const program = this.#started(this.#wire);
    const graceMs = this.#one(0, 3_000, 10_000);
    const onEvent = (event: WorkerEvent): void => void this.#told.push({ ...event, worker: name });
    const worker = new Worker(program.lq, {
      workerId: name,
      concurrency,
      prefetch,
      lease: this.#one('10s', '15s'),
      wait: this.#one('5s', '20s'),
      grace: graceMs,
      onEvent,
    });
    const hand = { name, worker, program, graceMs, isStopping: false };
    worker.onAny((context) => this.#work(hand, context));
    worker.start();
    this.#hands.add(hand);
  }

  #fallSilent(): void {
    if (!this.#isClean) this.#wire.silentUntilMs = this.#clock.monotonicMs() + this.#chance.ratio() * SILENT_MS_MAX;
  }

  #dieOnlyOnABadDay(hand: Hand): void {
    if (!this.#isClean) this.#kill(hand);
  }

  #kill(hand: Hand): void {
    hand.program.kill();
    this.#hands.delete(hand);
    for (const run of this.#runs) if (run.worker === hand.name && run.ended === 'running') run.endMs = this.#clock.nowMs();
  }

  #stop(hand: Hand, how: Stop['how']): void {
    hand.isStopping = true;
    const startMs = this.#clock.monotonicMs();
    void hand.worker[how]().then((report) => {
      this.#hands.delete(hand);
      const graceMs = how === 'stop' ? hand.graceMs : 0;
      this.#stops.push({ how, worker: hand.name, graceMs, tookMs: this.#clock.monotonicMs() - startMs, report });
    });
  }

  async #work({ name, program }: Hand, { job, signal }: JobContext): Promise<unknown> {
    const { ms, first } = job.payload as unknown as Work;
    const run: Run = { job: job.id, fence: job.fence, worker: name, startMs: this.#clock.nowMs(), endMs: Number.POSITIVE_INFINITY, ended: 'running' };
    this.#runs.push(run);
    await program.lq.clock.sleep(ms, signal);
    const isRepeat = job.fence > 1 || first === 'works';
    [run.endMs, run.ended] = [this.#clock.nowMs(), signal.aborted ? 'aborted' : isRepeat ? 'done' : 'failed'];
    signal.throwIfAborted();
    if (isRepeat) return { by: name, fence: job.fence };
    if (first === 'snoozes') throw new Snooze('2s');
    throw first === 'asks' ? new RetryAfter('3s') : new Error('failed');
  }

  /** One worker that nothing disturbs does what is left. */
  async #finish(): Promise<void> {
    if (this.#jobs.length === 0) await this.#submit(1);
    this.#wire.mishaps = NO_MISHAPS;
    this.#wire.silentUntilMs = 0;
    for (const hand of this.#hands) if (!hand.isStopping) this.#stop(hand, 'stop');
    await this.#until(() => this.#hands.size === 0);
    this.#hire(10, 0);
    await this.#until(async () => (await this.#watcher.lq.queue(QUEUE))?.stats.counts.completed === this.#jobs.length);
    for (const hand of this.#hands) this.#stop(hand, 'stop');
    await this.#until(() => this.#hands.size === 0);
  }

  /** Or until it is clear that it never comes, which the history then shows. */
  async #until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
    for (let leftMs = FINISH_MS_MAX; leftMs > 0 && !(await isTrue()); leftMs -= LOOK_MS) await this.#time.pass(LOOK_MS);
  }

  async #events(): Promise<readonly FollowedEvent[]> {
    const events: FollowedEvent[] = [];
    for (let after: string | null = null, hasMore = true; hasMore; ) {
      const page = await this.#watcher.lq.eventPage({ first: 100, ...(after !== null && { after }) });
      events.push(...page.nodes);
      [after, hasMore] = [page.cursor, page.hasMore];
    }
    return events;
  }
}
