/** Calls of one turn are one request, and each keeps its own outcome. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LeaseQueue, LeaseQueueError, unwrap } from '../../src/client/index.ts';
import { createTestKey } from '../support/keys.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { startProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { settleDown } from '../support/turns.ts';

let server: TestApp;
let proxy: TcpProxy;
let lq: LeaseQueue;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.app.stop());
beforeEach(async () => {
  proxy = await startProxy(server.url);
  lq = new LeaseQueue({ url: proxy.url });
});
afterEach(() => proxy[Symbol.asyncDispose]());

const times = <Result>(count: number, make: (index: number) => Result): readonly Result[] => Array.from({ length: count }, (_, index) => make(index));
const rejections = (results: readonly PromiseSettledResult<unknown>[]): readonly LeaseQueueError[] =>
  results.flatMap((result) => (result.status === 'rejected' && result.reason instanceof LeaseQueueError ? [result.reason] : []));
const stored = async (queue: string) => (await new LeaseQueue({ url: server.url }).countJobs({ queues: [queue] })).value;
const itemsOf = (request: string): number => request.split('"task"').length - 1;

test('submissions, completions and heartbeats of one turn are one request each, answered in order', async () => {
  const submitted = (await Promise.all(times(100, (index) => lq.submitJob({ queue: 'turn', task: `t${index}` })))).map((result) => unwrap(result).job);
  expect(submitted.map(({ task }) => task)).toEqual(times(100, (index) => `t${index}`));
  expect(proxy.requests).toHaveLength(1);

  const { leases } = await lq.claimJobs({ queues: ['turn'], workerId: 'w', max: 100 });
  const given = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken }));
  const renewed = await Promise.all(given.map((lease) => lq.heartbeat(lease)));
  expect(renewed.map((result) => unwrap(result).jobId)).toEqual(given.map(({ jobId }) => jobId));
  const completed = await Promise.all(given.map((lease) => lq.completeJob(lease)));
  expect(completed.map((result) => unwrap(result).job.id)).toEqual(given.map(({ jobId }) => jobId));
  expect(proxy.requests).toHaveLength(4);
});

test('each has its own outcome: one is new, one known, one in conflict', async () => {
  const first = { queue: 'own', task: 't', idempotencyKey: 'k' };
  await lq.submitJob(first);
  const [known, conflict, fresh] = await Promise.all([lq.submitJob(first), lq.submitJob({ ...first, task: 'u' }), lq.submitJob({ queue: 'own', task: 't' })]);
  expect(known).toMatchObject({ deduplicated: true });
  expect(conflict).toMatchObject({ __typename: 'IdempotencyConflict', code: 'IDEMPOTENCY_CONFLICT', differingFields: ['task'] });
  expect(fresh).toMatchObject({ deduplicated: false });
});

test('what arrives while two requests are under way joins the next one', async () => {
  const all: Promise<unknown>[] = [];
  for (let turn = 0; turn < 60; turn++) {
    all.push(lq.submitJob({ queue: 'joined', task: 't' }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
  expect(proxy.requests.length).toBeLessThan(60);
  expect(await stored('joined')).toBe(60);
});

test('more than 500 are split', async () => {
  await Promise.all(times(1_200, () => lq.submitJob({ queue: 'many', task: 't' })));
  expect(proxy.requests.map(itemsOf)).toEqual([500, 500, 200]);
  expect(await stored('many')).toBe(1_200);
});

test('what would be too large together is split by bytes, not characters', async () => {
  const payload = { text: '€'.repeat(20_000) };
  const results = await Promise.all(times(7, () => lq.submitJob({ queue: 'large', task: 't', payload })));
  expect(results.map(({ __typename }) => __typename)).toEqual(times(7, () => 'SubmitJobSuccess'));
  expect(proxy.requests.map(itemsOf)).toEqual([2, 2, 2, 1]);
  const halves = { text: 'x'.repeat(60 * 1_024) };
  await Promise.all(times(3, () => lq.submitJob({ queue: 'large', task: 't', payload: halves })));
  expect(proxy.requests.map(itemsOf).slice(4)).toEqual([1, 1, 1]);
  expect(await stored('large')).toBe(10);
});

describe('one that is at fault', () => {
  test('among 500 is refused alone, with the issues of its own input, in one more request', async () => {
    const results = await Promise.allSettled(times(500, (index) => lq.submitJob({ queue: 'fault', task: index === 317 ? 'not a name' : 't' })));
    const [error, ...others] = rejections(results);
    expect(others).toEqual([]);
    expect(results[317]).toMatchObject({ status: 'rejected' });
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT', isOutcomeUnknown: false });
    expect(error?.issues.map(({ path }) => path)).toEqual([['input', 'task']]);
    expect(error?.message).toMatch(/^The input is not valid: input\.task must be 1 to 64 .*\.$/);
    expect(await stored('fault')).toBe(499);
    expect(proxy.requests.map(itemsOf)).toEqual([500, 499]);
  });

  test.each([
    ['of a wrong kind', { priority: 'high' as never }, 'BAD_USER_INPUT', ['input', 'priority']],
    [
      'deep inside',
      {
        tags: [
          { key: 'a', value: 'b' },
          { key: '', value: 'c' },
        ],
      },
      'BAD_USER_INPUT',
      ['input', 'tags', 1, 'key'],
    ],
    ['too large', { payload: { text: 'x'.repeat(66_000) } }, 'PAYLOAD_TOO_LARGE', ['input', 'payload']],
  ])('%s is told as its own', async (name, change, code, path) => {
    const queue = `issue-${name.replaceAll(' ', '-')}`;
    const results = await Promise.allSettled([
      lq.submitJob({ queue, task: 't' }),
      lq.submitJob({ queue, task: 't', ...change }),
      lq.submitJob({ queue, task: 't' }),
    ]);
    const [error] = rejections(results);
    expect(rejections(results)).toHaveLength(1);
    expect(error).toMatchObject({ code, issues: [{ path }] });
    expect(error?.message).not.toMatch(/jobs/);
    expect(await stored(queue)).toBe(2);
  });

  test('alone is told the same', async () => {
    await expect(lq.submitJob({ queue: 'alone', task: '' })).rejects.toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['input', 'task'] }] });
    await expect(lq.completeJob({ jobId: 'x', leaseToken: 't', result: 'x'.repeat(66_000) })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.not.stringContaining('jobs'),
    });
  });

  test('among many others at fault costs one request more, not one each', async () => {
    const results = await Promise.allSettled(times(200, (index) => lq.submitJob({ queue: 'half', task: index % 2 === 0 ? 't' : '!' })));
    expect(rejections(results)).toHaveLength(100);
    expect(await stored('half')).toBe(100);
    expect(proxy.requests.length).toBeLessThanOrEqual(3);
  });

  test('that cannot be written as JSON is refused before anything is sent', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const [bad, good] = await Promise.allSettled([lq.submitJob({ queue: 'circle', task: 't', payload: circle }), lq.submitJob({ queue: 'circle', task: 't' })]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
  });
});

test('a key for some queues has the others refused alone; a key that may submit nothing is refused once', async () => {
  await using guarded = await startApp({ config: { auth: 'required' } });
  const some = await createTestKey(guarded.store, { scopes: ['SUBMIT'], queues: ['mine'] });
  const none = await createTestKey(guarded.store, { scopes: ['READ'] });
  await using way = await startProxy(guarded.url);
  const mixed = new LeaseQueue({ url: way.url, apiKey: some.text });
  const results = await Promise.allSettled(times(16, (index) => mixed.submitJob({ queue: index === 5 ? 'theirs' : 'mine', task: 't' })));
  expect(rejections(results).map(({ code }) => code)).toEqual(['FORBIDDEN']);
  expect(results[5]).toMatchObject({ status: 'rejected' });

  const before = way.requests.length;
  const reader = new LeaseQueue({ url: way.url, apiKey: none.text });
  const refused = await Promise.allSettled(times(16, () => reader.submitJob({ queue: 'mine', task: 't' })));
  expect(rejections(refused).map(({ code }) => code)).toEqual(times(16, () => 'FORBIDDEN'));
  expect(way.requests.length - before).toBe(1);
});

test('a server that takes smaller requests is sent smaller ones, and soon only those', async () => {
  await using small = await startApp({ config: { maxRequestBytes: 20_000 } });
  await using way = await startProxy(small.url);
  const narrow = new LeaseQueue({ url: way.url });
  const payload = { text: 'x'.repeat(2_000) };
  for (let round = 0; round < 3; round++) {
    const results = await Promise.allSettled(times(40, () => narrow.submitJob({ queue: 'small', task: 't', payload })));
    expect(rejections(results).map(({ message }) => message)).toEqual([]);
  }
  expect((await new LeaseQueue({ url: small.url }).countJobs({ queues: ['small'] })).value).toBe(120);
  const before = way.requests.length;
  await Promise.all(times(40, () => narrow.submitJob({ queue: 'small', task: 't', payload })));
  expect(way.requests.length - before).toBeLessThan(14);
  await expect(narrow.submitJob({ queue: 'small', task: 't', payload: { text: 'x'.repeat(21_000) } })).rejects.toMatchObject({
    code: 'REQUEST_ENTITY_TOO_LARGE',
  });
});

test('a quota of cost that no full request could ever meet is met in parts', async () => {
  const admin = new LeaseQueue({ url: server.url });
  unwrap(await admin.createTenant({ id: 'thrifty', name: 'Thrifty' }));
  unwrap(await admin.updateTenant({ id: 'thrifty', quotas: { costPerSecond: 100 } }));
  const thrifty = new LeaseQueue({ url: server.url, tenant: 'thrifty', onRetry: () => server.clock.advance(10_000) });
  const results = await Promise.allSettled(times(300, () => thrifty.submitJob({ queue: 'q', task: 't' })));
  expect(rejections(results).map(({ message }) => message)).toEqual([]);
});

test('a batch that fails after everybody left it is nobody’s unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const leaving = new AbortController();
  const hasty = new LeaseQueue({ url: proxy.url, retryFor: 0 });
  proxy.fail('hold');
  const given = hasty.submitJob({ queue: 'left', task: 't' }, { signal: leaving.signal });
  await expect.poll(() => proxy.requests.length).toBe(1);
  leaving.abort(new Error('left'));
  await expect(given).rejects.toThrow('left');
  proxy.cutAll();
  await expect.poll(() => proxy.open).toBe(0);
  await settleDown();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
