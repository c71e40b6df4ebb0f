/** What a test queue is made of, put together. */
import type { LeaseQueue } from '../client/client.ts';
import type { Transport, WireAnswer } from '../client/transport.ts';
import type { TenantId } from '../domain/job.ts';
import type { LeaseRepository } from '../store/housekeeping.ts';
import { Activity } from './activity.ts';
import { Faults } from './faults.ts';
import { InlineClient } from './inline-client.ts';
import { inProcessTransport } from './in-process.ts';
import { openInside } from './inside.ts';
import { Program, type ProgramParts } from './program.ts';
import { Runner } from './runner.ts';
import { seededChance } from './seeded-chance.ts';
import { Timeline } from './timeline.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface QueueSettings {
  readonly tenant: TenantId;
  readonly nowMs: number;
  readonly seed: number;
  readonly isInline: boolean;
}

export interface QueueParts {
  /** Of the code under test. */
  readonly lq: LeaseQueue;
  /** Looks at what is there, and meets no planned fault. */
  readonly watcher: LeaseQueue;
  readonly store: LeaseRepository;
  readonly clock: VirtualClock;
  readonly timeline: Timeline;
  readonly runner: Runner;
  readonly faults: Faults;
  /** Handlers that are to end without a word. */
  readonly crashes: { planned: number };
  close(): Promise<void>;
}

export async function openParts({ tenant, nowMs, seed, isInline }: QueueSettings): Promise<QueueParts> {
  const [activity, faults, crashes, chance] = [new Activity(), new Faults(), { planned: 0 }, seededChance(seed)];
  const clock = new VirtualClock(nowMs, activity.note);
  const inside = await openInside({ tenant, clock, entropy: chance, committed: activity.note });
  const door = closable(inProcessTransport({ inside, clock, passed: activity.note }));
  const start = (parts: Omit<ProgramParts, 'clock' | 'chance'>): Program => new Program({ ...parts, clock, chance });
  const watcher = start({ transport: door.transport });
  const shifts: Program[] = [];
  const startProgram = (): Program => {
    const program = start({ transport: faults.in(door.transport, false) });
    shifts.push(program);
    return program;
  };
  const runDue = async (): Promise<boolean> => isInline && (await runner.drain()).length > 0;
  const timeline = new Timeline({ clock, store: inside.store, activity, atRest: runDue });
  const crashesNow = (): boolean => crashes.planned > 0 && crashes.planned-- > 0;
  const runner: Runner = new Runner({ lq: watcher.lq, timeline, startProgram, crashesNow, faults });
  const tested = start({ transport: faults.in(door.transport, true), ...(isInline && { createClient: (options) => new InlineClient(options, runDue) }) });
  return {
    ...{ lq: tested.lq, watcher: watcher.lq, store: inside.store, clock, timeline, runner, faults, crashes },
    close: onceOnly(async () => {
      door.close();
      for (const program of shifts) program.kill();
      await inside.close();
      // Whoever waits to try again learns that there is no point.
      await activity.settled();
      clock.wakeAll();
    }),
  };
}

const CLOSED: WireAnswer = {
  status: 400,
  retryAfterSeconds: null,
  text: JSON.stringify({ errors: [{ message: 'The test queue is closed. Nothing was changed.', extensions: { code: 'BAD_REQUEST' } }] }),
};

/** The same transport until it is closed; then every request is refused for good. */
function closable(transport: Transport): { readonly transport: Transport; readonly close: () => void } {
  let isClosed = false;
  return {
    transport: {
      send: async (request) => (isClosed ? CLOSED : transport.send(request)),
      open: async (request) => (isClosed ? { status: CLOSED.status, mediaType: 'application/json', chunks: bytesOf(CLOSED.text) } : transport.open(request)),
    },
    close: () => {
      isClosed = true;
    },
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(text);
}

function onceOnly(run: () => Promise<void>): () => Promise<void> {
  let first: Promise<void> | null = null;
  return () => (first ??= run());
}
