/** What a tenant may use of a server at once: rates, feeds and sockets, alike on every way in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUOTA_NAMES, type QuotaName } from '../../src/domain/access.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { connectSocket, EVENTS, openSocket } from '../support/sockets.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.app.stop());

const named = (tenant: string) => ({ 'x-leasequeue-tenant': tenant });
const UPDATE = 'mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { ... on TenantSuccess { tenant { id } } ... on Failure { code } } }';
const STATS = 'subscription { stats { ready } }';
const RATE_LIMITED = { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) };
const eventually = (value: () => unknown) => expect.poll(value, { interval: 10, timeout: 3_000 });

/** As an administrator of the whole server would, from another tenant. */
async function setQuotas(id: string, quotas: Partial<Record<QuotaName, number | null>>): Promise<void> {
  await server.graphql('mutation ($input: CreateTenantInput!) { createTenant(input: $input) { __typename } }', { input: { id, name: id } });
  const { data } = await server.graphql(UPDATE, { input: { id, quotas } });
  expect(data.updateTenant).toEqual({ tenant: { id } });
}

const ask = (tenant: string) => server.graphql('{ latestEventCursor }', {}, named(tenant));

const refusals = async (quota: QuotaName) => (await server.metric(`leasequeue_quota_refusals_total{quota="${quota}"}`)) ?? 0;

describe('requests per second', () => {
  test('at the quota are served, one more is told when to come back, and then it is served', async () => {
    await setQuotas('quick', { requestsPerSecond: 3 });
    const before = await refusals('requestsPerSecond');
    const answers = [await ask('quick'), await ask('quick'), await ask('quick'), await ask('quick')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const [, , , refused] = answers;
    expect([refused?.data, refused?.errors[0]?.extensions, refused?.headers.get('retry-after')]).toEqual([
      undefined,
      { code: 'RATE_LIMITED', retryAfterMs: 334 },
      '1',
    ]);
    expect(await refusals('requestsPerSecond')).toBe(before + 1);
    server.clock.advance(333);
    expect((await ask('quick')).status).toBe(429);
    server.clock.advance(1);
    expect((await ask('quick')).status).toBe(200);
  });

  test('count what is broken, and event streams and subscriptions as well', async () => {
    await setQuotas('mixed', { requestsPerSecond: 4 });
    await server.graphql('{ nope', {}, named('mixed'));
    const stream = await openEventStream(server.url, EVENTS, {}, named('mixed'));
    const socket = await connectSocket(server.wsUrl, named('mixed'));
    socket.subscribe('1', EVENTS);
    await socket.nextOf('1');
    expect((await ask('mixed')).status).toBe(200);
    socket.subscribe('2', EVENTS);
    expect(await socket.nextOf('2')).toMatchObject({ type: 'error', payload: [{ extensions: RATE_LIMITED }] });
    expect((await openEventStream(server.url, EVENTS, {}, named('mixed'))).status).toBe(429);
    expect((await ask('quiet')).status).toBe(200);
    stream.abort();
    socket.socket.close();
  });
});

describe('cost per second', () => {
  // 10 for the search and 1 for each of the jobs it may find.
  const page = (tenant: string, first: number) => server.graphql('query ($first: Int) { jobs(first: $first) { nodes { id } } }', { first }, named(tenant));
  /** Costs the most that an operation may: what a tenant may always have at once. */
  const dearest = (tenant: string) =>
    server.graphql(
      `mutation ($input: SubmitJobsInput!) { ${Array.from({ length: 9 }, (_, n) => `m${n}: submitJobs(input: $input) { stored }`).join(' ')} }`,
      { input: { jobs: Array.from({ length: 500 }, () => ({ task: 't' })) } },
      named(tenant),
    );

  test('is charged before anything runs, and one that was refused has changed nothing', async () => {
    await setQuotas('dear', { costPerSecond: 1 });
    expect((await dearest('dear')).status).toBe(200);
    const again = await dearest('dear');
    expect([again.status, again.data, again.errors[0]?.extensions]).toEqual([429, undefined, RATE_LIMITED]);
    const { data } = await server.graphql('{ tenant(id: "dear") { usage { waitingJobs } } }');
    expect(data.tenant.usage.waitingJobs).toBe(4_500);
  });

  test.each(['text/event-stream', 'text/event-stream, application/json'])('is charged once for a stream that cannot begin, as %s', async (accept) => {
    const tenant = accept === 'text/event-stream' ? 'streaming' : 'choosing';
    await setQuotas(tenant, { costPerSecond: 1 });
    expect((await dearest(tenant)).status).toBe(200);
    const before = await refusals('costPerSecond');
    const stream = () => openEventStream(server.url, EVENTS, { maxBatch: 0 }, { ...named(tenant), accept });
    // 1 for the feed, and 1 for each event of a message.
    const left = LIMITS.operationCostMax - 4_500 - 9;
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length <= left) statuses.push((await stream()).status);
    expect([statuses.length - 1, await refusals('costPerSecond')]).toEqual([left, before + 1]);
  });

  test('leaves cheap ones what is left, and says of a dear one when there will be enough', async () => {
    await setQuotas('thrifty', { costPerSecond: 100 });
    await dearest('thrifty');
    const left = LIMITS.operationCostMax - 4_500 - 9;
    for (let spent = 0; spent + 110 <= left; spent += 111) expect((await page('thrifty', 100)).status).toBe(200);
    const { status, errors } = await page('thrifty', 100);
    expect(status).toBe(429);
    server.clock.advance(Number(errors[0]?.extensions['retryAfterMs']));
    expect((await page('thrifty', 100)).status).toBe(200);
  });
});

describe('feeds', () => {
  test('at the quota are open, one more is refused, whatever it follows and over whichever transport', async () => {
    await setQuotas('followed', { maxFeeds: 2 });
    const open = async () => (await server.graphql('{ tenant(id: "followed") { usage { openFeeds openSockets } } }')).data.tenant.usage;
    const first = await openEventStream(server.url, STATS, {}, named('followed'));
    const socket = await connectSocket(server.wsUrl, named('followed'));
    socket.subscribe('1', EVENTS);
    await socket.nextOf('1');
    expect(await open()).toEqual({ openFeeds: 2, openSockets: 1 });
    const before = await refusals('maxFeeds');
    for (const accept of ['text/event-stream', 'text/event-stream, application/json']) {
      const refused = await openEventStream(server.url, EVENTS, {}, { ...named('followed'), accept });
      expect([accept, refused.status]).toEqual([accept, 429]);
    }
    socket.subscribe('2', STATS);
    expect(await socket.nextOf('2')).toMatchObject({ type: 'error', payload: [{ extensions: RATE_LIMITED }] });
    expect(await refusals('maxFeeds')).toBe(before + 3);
    first.abort();
    await eventually(open).toEqual({ openFeeds: 1, openSockets: 1 });
    socket.subscribe('3', STATS);
    await socket.nextOf('3');
    socket.send({ type: 'complete', id: '3' });
    await eventually(open).toEqual({ openFeeds: 1, openSockets: 1 });
    socket.socket.close();
    await eventually(open).toEqual({ openFeeds: 0, openSockets: 0 });
  });

  test('that cannot begin, or whose reader goes, are not counted on', async () => {
    await setQuotas('failing', { maxFeeds: 1 });
    const socket = await connectSocket(server.wsUrl, named('failing'));
    for (const id of ['1', '2']) {
      socket.subscribe(id, EVENTS, { maxBatch: 0 });
      expect(await socket.nextOf(id)).toMatchObject({ payload: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    }
    for (const accept of ['text/event-stream', 'text/event-stream, application/json']) {
      const stream = await openEventStream(server.url, EVENTS, {}, { ...named('failing'), accept });
      expect(stream.status).toBe(200);
      stream.abort();
      await eventually(async () => (await server.graphql('{ tenant(id: "failing") { usage { openFeeds } } }')).data.tenant.usage.openFeeds).toBe(0);
    }
    socket.socket.close();
  });
});

describe('sockets', () => {
  test('at the quota are open, one more is closed with the reason', async () => {
    await setQuotas('plugged', { maxSockets: 1 });
    const first = await connectSocket(server.wsUrl, named('plugged'));
    const second = await openSocket(server.wsUrl, { headers: named('plugged') });
    second.send({ type: 'connection_init' });
    expect(await second.closed).toEqual({ code: 1013, reason: expect.stringMatching(/too many sockets/) });
    first.socket.close();
    await first.closed;
    const third = await connectSocket(server.wsUrl, named('plugged'));
    third.socket.close();
  });
});

describe('a change of quotas', () => {
  test('holds at once, for what is open and what comes', async () => {
    await setQuotas('changed', { requestsPerSecond: 1 });
    expect([(await ask('changed')).status, (await ask('changed')).status]).toEqual([200, 429]);
    await setQuotas('changed', { requestsPerSecond: null });
    expect((await ask('changed')).errors[0]?.extensions).toEqual({ code: 'RATE_LIMITED', retryAfterMs: 1 });
    server.clock.advance(1);
    expect((await ask('changed')).status).toBe(200);
    const socket = await connectSocket(server.wsUrl, named('changed'));
    await setQuotas('changed', { maxFeeds: 0 });
    socket.subscribe('1', EVENTS);
    expect(await socket.nextOf('1')).toMatchObject({ type: 'error', payload: [{ extensions: RATE_LIMITED }] });
    socket.socket.close();
  });

  test('is counted in metrics from the start, for every quota', async () => {
    for (const quota of QUOTA_NAMES) expect(await server.metric(`leasequeue_quota_refusals_total{quota="${quota}"}`)).toBeTypeOf('number');
  });
});
