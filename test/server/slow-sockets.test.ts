import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { goOn } from '../support/manual-clock.ts';
import { collectGarbage } from '../support/garbage.ts';
import { connectSocket, EVENTS, openSocket, type TestSocket } from '../support/sockets.ts';
import { CALLER, submission } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

const eventually = (value: () => number) => expect.poll(value, { interval: 10, timeout: 5_000 });
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const HEAVY = 'subscription { jobEvents(maxBatch: 100) { ... on JobEventBatch { events { job { id payload } } } } }';

async function fill(server: TestApp, jobs: number): Promise<void> {
  const payloadJson = JSON.stringify({ text: 'x'.repeat(2_000) });
  for (let stored = 0; stored < jobs; stored += 500) {
    await server.store.submit(
      tenant('default'),
      CALLER,
      Array.from({ length: 500 }, () => submission({ payloadJson })),
      false,
    );
    server.clock.advance(50);
    await wait(1);
  }
}

describe('a socket whose client takes nothing (B112, B113)', () => {
  test('is closed with a reason after a while, and the healthy one gets every event in order', async () => {
    await using server = await startApp({ pingEveryMs: 600_000 });
    const [slow, healthy] = [await connectSocket(server.wsUrl), await connectSocket(server.wsUrl)];
    slow.subscribe('1', HEAVY);
    healthy.subscribe('1', EVENTS, { maxBatch: 1_000 });
    await Promise.all([slow.next(), healthy.next()]);
    slow.socket.pause();
    await fill(server, 10_000);
    const jobs: string[] = [];
    const driving = goOn(server.clock);
    while (jobs.length < 10_000) jobs.push(...((await healthy.next()).payload.data.jobEvents.events as { jobId: string }[]).map(({ jobId }) => jobId));
    driving[Symbol.dispose]();
    expect(new Set(jobs).size).toBe(10_000);
    expect(jobs).toEqual(jobs.toSorted());

    for (let second = 0; second < 32 && server.app.followers() > 1; second += 1) {
      server.clock.advance(1_000);
      await wait(10);
    }
    slow.socket.resume();
    const { code, reason } = await slow.closed;
    // The close frame waits behind what was not read, so that a client that never reads again just sees the end.
    expect([1013, 1006]).toContain(code);
    if (code === 1013) expect(reason).toMatch(/^Too slow/);
    await eventually(() => server.app.followers()).toBe(1);
    expect(server.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('and asks for signs of life all the same, is ended before it costs more than the ceiling', async () => {
    await using server = await startApp({ pingEveryMs: 600_000 });
    const greedy = await connectSocket(server.wsUrl);
    greedy.socket.pause();
    const payload = { pad: 'x'.repeat(100_000) };
    collectGarbage();
    const before = process.memoryUsage().external;
    for (let index = 0; index < 400 && greedy.socket.readyState === greedy.socket.OPEN; index += 1) {
      await new Promise((resolve) => greedy.socket.send(JSON.stringify({ type: 'ping', payload }), resolve));
      if (index % 20 === 0) await wait(1);
    }
    greedy.socket.resume();
    expect([1013, 1006]).toContain((await greedy.closed).code);
    collectGarbage();
    expect(process.memoryUsage().external - before).toBeLessThan(64 * 1024 * 1024);
  });
});

/** Lets one ping go out, and waits until the server has the answers: messages arrive in order. */
async function pass(server: TestApp, sockets: readonly TestSocket[], pingEveryMs: number): Promise<void> {
  const pinged = sockets.map(({ socket }) => new Promise((resolve) => socket.once('ping', resolve)));
  server.clock.advance(pingEveryMs);
  await Promise.all(pinged);
  await Promise.all(sockets.map((socket) => socket.echo()));
}

describe('a half-open socket (B121)', () => {
  test('is ended within two pings, and frees its place', async () => {
    await using server = await startApp({ pingEveryMs: 1_000, network: { socketsMax: 60 } });
    const silent = await Promise.all(Array.from({ length: 50 }, () => connectSocket(server.wsUrl, {}, { autoPong: false })));
    for (const socket of silent) socket.subscribe('1', EVENTS);
    const good = await Promise.all(Array.from({ length: 10 }, () => connectSocket(server.wsUrl)));
    for (const socket of good) socket.subscribe('1', EVENTS);
    await eventually(() => server.app.followers()).toBe(60);
    expect((await (await openSocket(server.wsUrl)).closed).code).toBe(1013);

    for (let second = 0; second < 2; second += 1) await pass(server, good, 1_000);
    expect((await Promise.all(silent.map(({ closed }) => closed))).map(({ code }) => code)).toEqual(silent.map(() => 1006));
    await eventually(() => server.app.followers()).toBe(10);
    const others = await Promise.all(Array.from({ length: 20 }, () => connectSocket(server.wsUrl)));
    expect([...good, ...others].every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true);
  });

  test('is not what a socket is that answers: that one is kept for an hour', async () => {
    await using server = await startApp({ pingEveryMs: 12_000 });
    const sockets = await Promise.all(Array.from({ length: 3 }, () => connectSocket(server.wsUrl)));
    for (let ping = 0; ping < 300; ping += 1) await pass(server, sockets, 12_000);
    expect(sockets.every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true);
  });
});

describe('too many sockets', () => {
  test('are told to try again later, and those that are there stay', async () => {
    await using server = await startApp({ network: { socketsMax: 2 } });
    const kept = [await connectSocket(server.wsUrl), await connectSocket(server.wsUrl)];
    const { code, reason } = await (await openSocket(server.wsUrl)).closed;
    expect([code, reason]).toEqual([1013, expect.stringMatching(/Too many/)]);
    kept[0]?.socket.close();
    await kept[0]?.closed;
    await expect.poll(async () => (await connectSocket(server.wsUrl).catch(() => null))?.socket.readyState).toBe(1);
    expect(kept[1]?.socket.readyState).toBe(1);
  });
});
