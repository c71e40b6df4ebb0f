/** Subscribers that share their work get what each of them would get alone: every wanted event once, in order. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventFilter } from '../../src/domain/events.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { SharedFeeds } from '../../src/feed/shared-feeds.ts';
import type { Renderer, Shown } from '../../src/feed/subscriber.ts';
import { type FeedMessage, type FeedParts, type FeedPosition, type FeedRequest, follow } from '../../src/feed/tail.ts';
import { WakeUp } from '../../src/feed/wakeup.ts';
import { nextTurn } from '../../src/runtime/turn.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { ALICE, CALLER, claimOf, openTestStore, submission } from '../support/store.ts';
import { settleDown } from '../support/turns.ts';

interface Text extends Shown {
  readonly message: FeedMessage;
}

/** A tenant's log on a real database, and what it costs to follow it. */
class Feeds {
  readonly feeds = new SharedFeeds<Text>();
  readonly stopping = new AbortController();
  readonly wakeUp = new WakeUp();
  readonly store: LeaseRepository;
  readonly clock: ManualClock;
  reads = 0;
  renders = 0;
  openRenderers = 0;
  bytesPerEvent = 100;
  fault: Error | null = null;

  private constructor(store: LeaseRepository, clock: ManualClock) {
    this.store = store;
    this.clock = clock;
    store.onLogGrown((owner) => this.wakeUp.wake(owner));
  }

  static async open(): Promise<Feeds> {
    const { store, clock } = await openTestStore();
    return new Feeds(store, clock);
  }

  get parts(): FeedParts {
    return {
      readAfter: async (position, filter, limit, isNewestOnly) => {
        this.reads += 1;
        if (this.fault !== null) throw this.fault;
        return this.store.eventsAfter(ALICE, position, filter, limit, isNewestOnly);
      },
      latestPosition: () => this.store.latestPosition(ALICE),
      listen: () => this.wakeUp.listen(ALICE),
      monotonicMs: () => this.clock.monotonicMs(),
      sleep: (ms, signal) => this.clock.sleep(ms, signal),
      nextTurn,
      signal: this.stopping.signal,
    };
  }

  renderer(): Renderer<Text> {
    this.openRenderers += 1;
    return {
      render: async (message) => {
        this.renders += 1;
        await nextTurn();
        return { message, byteLength: message.kind === 'gap' ? 50 : 50 + this.bytesPerEvent * message.events.length };
      },
      failure: async (error) => error,
      close: () => (this.openRenderers -= 1),
    };
  }

  follow(change: Partial<FeedRequest> = {}): Follower {
    const request: FeedRequest = { after: null, filter: {}, maxBatch: 100, everyMs: 50, ...change };
    return new Follower(this, request);
  }

  async submit(count: number, queue = 'q'): Promise<void> {
    const requests = Array.from({ length: count }, () => submission({ queue }));
    await this.store.submit(ALICE, CALLER, requests, false);
  }
}

/** A subscriber that takes what it is given at once, unless it `isStuck`. */
class Follower {
  readonly texts: Text[] = [];
  readonly leave: () => void;
  error: unknown = null;
  isOver = false;
  #isStuck = false;
  #taken: (() => void)[] = [];

  constructor(feeds: Feeds, request: FeedRequest) {
    const { after: _after, ...same } = request;
    const { parts } = feeds;
    const following = { key: JSON.stringify(same), parts, request, renderer: feeds.renderer(), openRenderer: async () => feeds.renderer() };
    this.leave = feeds.feeds.follow(following, {
      send: (text, taken) => {
        this.texts.push(text);
        if (this.#isStuck) this.#taken.push(taken);
        else void nextTurn().then(taken);
      },
      hasRoom: () => this.#taken.length === 0,
      end: () => (this.isOver = true),
      fail: (error) => (this.error = error),
    });
  }

  set isStuck(isStuck: boolean) {
    this.#isStuck = isStuck;
    if (!isStuck) for (const taken of this.#taken.splice(0)) taken();
  }

  get messages(): readonly FeedMessage[] {
    return this.texts.map(({ message }) => message);
  }

  get seqs(): readonly number[] {
    return seqsOf(this.messages);
  }

  get caughtUp(): readonly boolean[] {
    return this.messages.map((message) => message.kind === 'batch' && message.caughtUp);
  }
}

const seqsOf = (messages: readonly FeedMessage[]): readonly number[] =>
  messages.flatMap((message) => (message.kind === 'gap' ? [-message.gap.resumeAt.seq] : message.events.map(({ seq }) => seq)));

/** Lets `ms` pass, and everything happen that can happen then. */
async function pass(feeds: Feeds, ms: number): Promise<void> {
  await settleDown();
  feeds.clock.advance(ms);
  await settleDown();
}

describe('subscribers that ask for the same thing', () => {
  test('cost one read and one rendering a batch, and share its text', async () => {
    const feeds = await Feeds.open();
    const followers = Array.from({ length: 20 }, () => feeds.follow());
    await pass(feeds, 50);
    const [reads, renders] = [feeds.reads, feeds.renders];
    for (let round = 0; round < 3; round += 1) {
      await feeds.submit(4);
      await pass(feeds, 50);
    }
    expect([feeds.reads - reads, feeds.renders - renders, feeds.openRenderers]).toEqual([3, 3, 1]);
    for (const { seqs, texts } of followers) {
      expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(texts.slice(1)).toEqual(followers[0]?.texts.slice(1));
    }
    expect(followers.every(({ texts }) => texts.at(-1) === followers[0]?.texts.at(-1))).toBe(true);
  });

  test('do not wait for their pause after a quiet moment, and keep it then', async () => {
    const feeds = await Feeds.open();
    const followers = [feeds.follow(), feeds.follow()];
    await pass(feeds, 50);
    await feeds.submit(1);
    await settleDown();
    expect(followers.map(({ seqs }) => seqs)).toEqual([[1], [1]]);
    await feeds.submit(1);
    await pass(feeds, 49);
    expect(followers.map(({ seqs }) => seqs)).toEqual([[1], [1]]);
    await pass(feeds, 1);
    expect(followers.map(({ seqs }) => seqs)).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test('do not share with those who ask for something else', async () => {
    const feeds = await Feeds.open();
    const [one, other] = [feeds.follow({ filter: { queues: ['one'] } }), feeds.follow({ filter: { queues: ['other'] } })];
    await pass(feeds, 50);
    await feeds.submit(2, 'one');
    await feeds.submit(1, 'other');
    await pass(feeds, 50);
    expect([one.seqs, other.seqs]).toEqual([[1, 2], [3]]);
  });

  test('are joined by one that replayed, without a gap or a repeat, while events keep coming', async () => {
    const feeds = await Feeds.open();
    await feeds.submit(30);
    const first = feeds.follow({ after: null, maxBatch: 7 });
    await pass(feeds, 50);
    const late = feeds.follow({ after: { epoch: '', seq: 0 }, maxBatch: 7 });
    for (let round = 0; round < 10; round += 1) {
      await feeds.submit(1);
      await pass(feeds, 10);
    }
    const reads = feeds.reads;
    for (let round = 0; round < 10; round += 1) {
      await feeds.submit(1);
      await pass(feeds, 10);
    }
    await pass(feeds, 50);
    expect(feeds.reads - reads).toBeLessThanOrEqual(4);
    expect(first.seqs).toEqual(Array.from({ length: 20 }, (_, index) => 31 + index));
    expect(late.seqs).toEqual(Array.from({ length: 50 }, (_, index) => 1 + index));
    expect(late.caughtUp.slice(0, 5)).toEqual([false, false, false, false, true]);
    expect(feeds.openRenderers).toBe(1);
  });

  test('get a message in turns where they are many, so that other work runs in between', async () => {
    const feeds = await Feeds.open();
    const followers = Array.from({ length: 500 }, () => feeds.follow());
    await pass(feeds, 50);
    await pass(feeds, 50);
    const reached = (): number => followers.filter(({ seqs }) => seqs.length > 0).length;
    const counts = new Set<number>();
    await feeds.submit(1);
    while (reached() < 500) {
      counts.add(reached());
      await nextTurn();
    }
    expect(counts.size).toBeGreaterThanOrEqual(4);
  });

  test('go on without one that takes nothing, which reads on by itself later and joins again', async () => {
    const feeds = await Feeds.open();
    const [slow, ...others] = Array.from({ length: 4 }, () => feeds.follow());
    if (slow === undefined) throw new Error('no follower');
    await pass(feeds, 50);
    slow.isStuck = true;
    for (let round = 0; round < 20; round += 1) {
      await feeds.submit(5);
      await pass(feeds, 50);
    }
    expect(others.map(({ seqs }) => seqs.length)).toEqual([100, 100, 100]);
    expect(slow.texts).toHaveLength(2);
    slow.isStuck = false;
    await pass(feeds, 50);
    await feeds.submit(1);
    await pass(feeds, 50);
    expect([slow, ...others].map(({ seqs }) => seqs)).toEqual(Array.from({ length: 4 }, () => Array.from({ length: 101 }, (_, index) => 1 + index)));
    expect(feeds.openRenderers).toBe(1);
  });

  test('are not held up by a stuck one that came first', async () => {
    const feeds = await Feeds.open();
    const stuck = feeds.follow();
    await pass(feeds, 50);
    stuck.isStuck = true;
    await feeds.submit(1);
    await pass(feeds, 50);
    const others = [feeds.follow(), feeds.follow()];
    await pass(feeds, 50);
    await feeds.submit(1);
    await pass(feeds, 50);
    expect([stuck, ...others].map(({ seqs }) => seqs)).toEqual([[1], [2], [2]]);
    stuck.isStuck = false;
    await pass(feeds, 50);
    await feeds.submit(1);
    await pass(feeds, 50);
    expect([stuck, ...others].map(({ seqs }) => seqs)).toEqual([
      [1, 2, 3],
      [2, 3],
      [2, 3],
    ]);
    expect(feeds.openRenderers).toBe(1);
  });

  test('are told of a gap once each, and go on behind it', async () => {
    const feeds = await Feeds.open();
    const followers = [feeds.follow({ after: { epoch: 'another log', seq: 3 } }), feeds.follow({ after: { epoch: 'another log', seq: 3 } })];
    await feeds.submit(2);
    await pass(feeds, 50);
    await feeds.submit(1);
    await pass(feeds, 50);
    for (const { messages, seqs } of followers) {
      expect(messages.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
      expect(seqs.filter((seq) => seq > 0)).toEqual([1, 2, 3]);
    }
  });

  test('are all told of a fault of the log, and hold nothing after it', async () => {
    const feeds = await Feeds.open();
    const followers = [feeds.follow(), feeds.follow(), feeds.follow({ everyMs: 20 })];
    await pass(feeds, 50);
    feeds.fault = new Error('gone');
    await feeds.submit(1);
    await pass(feeds, 50);
    expect(followers.map(({ error }) => error)).toEqual([feeds.fault, feeds.fault, feeds.fault]);
    expect([feeds.feeds.size, feeds.wakeUp.listeners, feeds.openRenderers]).toEqual([0, 0, 0]);
  });

  test('leave at any moment, and the last one leaves nothing', async () => {
    const feeds = await Feeds.open();
    const followers = Array.from({ length: 6 }, () => feeds.follow());
    followers[0]?.leave();
    await settleDown(1);
    followers[1]?.leave();
    await pass(feeds, 50);
    await feeds.submit(1);
    followers[2]?.leave();
    await settleDown(2);
    followers[3]?.leave();
    await pass(feeds, 50);
    expect([followers[4]?.seqs, followers[5]?.seqs, feeds.feeds.size]).toEqual([[1], [1], 2]);
    for (const { leave } of followers) leave();
    await settleDown();
    expect([feeds.feeds.size, feeds.wakeUp.listeners, feeds.openRenderers]).toEqual([0, 0, 0]);
    expect(followers.some(({ isOver, error }) => isOver || error !== null)).toBe(false);
  });

  test('end with the server', async () => {
    const feeds = await Feeds.open();
    const followers = [feeds.follow(), feeds.follow(), feeds.follow({ everyMs: 20 })];
    await pass(feeds, 10);
    feeds.stopping.abort();
    await settleDown();
    expect(followers.every(({ isOver }) => isOver)).toBe(true);
    expect([feeds.feeds.size, feeds.wakeUp.listeners, feeds.openRenderers]).toEqual([0, 0, 0]);
  });

  test('cost nothing while nothing happens but one look in five seconds, however many ask for different things', async () => {
    const feeds = await Feeds.open();
    let looks = 0;
    const latest = feeds.store.latestPosition.bind(feeds.store);
    feeds.store.latestPosition = (owner) => {
      looks += 1;
      return latest(owner);
    };
    for (let index = 0; index < 50; index += 1) feeds.follow({ filter: { queues: [`q${index % 10}`] } });
    await pass(feeds, 50);
    const reads = feeds.reads;
    looks = 0;
    for (let second = 0; second < 60; second += 1) await pass(feeds, 1_000);
    expect([feeds.reads - reads, looks]).toEqual([0, 12]);
  });
});

describe('a message', () => {
  test('that would be too long goes out in parts below the bound, of which the last one has caught up', async () => {
    const feeds = await Feeds.open();
    feeds.bytesPerEvent = 50_000;
    const follower = feeds.follow({ maxBatch: 1_000 });
    await pass(feeds, 50);
    await feeds.submit(100);
    await pass(feeds, 50);
    expect(follower.seqs).toEqual(Array.from({ length: 100 }, (_, index) => 1 + index));
    expect(follower.texts.every(({ byteLength }) => byteLength <= LIMITS.feedMessageBytesMax)).toBe(true);
    expect(follower.caughtUp.slice(1, -1).every((caughtUp) => !caughtUp)).toBe(true);
    expect(follower.caughtUp.at(-1)).toBe(true);
    for (const message of follower.messages) {
      if (message.kind === 'batch' && message.events.length > 0) expect(message.position.seq).toBe(message.events.at(-1)?.seq);
    }
  });

  test('that leaves events out tells so once, in the first part', async () => {
    const feeds = await Feeds.open();
    feeds.bytesPerEvent = 50_000;
    const follower = feeds.follow({ maxBatch: 60, isNewestOnly: true });
    await pass(feeds, 50);
    await feeds.submit(100);
    await pass(feeds, 50);
    expect(follower.seqs).toEqual(Array.from({ length: 60 }, (_, index) => 41 + index));
    const parts = follower.messages.slice(1).map((message) => message.kind === 'batch' && message.passedOver);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts).toEqual([40, ...parts.slice(1).map(() => 0)]);
  });

  test('of one event is sent whatever its length', async () => {
    const feeds = await Feeds.open();
    feeds.bytesPerEvent = 2 * LIMITS.feedMessageBytesMax;
    const follower = feeds.follow();
    await pass(feeds, 50);
    await feeds.submit(3);
    await pass(feeds, 50);
    expect(follower.seqs).toEqual([1, 2, 3]);
    expect(follower.texts).toHaveLength(4);
  });
});

const FILTERS: readonly EventFilter[] = [{}, { queues: ['a'] }, { kinds: ['CLAIMED', 'COMPLETED'] }, { queues: [] }];

type Step =
  | { readonly kind: 'commit'; readonly queue: string; readonly count: number }
  | { readonly kind: 'work'; readonly queue: string; readonly count: number }
  | { readonly kind: 'join'; readonly filter: number; readonly back: number | null; readonly maxBatch: number; readonly everyMs: number }
  | { readonly kind: 'stick' | 'unstick' | 'leave'; readonly who: number }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'turns'; readonly count: number }
  | { readonly kind: 'retain' };

const queue = fc.constantFrom('a', 'b');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('commit' as const), queue, count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('work' as const), queue, count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      filter: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
      back: fc.option(fc.nat(60), { freq: 2 }),
      maxBatch: fc.constantFrom(3, 100, 100),
      everyMs: fc.constantFrom(20, 50, 50),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('stick' as const, 'unstick' as const, 'unstick' as const, 'leave' as const), who: fc.nat(30) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('turns' as const), count: fc.integer({ min: 0, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retain' as const) }) },
);

/** A subscriber in company, beside one who asks for the same from the same place on and is alone. */
interface Pair {
  readonly shared: Follower;
  readonly alone: FeedMessage[];
  readonly leave: () => void;
  hasLeft: boolean;
}

async function join(feeds: Feeds, { filter, back, maxBatch, everyMs }: Extract<Step, { kind: 'join' }>): Promise<Pair> {
  const head: FeedPosition = await feeds.store.latestPosition(ALICE);
  const after = back === null ? head : { ...head, seq: Math.max(0, head.seq - back) };
  const request = { after, filter: FILTERS[filter] ?? {}, maxBatch, everyMs };
  const shared = feeds.follow(request);
  const feed = follow({ ...feeds.parts, signal: feeds.stopping.signal }, request);
  const alone: FeedMessage[] = [];
  void (async () => {
    for await (const message of feed) alone.push(message);
  })();
  const leave = (): void => {
    shared.leave();
    void feed.return?.();
  };
  return { shared, alone, leave, hasLeft: false };
}

async function take(feeds: Feeds, pairs: Pair[], one: Step): Promise<void> {
  const pair = 'who' in one ? pairs[one.who % Math.max(1, pairs.length)] : undefined;
  if (one.kind === 'commit') await feeds.submit(one.count, one.queue);
  if (one.kind === 'work') {
    const { leases } = await feeds.store.claim(ALICE, CALLER, claimOf({ queues: [one.queue], max: one.count }));
    await feeds.store.complete(
      ALICE,
      CALLER,
      leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken, resultJson: null })),
    );
  }
  if (one.kind === 'join') pairs.push(await join(feeds, one));
  if (one.kind === 'pass') feeds.clock.advance(one.ms);
  if (one.kind === 'turns') await settleDown(one.count);
  if (one.kind === 'retain') {
    feeds.clock.advance(604_800_000);
    await feeds.store.retain();
  }
  if (pair === undefined) return;
  if (one.kind === 'stick') pair.shared.isStuck = true;
  if (one.kind === 'unstick') pair.shared.isStuck = false;
  if (one.kind === 'leave') {
    pair.leave();
    pair.hasLeft = true;
  }
}

/** What is wanted of an order: with a gap in it, what comes after the last one. */
const afterGap = (seqs: readonly number[]): readonly number[] => seqs.slice(seqs.findLastIndex((seq) => seq <= 0) + 1);

test('whoever joins, replays, stalls and leaves, each gets every wanted event once and in order, as alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const feeds = await Feeds.open();
      const pairs: Pair[] = [];
      for (const one of steps) await take(feeds, pairs, one);
      for (const { shared } of pairs) shared.isStuck = false;
      for (let round = 0; round < 4; round += 1) await pass(feeds, 60);
      await feeds.submit(2, 'a');
      for (let round = 0; round < 4; round += 1) await pass(feeds, 60);
      for (const { shared, alone, hasLeft } of pairs) {
        const [got, wanted] = [shared.seqs, seqsOf(alone)];
        const isGapless = [...got, ...wanted].every((seq) => seq > 0);
        if (hasLeft) {
          // The one may have been a moment ahead of the other when they left.
          const both = Math.min(got.length, wanted.length);
          if (isGapless) expect(got.slice(0, both)).toEqual(wanted.slice(0, both));
        } else if (isGapless) expect(got).toEqual(wanted);
        else {
          // A slower one can come too late for what retention took: it is told so, and misses nothing from there on.
          const [behind, all] = [afterGap(got), afterGap(wanted)];
          const common = Math.min(behind.length, all.length);
          expect(behind.slice(behind.length - common)).toEqual(all.slice(all.length - common));
          expect(new Set(got).size).toBe(got.length);
        }
      }
      feeds.stopping.abort();
      await settleDown();
      expect([feeds.feeds.size, feeds.wakeUp.listeners, feeds.openRenderers]).toEqual([0, 0, 0]);
      await feeds.store.close();
    }),
    { numRuns: 50 },
  );
}, 60_000);

test('who wants only the newest is told of every event or of how many were left out before it, whoever joins, stalls and leaves', async () => {
  let leftOut = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const feeds = await Feeds.open();
      const followed: { readonly from: number; readonly follower: Follower }[] = [];
      for (const one of steps) {
        const head = await feeds.store.latestPosition(ALICE);
        const pair = 'who' in one ? followed[one.who % Math.max(1, followed.length)]?.follower : undefined;
        if (one.kind === 'join') {
          const after = { ...head, seq: Math.max(0, head.seq - (one.back ?? 0)) };
          followed.push({ from: after.seq, follower: feeds.follow({ after, maxBatch: 3, everyMs: one.everyMs, isNewestOnly: true }) });
        } else if (one.kind === 'leave') pair?.leave();
        else if (one.kind === 'stick' && pair !== undefined) pair.isStuck = true;
        else if (one.kind === 'unstick' && pair !== undefined) pair.isStuck = false;
        else await take(feeds, [], one);
      }
      for (const { follower } of followed) follower.isStuck = false;
      for (let round = 0; round < 4; round += 1) await pass(feeds, 60);
      for (const { from, follower } of followed) {
        let told = from;
        for (const message of follower.messages) {
          if (message.kind === 'gap') told = message.gap.resumeAt.seq;
          else {
            leftOut += message.passedOver ?? 0;
            const first = told + (message.passedOver ?? Number.NaN) + 1;
            expect(message.events.map(({ seq }) => seq)).toEqual(Array.from({ length: message.events.length }, (_, index) => first + index));
            expect(message.events.length).toBeLessThanOrEqual(3);
            told += (message.passedOver ?? 0) + message.events.length;
            expect(message.position.seq).toBe(told);
          }
        }
      }
    }),
    { numRuns: 60 },
  );
  expect(leftOut).toBeGreaterThan(0);
});
