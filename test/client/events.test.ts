/** Following events through whatever happens to the connection. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventBatch, FollowedEvent, RetryNotice } from '../../src/client/index.ts';
import { LeaseQueue, unwrap } from '../../src/client/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { goOn, ManualClock } from '../support/manual-clock.ts';
import { httpAnswer, startProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { settleDown } from '../support/turns.ts';

let server: TestApp;
let proxy: TcpProxy;
let direct: LeaseQueue;
let ticking: Disposable;
beforeAll(async () => {
  server = await startApp();
  direct = new LeaseQueue({ url: server.url });
  // The server pauses between batches by its own clock.
  ticking = goOn(server.clock);
});
afterAll(() => {
  ticking[Symbol.dispose]();
  return server.app.stop();
});
beforeEach(async () => {
  proxy = await startProxy(server.url);
});
afterEach(() => proxy[Symbol.asyncDispose]());

/** Backs off by no time at all, and remembers why. */
function impatient(url: string, clock = new ManualClock()): { readonly lq: LeaseQueue; readonly notices: RetryNotice[]; readonly clock: ManualClock } {
  const notices: RetryNotice[] = [];
  const onRetry = (notice: RetryNotice): void => {
    notices.push(notice);
    setImmediate(() => clock.advance(Math.ceil(notice.pauseMs)));
  };
  return { lq: new LeaseQueue({ url, clock, onRetry }), notices, clock };
}

const openFeeds = async () => (await direct.tenant('default'))?.usage.openFeeds;
const submitMany = async (queue: string, count: number): Promise<readonly string[]> => {
  const results = await Promise.all(Array.from({ length: count }, () => direct.submitJob({ queue, task: 't' })));
  return results.map((result) => unwrap(result).job.id);
};

/** A fetch that tells how much of each answer was taken, and takes nothing ahead. */
function counting(taken: (bytes: number) => void): typeof fetch {
  return async (...given) => {
    const { body, status, headers } = await fetch(...given);
    const reader = body?.getReader();
    const source: UnderlyingDefaultSource<Uint8Array> = {
      async pull(controller) {
        const read = await reader?.read();
        if (read === undefined || read.done) return controller.close();
        taken(read.value.length);
        controller.enqueue(read.value);
      },
      cancel: (reason) => reader?.cancel(reason),
    };
    return new Response(new ReadableStream(source, { highWaterMark: 0 }), { status, headers });
  };
}

async function read(events: AsyncIterable<FollowedEvent>, count: number): Promise<readonly FollowedEvent[]> {
  const seen: FollowedEvent[] = [];
  for await (const event of events) if (seen.push(event) >= count) break;
  return seen;
}

describe('events', () => {
  test('begin now where no cursor is named, and come in order', async () => {
    await submitMany('past', 3);
    const events = direct.events({ filter: { queues: ['live', 'past'] } });
    const first = events.next();
    await expect.poll(openFeeds).toBe(1);
    const ids = await submitMany('live', 5);
    const seen = [(await first).value, ...(await read(events, 4))];
    expect(seen.map((event) => event?.jobId)).toEqual(ids);
    await expect.poll(openFeeds).toBe(0);
  });

  test('are those of the filter only', async () => {
    const after = await direct.latestEventCursor();
    await submitMany('other', 20);
    const [id] = await submitMany('chosen', 1);
    expect((await read(direct.events({ after, filter: { queues: ['chosen'] } }), 1)).map(({ jobId }) => jobId)).toEqual([id]);
  });

  test('in batches say how far they are, so that somebody else can go on', async () => {
    const after = await direct.latestEventCursor();
    const ids = await submitMany('batches', 25);
    const options = { filter: { queues: ['batches'] }, maxBatch: 10, everyMs: 20 };
    const seen: EventBatch[] = [];
    for await (const batch of direct.eventBatches({ ...options, after })) {
      seen.push(batch);
      if (seen.length === 2) break;
    }
    expect(seen.map(({ events, caughtUp }) => [events.length, caughtUp])).toEqual([
      [10, false],
      [10, false],
    ]);
    const rest: EventBatch[] = [];
    for await (const batch of direct.eventBatches({ ...options, after: seen[1]?.cursor ?? '' })) {
      rest.push(batch);
      if (batch.caughtUp) break;
    }
    expect([...seen, ...rest].flatMap(({ events }) => events.map(({ jobId }) => jobId))).toEqual(ids);
  });

  test('go on through connections that are cut, without gap or repeat, over thousands', async () => {
    const { lq, notices } = impatient(proxy.url);
    const after = await lq.latestEventCursor();
    const ids = await submitMany('cut', 4_000);
    proxy.fail('pass', 'before', 'after', 'within', 'within', httpAnswer(502, '<html></html>'), 'within');
    const seen: string[] = [];
    for await (const { jobId } of lq.events({ after, filter: { queues: ['cut'] }, maxBatch: 100, everyMs: 20 })) {
      seen.push(jobId);
      if (seen.length % 333 === 0) proxy.cutAll();
      if (seen.length === ids.length) break;
    }
    expect(seen).toEqual(ids);
    expect(notices.length).toBeGreaterThan(6);
    expect(new Set(notices.map(({ error }) => error.code))).toEqual(new Set(['UNREACHABLE']));
    expect(notices.map(({ error }) => error.message).filter((message) => message.includes('its address'))).toEqual([]);
  });

  test('begin again with short pauses once a connection was of use, also where nothing had happened', async () => {
    const { lq, notices } = impatient(proxy.url);
    const leaving = new AbortController();
    const reading = read(lq.events({ signal: leaving.signal, after: await lq.latestEventCursor() }), 1);
    for (let round = 1; round <= 6; round++) {
      await expect.poll(openFeeds).toBe(1);
      await expect.poll(() => proxy.requests.length).toBe(round + 1);
      await settleDown();
      proxy.cutAll();
      await expect.poll(() => notices.length).toBe(round);
    }
    expect(Math.max(...notices.map(({ pauseMs }) => pauseMs))).toBeLessThanOrEqual(100);
    leaving.abort();
    expect(await reading).toEqual([]);
  });

  test('lose nothing to a reader that is slow, and nothing piles up at this end', async () => {
    const after = await direct.latestEventCursor();
    const ids = await submitMany('slow', 3_000);
    let takenBytes = 0;
    const lq = new LeaseQueue({ url: server.url, fetch: counting((bytes) => (takenBytes += bytes)) });
    const seen: string[] = [];
    for await (const { jobId } of lq.events({ after, filter: { queues: ['slow'] }, maxBatch: 50, everyMs: 20 })) {
      seen.push(jobId);
      if (seen.length === 1) {
        await settleDown(300);
        // Three thousand are a megabyte.
        expect(takenBytes).toBeLessThan(200_000);
      }
      if (seen.length === ids.length) break;
    }
    expect(seen).toEqual(ids);
    expect(takenBytes).toBeGreaterThan(600_000);
  });
});

describe('a gap', () => {
  async function withGap(): Promise<{
    readonly clock: ManualClock;
    readonly app: TestApp;
    readonly lq: LeaseQueue;
    readonly after: string;
    readonly kept: string;
  }> {
    const app = await startApp();
    const lq = new LeaseQueue({ url: app.url });
    const after = await lq.latestEventCursor();
    const { job } = unwrap(await lq.submitJob({ queue: 'q', task: 't' }));
    unwrap(await lq.cancelJob({ id: job.id }));
    await lq.purgeJobs({ target: { filter: { queues: ['q'], states: ['CANCELLED'] } } });
    const kept = unwrap(await lq.submitJob({ queue: 'q', task: 't' })).job.id;
    return { clock: app.clock, app, lq, after, kept };
  }

  test('is thrown with what to do about it', async () => {
    const { app, lq, after } = await withGap();
    await using _ = app;
    await expect(read(lq.events({ after }), 1)).rejects.toMatchObject({ code: 'EVENT_GAP', details: { resumeAt: expect.any(String) } });
  });

  test('is passed to whoever wants to know, and events go on behind it', async () => {
    const { app, lq, after, kept } = await withGap();
    await using _ = app;
    const gaps: unknown[] = [];
    const [event] = await read(lq.events({ after, onGap: (gap) => gaps.push(gap), filter: { kinds: ['SUBMITTED'] } }), 1);
    expect(event?.jobId).toBe(kept);
    expect(gaps).toMatchObject([{ __typename: 'JobEventGap', reason: expect.any(String) }]);
  });

  test('whose hearer throws ends it with what was thrown', async () => {
    const { app, lq, after } = await withGap();
    await using _ = app;
    const onGap = (): never => {
      throw new Error('cannot load the state anew');
    };
    await expect(read(lq.events({ after, onGap }), 1)).rejects.toThrow('cannot load the state anew');
  });
});

describe('leaving', () => {
  test('by break closes the connection at the server', async () => {
    const after = await direct.latestEventCursor();
    await submitMany('break', 1);
    await read(direct.events({ after }), 1);
    await expect.poll(openFeeds).toBe(0);
  });

  test('by return() ends it at once, also while it waits for an event', async () => {
    const events = direct.events();
    const pending = events.next();
    await expect.poll(openFeeds).toBe(1);
    await events.return();
    expect(await pending).toEqual({ done: true, value: undefined });
    await expect.poll(openFeeds).toBe(0);

    const batches = direct.eventBatches({ filter: { queues: ['never'] } });
    expect((await batches.next()).value).toMatchObject({ events: [], caughtUp: true });
    const next = batches.next();
    await batches.return();
    expect(await next).toEqual({ done: true, value: undefined });
    await expect.poll(openFeeds).toBe(0);
  });

  test('by the signal ends it without an error, at any time', async () => {
    expect(await read(direct.events({ signal: AbortSignal.abort() }), 1)).toEqual([]);
    const leaving = new AbortController();
    const reading = read(direct.events({ signal: leaving.signal, after: await direct.latestEventCursor() }), 1);
    await expect.poll(openFeeds).toBe(1);
    leaving.abort();
    expect(await reading).toEqual([]);
    await expect.poll(openFeeds).toBe(0);
  });

  test('by the signal ends the pause before the next connection', async () => {
    const clock = new ManualClock();
    const notices: RetryNotice[] = [];
    const lq = new LeaseQueue({ url: proxy.url, clock, onRetry: (notice) => notices.push(notice) });
    const leaving = new AbortController();
    proxy.fail('before');
    const reading = read(lq.events({ after: await direct.latestEventCursor(), signal: leaving.signal }), 1);
    await expect.poll(() => notices.length).toBe(1);
    leaving.abort();
    expect(await reading).toEqual([]);
  });

  test('with an error of the reader closes the connection too', async () => {
    const after = await direct.latestEventCursor();
    await submitMany('thrown', 1);
    const reading = async (): Promise<void> => {
      for await (const { kind } of direct.events({ after })) throw new Error(`cannot bear ${kind}`);
    };
    await expect(reading()).rejects.toThrow('cannot bear SUBMITTED');
    await expect.poll(openFeeds).toBe(0);
  });
});

test('forty seconds of silence lead to a new connection, and a reader that takes its time is no silence', async () => {
  const clock = new ManualClock();
  const { lq, notices } = impatient(proxy.url, clock);
  const after = await direct.latestEventCursor();
  const [id] = await submitMany('silent', 1);
  const events = lq.events({ after, filter: { queues: ['silent'] } });
  expect((await events.next()).value?.jobId).toBe(id);
  clock.advance(600_000);
  await settleDown();
  expect(notices).toEqual([]);

  proxy.fail('hold');
  proxy.cutAll();
  const next = events.next();
  await expect.poll(() => proxy.requests.length).toBe(2);
  notices.length = 0;
  await settleDown();
  clock.advance(39_999);
  await settleDown();
  expect(notices).toEqual([]);
  clock.advance(1);
  await expect.poll(() => notices.length).toBe(1);
  expect(notices[0]?.error.message).toContain('nothing was heard for 40 s');
  const [later] = await submitMany('silent', 1);
  expect((await next).value?.jobId).toBe(later);
  await events.return();
});

describe('a refusal is thrown, and not asked for again', () => {
  test('of a key that is not known', async () => {
    await using guarded = await startApp({ config: { auth: 'required' } });
    const lq = new LeaseQueue({ url: guarded.url, apiKey: 'lq_default_nobody_nothing' });
    await expect(read(lq.events(), 1)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(read(lq.events({ after: 'x' }), 1)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('of a filter, a cursor or a batch size that is none', async () => {
    const after = await direct.latestEventCursor();
    await expect(read(direct.events({ after, filter: { queues: ['no name!'] } }), 1)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    await expect(read(direct.events({ after, filter: { kinds: ['NEVER' as never] } }), 1)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    await expect(read(direct.events({ after, maxBatch: 5_000 }), 1)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    await expect(read(direct.events({ after: 'nowhere' }), 1)).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });

  test('of something that is no LeaseQueue', async () => {
    proxy.fail(httpAnswer(200, '<html>Welcome</html>', { 'content-type': 'text/html' }));
    await expect(read(new LeaseQueue({ url: proxy.url }).events({ after: 'x' }), 1)).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
    proxy.fail(httpAnswer(307, '', { location: 'http://127.0.0.1:1/' }));
    await expect(read(new LeaseQueue({ url: proxy.url }).events({ after: 'x' }), 1)).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER' });
  });
});
