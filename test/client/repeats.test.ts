/** What is done again after a lost answer, and what is not. */
import { getEventListeners } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LeaseQueue, type LeaseQueueOptions, type RetryNotice, unwrap } from '../../src/client/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { httpAnswer, startProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { settleDown } from '../support/turns.ts';

let server: TestApp;
let proxy: TcpProxy;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.app.stop());
beforeEach(async () => {
  proxy = await startProxy(server.url);
});
afterEach(() => proxy[Symbol.asyncDispose]());

function clientOf(options: LeaseQueueOptions = {}): { readonly lq: LeaseQueue; readonly notices: RetryNotice[] } {
  const notices: RetryNotice[] = [];
  return { lq: new LeaseQueue({ url: proxy.url, onRetry: (notice) => notices.push(notice), ...options }), notices };
}

async function claimOne(queue: string): Promise<{ readonly jobId: string; readonly leaseToken: string }> {
  const lq = new LeaseQueue({ url: server.url });
  const { leases } = await lq.claimJobs({ queues: [queue], workerId: 'w', max: 1 });
  const [lease] = leases;
  if (lease === undefined) throw new Error('nothing to claim');
  return { jobId: lease.job.id, leaseToken: lease.leaseToken };
}

const LOST = ['before', 'after', 'within'] as const;

describe.each(LOST)('a connection that is cut (%s)', (mishap) => {
  test('makes submitJob go again, and one job is stored', async () => {
    const { lq, notices } = clientOf();
    const queue = `one-${mishap}`;
    proxy.fail(mishap, mishap);
    const { deduplicated } = unwrap(await lq.submitJob({ queue, task: 't' }));
    expect(deduplicated).toBe(mishap !== 'before');
    expect(await lq.countJobs({ queues: [queue] })).toMatchObject({ value: 1 });
    expect(notices.map(({ repeats, error: { code, isOutcomeUnknown } }) => [repeats, code, isOutcomeUnknown])).toEqual([
      [1, 'UNREACHABLE', true],
      [2, 'UNREACHABLE', true],
    ]);
  });

  test('makes completeJob go again, which then answers as a replay', async () => {
    const { lq } = clientOf();
    const queue = `done-${mishap}`;
    await lq.submitJob({ queue, task: 't' });
    const lease = await claimOne(queue);
    proxy.fail(mishap);
    expect(unwrap(await lq.completeJob(lease))).toMatchObject({ replayed: mishap !== 'before', job: { state: 'COMPLETED' } });
  });

  test('ends redriveJob, which says that its outcome is unknown', async () => {
    const { lq, notices } = clientOf();
    const queue = `dead-${mishap}`;
    await lq.submitJob({ queue, task: 't' });
    const { jobId, leaseToken } = await claimOne(queue);
    unwrap(await lq.failJob({ jobId, leaseToken, error: { message: 'no' }, retry: { never: true } }));
    proxy.fail(mishap);
    const before = proxy.requests.length;
    await expect(lq.redriveJob({ id: jobId })).rejects.toMatchObject({ name: 'LeaseQueueError', code: 'UNREACHABLE', isOutcomeUnknown: true });
    expect([proxy.requests.length - before, notices.length]).toEqual([1, 0]);
    expect((await lq.job({ id: jobId }))?.state).toBe(mishap === 'before' ? 'DEAD' : 'QUEUED');
  });

  test('gives a claim with a requestId the same job again, and one without none', async () => {
    const { lq } = clientOf();
    const queue = `claim-${mishap}`;
    await lq.submitJob({ queue, task: 't' });
    proxy.fail(mishap);
    await expect(lq.claimJobs({ queues: [queue], workerId: 'w' })).rejects.toMatchObject({ isOutcomeUnknown: true });
    const other = `again-${mishap}`;
    const { job } = unwrap(await lq.submitJob({ queue: other, task: 't' }));
    proxy.fail(mishap);
    const { leases } = await lq.claimJobs({ queues: [other], workerId: 'w', requestId: 'r-1' });
    expect(leases.map((lease) => lease.job.id)).toEqual([job.id]);
  });
});

test('a server that is not there lets even redriveJob go again: nothing was sent', async () => {
  const gone = await startProxy(server.url);
  await gone[Symbol.asyncDispose]();
  const clock = new ManualClock();
  const pauses: number[] = [];
  const onRetry = ({ pauseMs }: RetryNotice): void => {
    pauses.push(pauseMs);
    setImmediate(() => clock.advance(Math.ceil(pauseMs)));
  };
  const lq = new LeaseQueue({ url: gone.url, clock, chance: { ratio: () => 0, word: () => 'k' }, retryFor: '10s', onRetry });
  const failed = lq.redriveJob({ id: 'x' });
  await expect(failed).rejects.toMatchObject({ code: 'UNREACHABLE', isOutcomeUnknown: false, message: expect.stringContaining('Nothing was sent') });
  // Doubling from 100 ms, as long as the next one still ends within ten seconds.
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200]);
});

test('a server that asks to wait is waited for, and nothing is sent meanwhile', async () => {
  const clock = new ManualClock();
  const refusal = JSON.stringify({ errors: [{ message: 'slow down', extensions: { code: 'RATE_LIMITED', retryAfterMs: 2_500 } }] });
  const { lq, notices } = clientOf({ clock, chance: { ratio: () => 0, word: () => 'a' } });
  proxy.fail(httpAnswer(429, refusal, { 'retry-after': '3' }));
  const answered = lq.redriveJob({ id: 'x' });
  await expect.poll(() => notices.length).toBe(1);
  expect(notices[0]).toMatchObject({ pauseMs: 2_500, error: { code: 'RATE_LIMITED', retryAfterMs: 2_500, isOutcomeUnknown: false } });
  clock.advance(2_499);
  await settleDown();
  expect(proxy.requests).toHaveLength(1);
  clock.advance(1);
  expect(await answered).toMatchObject({ code: 'JOB_NOT_FOUND' });
  expect(proxy.requests).toHaveLength(2);
});

test('a wait that would take longer than patience lasts is refused at once', async () => {
  const refusal = JSON.stringify({ errors: [{ message: 'slow down', extensions: { code: 'RATE_LIMITED', retryAfterMs: 60_000 } }] });
  const { lq } = clientOf();
  proxy.fail(httpAnswer(429, refusal));
  await expect(lq.latestEventCursor()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000, isRetryable: true });
});

describe('SERVICE_UNAVAILABLE', () => {
  const unavailable = (outcomeUnknown: boolean) =>
    httpAnswer(
      503,
      JSON.stringify({
        errors: [{ message: 'away', path: ['redriveJob'], extensions: { code: 'SERVICE_UNAVAILABLE', outcomeUnknown } }],
        data: { redriveJob: null },
      }),
    );

  test('with an unknown outcome ends what a second run could do more of', async () => {
    const { lq } = clientOf();
    proxy.fail(unavailable(true));
    await expect(lq.redriveJob({ id: 'x' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', isOutcomeUnknown: true, field: 'redriveJob' });
    expect(proxy.requests).toHaveLength(1);
  });

  test('without a change lets everything go again', async () => {
    const { lq } = clientOf();
    proxy.fail(unavailable(false));
    expect(await lq.redriveJob({ id: 'x' })).toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});

describe('what is no answer of the API', () => {
  test("a proxy's page for a server that is away is waited out where that is safe", async () => {
    const { lq, notices } = clientOf();
    proxy.fail(httpAnswer(502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' }), httpAnswer(504, ''));
    expect(unwrap(await lq.submitJob({ queue: 'html', task: 't' })).deduplicated).toBe(false);
    expect(notices.map(({ error }) => error.code)).toEqual(['UNREACHABLE', 'UNREACHABLE']);
    proxy.fail(httpAnswer(502, '<html>Bad Gateway</html>'));
    await expect(lq.redriveJob({ id: 'x' })).rejects.toMatchObject({
      code: 'UNREACHABLE',
      isOutcomeUnknown: true,
      message: expect.stringContaining('HTTP 502'),
    });
  });

  test.each([
    ['a page', '<html>Welcome</html>'],
    ['nothing', ''],
    ['other JSON', '{"ok":true}'],
    ['no data', '{"data":null}'],
    ['a list', '[1]'],
  ])('%s is told as such, and not asked for again', async (_, body) => {
    const { lq } = clientOf();
    proxy.fail(httpAnswer(200, body));
    await expect(lq.submitJob({ queue: 'strange', task: 't' })).rejects.toMatchObject({ code: 'UNREADABLE_ANSWER', isOutcomeUnknown: true });
    expect(proxy.requests).toHaveLength(1);
  });

  test.each([301, 302, 307, 308])('a redirect (%i) is not followed: the key would go along', async (status) => {
    const elsewhere = await startProxy(server.url);
    const { lq } = clientOf({ apiKey: 'lq_default_a_b' });
    proxy.fail(httpAnswer(status, '', { location: `${elsewhere.url}/graphql` }));
    await expect(lq.submitJob({ queue: 'moved', task: 't' })).rejects.toMatchObject({
      code: 'UNREADABLE_ANSWER',
      isOutcomeUnknown: false,
      message: expect.stringContaining('not followed'),
    });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere[Symbol.asyncDispose]();
  });
});

describe('a call that is given up', () => {
  test('ends while the server holds the answer back, with the reason that was given', async () => {
    const { lq } = clientOf();
    const leaving = new AbortController();
    const claimed = lq.claimJobs({ queues: ['empty'], workerId: 'w', waitSeconds: 30 }, { signal: leaving.signal });
    await expect.poll(() => proxy.requests.length).toBe(1);
    const reason = new Error('no longer wanted');
    leaving.abort(reason);
    await expect(claimed).rejects.toBe(reason);
    await expect.poll(() => proxy.open).toBe(0);
  });

  test('ends while it waits to go again', async () => {
    const clock = new ManualClock();
    const { lq, notices } = clientOf({ clock });
    const leaving = new AbortController();
    proxy.fail('before');
    const asked = lq.latestEventCursor({ signal: leaving.signal });
    await expect.poll(() => notices.length).toBe(1);
    leaving.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(proxy.requests).toHaveLength(1);
  });

  test('by the signal of its client ends as well, whatever it waits for', async () => {
    const leaving = new AbortController();
    const { lq, notices } = clientOf({ clock: new ManualClock(), signal: leaving.signal });
    proxy.fail('before');
    const waiting = lq.latestEventCursor({ signal: new AbortController().signal });
    await expect.poll(() => notices.length).toBe(1);
    const held = lq.claimJobs({ queues: ['empty'], workerId: 'w', waitSeconds: 30 });
    await expect.poll(() => proxy.requests.length).toBe(2);
    leaving.abort(new Error('the program ends'));
    const calls = [waiting, held, lq.submitJob({ queue: 'unwanted', task: 't' })];
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow('the program ends')));
    expect(proxy.requests).toHaveLength(2);
  });

  test('before it began sends nothing', async () => {
    const { lq } = clientOf();
    const signal = AbortSignal.abort(new Error('never wanted'));
    await expect(lq.latestEventCursor({ signal })).rejects.toThrow('never wanted');
    await expect(lq.submitJob({ queue: 'unwanted', task: 't' }, { signal })).rejects.toThrow('never wanted');
    const leaving = new AbortController();
    const submitted = lq.submitJob({ queue: 'unwanted', task: 't' }, { signal: leaving.signal });
    leaving.abort(new Error('changed my mind'));
    await expect(submitted).rejects.toThrow('changed my mind');
    await settleDown();
    expect(proxy.requests).toEqual([]);
  });

  test('leaves those alone that travel with it', async () => {
    const { lq } = clientOf();
    const leaving = new AbortController();
    proxy.fail('after');
    const [given, kept] = [lq.submitJob({ queue: 'pair', task: 't' }, { signal: leaving.signal }), lq.submitJob({ queue: 'pair', task: 't' })];
    await expect.poll(() => proxy.requests.length).toBe(1);
    leaving.abort(new Error('left'));
    await expect(given).rejects.toThrow('left');
    expect(unwrap(await kept).deduplicated).toBe(true);
  });

  test('leaves nothing behind at a signal that lives on', async () => {
    const { lq } = clientOf();
    const { signal } = new AbortController();
    for (let turn = 0; turn < 20; turn++) await Promise.all([lq.latestEventCursor({ signal }), lq.submitJob({ queue: 'kept', task: 't' }, { signal })]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

test('an answer that never comes is given up after twenty seconds beyond what the server may hold back', async () => {
  const clock = new ManualClock();
  const silent = {
    send: ({ signal }: { signal: AbortSignal }) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const lq = new LeaseQueue({ url: server.url, clock, transport: { ...silent, open: silent.send } });
  const claimed = lq.claimJobs({ workerId: 'w', waitSeconds: 30 });
  await settleDown();
  clock.advance(49_999);
  await settleDown();
  clock.advance(1);
  await expect(claimed).rejects.toMatchObject({ code: 'UNREACHABLE', isOutcomeUnknown: true, message: expect.stringContaining('no answer within 50 s') });
});

test('those that wait for their turn lose no more time than the others where the server is away', async () => {
  const gone = await startProxy(server.url);
  await gone[Symbol.asyncDispose]();
  const clock = new ManualClock();
  const lq = new LeaseQueue({ url: gone.url, clock, retryFor: '30s', onRetry: ({ pauseMs }) => void setImmediate(() => clock.advance(Math.ceil(pauseMs))) });
  const results = await Promise.allSettled(Array.from({ length: 5_000 }, () => lq.submitJob({ task: 't' })));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
  // Ten requests, two at a time, of thirty seconds each would be 150.
  expect(clock.monotonicMs()).toBeLessThan(61_000);
});
