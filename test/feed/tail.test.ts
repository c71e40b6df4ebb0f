import { describe, expect, test } from 'vitest';
import { type EventFilter, type JobEvent, matchesFilter } from '../../src/domain/events.ts';
import { type FeedGap, type FeedMessage, type FeedPage, type FeedPosition, type FeedRequest, follow } from '../../src/feed/tail.ts';
import { WakeUp } from '../../src/feed/wakeup.ts';
import { ManualClock, T0_MS } from '../support/manual-clock.ts';
import { tenant } from '../support/tenants.ts';

const alice = tenant('alice');
const at = (seq: number): FeedPosition => ({ epoch: 'e', seq });

function event(seq: number, queue = 'q'): JobEvent {
  const fact = { kind: 'SUBMITTED', fromState: null, toState: 'queued', attempt: 0, fence: 0, workerId: null, detail: null } as const;
  return { ...fact, seq, jobId: `j${seq}`, queue, task: 't', atMs: T0_MS, actor: null };
}

/** A log in memory, which pages as a store does: a page looks at a bounded number of events, wanted or not. */
class Log {
  readonly events: JobEvent[] = [];
  readonly wakeUp = new WakeUp();
  readonly clock = new ManualClock();
  readonly stopping = new AbortController();
  readonly delivered: number[] = [];
  reads = 0;
  opened = 0;
  closed = 0;
  gap: FeedGap | null = null;
  scanMax = 1_000;
  fault: Error | null = null;

  append(count: number, queue = 'q'): void {
    for (let index = 0; index < count; index += 1) this.events.push(event(this.events.length + 1, queue));
    this.wakeUp.wake(alice);
  }

  async readAfter(position: FeedPosition, filter: EventFilter, limit: number, isNewestOnly = false): Promise<FeedPage> {
    this.reads += 1;
    if (this.fault !== null) throw this.fault;
    const { gap } = this;
    if (gap !== null && position.seq < gap.resumeAt.seq) return { events: [], gap, position: gap.resumeAt, hasMore: true };
    if (isNewestOnly) {
      const all = this.events.slice(position.seq);
      return { events: all.slice(-limit), gap: null, position: at(this.events.length), hasMore: false, passedOver: Math.max(0, all.length - limit) };
    }
    const seen = this.events.slice(position.seq, position.seq + this.scanMax);
    const wanted = seen.filter((one) => matchesFilter(one, filter)).slice(0, limit);
    const last = wanted.length === limit ? (wanted.at(-1)?.seq ?? 0) : position.seq + seen.length;
    return { events: wanted, gap: null, position: at(last), hasMore: last < this.events.length };
  }

  follow(request: Partial<FeedRequest> = {}): AsyncIterableIterator<FeedMessage> {
    return follow(
      {
        readAfter: (position, filter, limit, isNewestOnly) => this.readAfter(position, filter, limit, isNewestOnly),
        latestPosition: async () => at(this.events.length),
        listen: () => this.wakeUp.listen(alice),
        monotonicMs: () => this.clock.monotonicMs(),
        sleep: (ms, signal) => this.clock.sleep(ms, signal),
        nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
        signal: this.stopping.signal,
        observer: {
          opened: () => (this.opened += 1),
          delivered: (events) => this.delivered.push(...events.map(({ seq }) => seq)),
          closed: () => (this.closed += 1),
        },
      },
      { after: at(0), filter: {}, maxBatch: 100, everyMs: 50, ...request },
    );
  }
}

const turns = async (count = 5): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

function told(result: IteratorResult<FeedMessage>): unknown {
  const message: FeedMessage | undefined = result.value;
  if (message === undefined) return 'ended';
  return message.kind === 'gap' ? { gap: message.gap.reason } : { seqs: message.events.map(({ seq }) => seq), caughtUp: message.caughtUp };
}

/** What `next` answers if it answers without any time passing, else 'waiting'. */
async function soon(pending: Promise<IteratorResult<FeedMessage>>): Promise<unknown> {
  return Promise.race([pending.then(told), turns().then(() => 'waiting')]);
}

describe('a feed', () => {
  test('replays history in batches without pausing, and says when nothing is left', async () => {
    const log = new Log();
    log.append(5);
    const feed = log.follow({ maxBatch: 2 });
    expect(told(await feed.next())).toEqual({ seqs: [1, 2], caughtUp: false });
    expect(told(await feed.next())).toEqual({ seqs: [3, 4], caughtUp: false });
    expect(told(await feed.next())).toEqual({ seqs: [5], caughtUp: true });
    expect(await soon(feed.next())).toBe('waiting');
    expect(log.delivered).toEqual([]);
  });

  test.each([
    ['from a cursor at the end', at(3)],
    ['from now', null],
  ])('%s says at once that nothing is left to replay', async (_name, after) => {
    const log = new Log();
    log.append(3);
    const feed = log.follow({ after });
    expect(told(await feed.next())).toEqual({ seqs: [], caughtUp: true });
    log.append(1);
    log.clock.advance(50);
    expect(told(await feed.next())).toEqual({ seqs: [4], caughtUp: true });
    expect(log.delivered).toEqual([4]);
  });

  test('sends the first event after a quiet moment at once, then one message per everyMs', async () => {
    const log = new Log();
    const feed = log.follow();
    await feed.next();
    log.clock.advance(1_000);
    const first = feed.next();
    await turns();
    log.append(1);
    expect(await soon(first)).toEqual({ seqs: [1], caughtUp: true });
    const second = feed.next();
    await turns();
    log.append(1);
    log.append(1);
    expect(await soon(second)).toBe('waiting');
    log.clock.advance(49);
    expect(await soon(second)).toBe('waiting');
    log.clock.advance(1);
    expect(await soon(second)).toEqual({ seqs: [2, 3], caughtUp: true });
  });

  test('does not pause while it is behind, live or not', async () => {
    const log = new Log();
    const feed = log.follow({ maxBatch: 2 });
    await feed.next();
    log.append(5);
    log.clock.advance(50);
    expect([told(await feed.next()), told(await feed.next()), told(await feed.next())]).toEqual([
      { seqs: [1, 2], caughtUp: false },
      { seqs: [3, 4], caughtUp: false },
      { seqs: [5], caughtUp: true },
    ]);
  });

  test('is never behind where only the newest are wanted: it tells of the last ones, and how many it left out', async () => {
    const log = new Log();
    const feed = log.follow({ maxBatch: 2, isNewestOnly: true });
    const passing = async (pending: Promise<IteratorResult<FeedMessage>>) => {
      const message: FeedMessage | undefined = (await pending).value;
      return message?.kind === 'batch' ? [message.events.map(({ seq }) => seq), message.passedOver, message.position.seq, message.caughtUp] : message;
    };
    expect(await passing(feed.next())).toEqual([[], 0, 0, true]);
    log.append(5);
    log.clock.advance(50);
    expect(await passing(feed.next())).toEqual([[4, 5], 3, 5, true]);
    const second = feed.next();
    log.append(2);
    expect(await soon(second)).toBe('waiting');
    log.append(300);
    log.clock.advance(50);
    expect(await passing(second)).toEqual([[306, 307], 300, 307, true]);
    log.clock.advance(50);
    log.append(1);
    expect(await passing(feed.next())).toEqual([[308], 0, 308, true]);
  });

  test('misses nothing that is committed while it reads', async () => {
    const log = new Log();
    const feed = log.follow();
    await feed.next();
    log.clock.advance(50);
    const read = log.readAfter.bind(log);
    let isFirst = true;
    log.readAfter = async (...given) => {
      const page = await read(...given);
      if (isFirst) log.append(1);
      isFirst = false;
      return page;
    };
    log.wakeUp.wake(alice);
    expect(await soon(feed.next())).toEqual({ seqs: [1], caughtUp: true });
  });

  test('tells of a gap, and goes on from where it says', async () => {
    const log = new Log();
    log.append(4);
    log.gap = { reason: 'retention', resumeAt: at(3), oldestAvailable: at(3) };
    const feed = log.follow();
    expect([told(await feed.next()), told(await feed.next())]).toEqual([{ gap: 'retention' }, { seqs: [4], caughtUp: true }]);
  });

  test('says that it has caught up after a gap at the end of the log', async () => {
    const log = new Log();
    log.append(4);
    log.gap = { reason: 'store_restored', resumeAt: at(4), oldestAvailable: null };
    const feed = log.follow();
    expect([told(await feed.next()), told(await feed.next())]).toEqual([{ gap: 'store_restored' }, { seqs: [], caughtUp: true }]);
  });

  test('whose filter matches nothing says so once, neither floods nor stalls, and does not read old events again', async () => {
    const log = new Log();
    log.scanMax = 10;
    log.append(95, 'noise');
    const feed = log.follow({ filter: { queues: ['wanted'] } });
    expect(told(await feed.next())).toEqual({ seqs: [], caughtUp: true });
    expect(log.reads).toBe(10);
    const next = feed.next();
    for (let round = 0; round < 5; round += 1) {
      log.append(1, 'noise');
      log.clock.advance(50);
      await turns();
    }
    expect(await soon(next)).toBe('waiting');
    const readsBefore = log.reads;
    log.append(1, 'wanted');
    log.clock.advance(50);
    expect(await soon(next)).toEqual({ seqs: [101], caughtUp: true });
    expect(log.reads - readsBefore).toBeLessThanOrEqual(2);
  });

  test('among events that nobody wants it does not look at every commit, and tells the next wanted one a moment later', async () => {
    const log = new Log();
    const feed = log.follow({ filter: { queues: ['rare'] }, everyMs: 500 });
    await feed.next();
    log.clock.advance(500);
    const next = feed.next();
    await turns();
    const before = log.reads;
    for (let commit = 0; commit < 50; commit++) {
      log.append(1);
      await turns(2);
    }
    expect(log.reads - before).toBeLessThan(3);
    log.append(1, 'rare');
    expect(await soon(next)).toBe('waiting');
    log.clock.advance(250);
    expect(told(await next)).toEqual({ seqs: [51], caughtUp: true });
    await feed.return?.();
  });

  test('lets other work run while it looks through events that nobody wants', async () => {
    const log = new Log();
    log.scanMax = 1;
    log.append(50, 'noise');
    let turnsOfOthers = 0;
    const others = setInterval(() => (turnsOfOthers += 1), 0);
    const immediate = new Promise<void>((resolve) => setImmediate(resolve)).then(() => (turnsOfOthers += 1));
    const feed = log.follow({ filter: { queues: ['wanted'] } });
    await feed.next();
    await immediate;
    clearInterval(others);
    expect(turnsOfOthers).toBeGreaterThan(0);
  });

  test('looks by itself where no wake-up came', async () => {
    const log = new Log();
    const feed = log.follow();
    await feed.next();
    const next = feed.next();
    await turns();
    log.events.push(event(1));
    expect(await soon(next)).toBe('waiting');
    log.clock.advance(5_000);
    expect(await soon(next)).toEqual({ seqs: [1], caughtUp: true });
  });
});

describe('the end of a feed', () => {
  test.each([
    ['while it waits for an event', (log: Log) => log.clock.advance(0)],
    ['while it keeps its pace', (log: Log) => log.append(1)],
  ])('by return() comes at once %s (B109)', async (_name, arrange) => {
    const log = new Log();
    const feed = log.follow();
    await feed.next();
    const pending = feed.next();
    await turns();
    arrange(log);
    await turns();
    await feed.return?.();
    expect(await soon(pending)).toBe('ended');
    await turns();
    expect([log.wakeUp.listeners, log.opened, log.closed]).toEqual([0, 1, 1]);
    expect(told(await feed.next())).toBe('ended');
  });

  test('by return() does not wait for a read that hangs', async () => {
    const log = new Log();
    log.readAfter = () => new Promise(() => {});
    const feed = log.follow();
    const pending = feed.next();
    await turns();
    await feed.return?.();
    expect(await soon(pending)).toBe('ended');
  });

  test('by the stop of the server ends the waiting reader', async () => {
    const log = new Log();
    const feed = log.follow();
    await feed.next();
    const pending = feed.next();
    await turns();
    log.stopping.abort();
    expect(await soon(pending)).toBe('ended');
    await turns();
    expect(log.wakeUp.listeners).toBe(0);
    expect(told(await log.follow().next())).toBe('ended');
  });

  test('by a fault of the log is told to the reader, and frees what it held', async () => {
    const log = new Log();
    log.fault = new Error('gone');
    const feed = log.follow();
    await expect(feed.next()).rejects.toThrow('gone');
    expect(log.wakeUp.listeners).toBe(0);
    expect(told(await feed.next())).toBe('ended');
  });

  test('that nobody ever read holds nothing', async () => {
    const log = new Log();
    const feed = log.follow();
    await feed.return?.();
    expect([log.wakeUp.listeners, log.opened]).toEqual([0, 0]);
  });

  test('leaves no listener at the signal of the server, after a thousand feeds', async () => {
    const log = new Log();
    let listeners = 0;
    const { signal } = log.stopping;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...given);
    };
    for (let round = 0; round < 1_000; round += 1) {
      const feed = log.follow();
      await feed.next();
      await feed.return?.();
    }
    expect(listeners).toBeLessThanOrEqual(0);
  });
});
