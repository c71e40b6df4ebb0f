/** A worker, its server and their one clock, which a test moves; and the wire between them, which a test can spoil. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { defineTask, LeaseQueue, type LeaseQueueOptions } from '../../src/client/index.ts';
import { Worker, type WorkerEvent, type WorkerOptions } from '../../src/worker/index.ts';
import { startApp, type TestApp, type TestAppOptions } from './app.ts';
import { ManualClock } from './manual-clock.ts';
import { noteAnswer } from './secret-watch.ts';

export const echo = defineTask({ name: 'echo', input: z.object({ n: z.number() }), retry: { base: '10s' } });
export const QUEUE = 'work';

/** One request, as a test may look at it or spoil it. */
export interface Sent {
  readonly query: string;
  // biome-ignore lint: requests are looked into by tests, whose expectations are their types
  readonly variables: any;
  readonly isWaiting: boolean;
}
/** `pass` carries it out. Throw instead, or after it, and the answer is lost. */
export type Spoil = (sent: Sent, pass: () => Promise<Response>) => Promise<Response>;

export class Wire {
  readonly sent: Sent[] = [];
  spoil: Spoil = (_, pass) => pass();
  /** Nothing arrives and nothing comes back, until whoever asked gives up. */
  isSilent = false;
  #busy = 0;

  readonly fetch: typeof fetch = async (input, init) => {
    const { query, variables } = JSON.parse(init?.body as string) as Pick<Sent, 'query' | 'variables'>;
    const sent = { query, variables, isWaiting: (variables.claim?.waitSeconds ?? 0) > 0 };
    this.sent.push(sent);
    if (this.isSilent) return givenUp(init?.signal);
    if (!sent.isWaiting) this.#busy += 1;
    try {
      return await this.spoil(sent, async () => answerOf(await fetch(input, init)));
    } finally {
      if (!sent.isWaiting) this.#busy -= 1;
    }
  };

  /** Ends once nothing is on its way but claims that wait. */
  async quiet(): Promise<void> {
    for (let calm = 0; calm < 30; calm = this.#busy === 0 ? calm + 1 : 0) await nextTurn();
  }

  of(operation: string): readonly Sent[] {
    return this.sent.filter(({ query }) => query.includes(` ${operation}(`));
  }
}

function givenUp(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

async function answerOf(response: Response): Promise<Response> {
  const text = await response.text();
  noteAnswer(text);
  return new Response(text, { status: response.status, headers: response.headers });
}

export interface Stage extends AsyncDisposable {
  readonly app: TestApp;
  readonly clock: ManualClock;
  readonly wire: Wire;
  readonly lq: LeaseQueue;
  readonly events: readonly WorkerEvent[];
  /** A worker on this stage, stopped with it. */
  worker(options?: WorkerOptions): Worker;
  /** The first event of the type, past or to come, that the check takes. */
  heard<Type extends WorkerEvent['type']>(
    type: Type,
    takes?: (event: Extract<WorkerEvent, { type: Type }>) => boolean,
  ): Promise<Extract<WorkerEvent, { type: Type }>>;
  /** Lets time pass, a quarter of a second at a time, and whatever comes of it happen. */
  pass(ms: number): Promise<void>;
  submit(...ns: readonly number[]): Promise<readonly string[]>;
  state(id: string): Promise<string>;
  kinds(id: string): Promise<readonly string[]>;
}

const STEP_MS = 250;

export async function startStage(options: TestAppOptions = {}, client: Partial<LeaseQueueOptions> = {}): Promise<Stage> {
  const clock = new ManualClock();
  const app = await startApp({ clock, ...options });
  const wire = new Wire();
  const lq = new LeaseQueue({ url: app.url, clock, fetch: wire.fetch, ...client });
  const events: WorkerEvent[] = [];
  const workers: Worker[] = [];
  const listeners = new Set<() => void>();
  const onEvent = (event: WorkerEvent): void => {
    events.push(event);
    for (const listen of listeners) listen();
  };
  const stage: Stage = {
    ...{ app, clock, wire, lq, events },
    worker(more = {}) {
      const worker = new Worker(lq, { queues: [QUEUE], clock, onEvent, ...more });
      workers.push(worker);
      return worker;
    },
    heard(type, takes = () => true) {
      return new Promise((resolve) => {
        const listen = (): void => {
          const found = events.find((event) => event.type === type && takes(event as never));
          if (found === undefined) return;
          listeners.delete(listen);
          resolve(found as never);
        };
        listeners.add(listen);
        listen();
      });
    },
    async pass(ms) {
      await wire.quiet();
      for (let left = ms; left > 0; left -= STEP_MS) {
        clock.advance(Math.min(left, STEP_MS));
        await wire.quiet();
      }
    },
    async submit(...ns) {
      const submitted = await Promise.all(ns.map((n) => lq.submit(echo, { n }, { queue: QUEUE })));
      return submitted.map(({ job }) => job.id);
    },
    async state(id) {
      return (await lq.job({ id }))?.state ?? 'NONE';
    },
    async kinds(id) {
      return (await lq.job({ id }))?.events.nodes.map(({ kind }) => kind) ?? [];
    },
    async [Symbol.asyncDispose]() {
      const stops = workers.map((worker) => worker.stopNow().catch(() => null));
      const stopped = Promise.all(stops).then(() => true);
      // A stop may have to wait out some pauses.
      while ((await Promise.race([stopped, wire.quiet()])) !== true) clock.advance(STEP_MS);
      await app[Symbol.asyncDispose]();
    },
  };
  return stage;
}
