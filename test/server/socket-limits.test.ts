import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { NETWORK_LIMITS } from '../../src/server/network-limits.ts';
import { SocketPlaces } from '../../src/server/socket-places.ts';
import { startApp } from '../support/app.ts';
import { connectSocket, EVENTS, openSocket, type TestSocket } from '../support/sockets.ts';
import { tenant } from '../support/tenants.ts';

const AT_ONCE = LIMITS.socketMessagesAtOnceMax;
const PER_SECOND = LIMITS.socketMessagesPerSecondMax;

describe('messages of a socket', () => {
  /** Sends so many pings, and ends when the server has answered them. */
  async function ping(socket: TestSocket, count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) socket.send({ type: 'ping' });
    for (let index = 0; index < count; index += 1) expect((await socket.next()).type).toBe('pong');
  }

  test('may be so many at once; one more closes it, and nothing after it is done', async () => {
    await using server = await startApp();
    const [socket, other] = [await connectSocket(server.wsUrl), await connectSocket(server.wsUrl)];
    // The handshake was one.
    await ping(socket, AT_ONCE - 1);
    socket.send({ type: 'ping' });
    socket.subscribe('late', EVENTS);
    expect(await socket.closed).toEqual({ code: 1008, reason: `Too many messages: at most ${PER_SECOND} a second, and ${AT_ONCE} at once.` });
    expect(socket.received.filter(({ type, id }) => type === 'next' || id === 'late')).toEqual([]);
    expect(server.app.followers()).toBe(0);
    await other.echo();
  });

  test('may be so many a second for ever, and one more closes it', async () => {
    await using server = await startApp();
    const socket = await connectSocket(server.wsUrl);
    await ping(socket, AT_ONCE - 1);
    for (let second = 0; second < 5; second += 1) {
      server.clock.advance(1_000);
      await ping(socket, PER_SECOND);
    }
    socket.send({ type: 'ping' });
    expect((await socket.closed).code).toBe(1008);
  });

  test.each(['ping', 'pong'] as const)('count with its %s frames', async (kind) => {
    await using server = await startApp();
    const socket = await connectSocket(server.wsUrl);
    for (let index = 0; index < AT_ONCE - 2; index += 1) {
      const answered = kind === 'ping' ? once(socket.socket, 'pong') : null;
      socket.socket[kind]();
      // The library ends a socket with many pings that wait for their pongs.
      await answered;
    }
    await socket.echo();
    socket.socket[kind]();
    expect((await socket.closed).code).toBe(1008);
  });

  test('that never end are cut where a whole one would be', async () => {
    await using server = await startApp();
    const socket = await connectSocket(server.wsUrl);
    for (let sent = 0; sent <= LIMITS.requestBytesMax; sent += 1_024) socket.socket.send('x'.repeat(1_024), { fin: false });
    expect((await socket.closed).code).toBe(1009);
  });
});

describe('sockets that have not said who they are', () => {
  test('are so many; the one that has waited longest makes room, and those that have said it stay', async () => {
    await using server = await startApp({ network: { socketsInitialisingMax: 3 } });
    const known = await Promise.all(Array.from({ length: 5 }, () => connectSocket(server.wsUrl)));
    const silent: TestSocket[] = [];
    for (let index = 0; index < 3; index += 1) silent.push(await openSocket(server.wsUrl));
    const honest = await connectSocket(server.wsUrl);
    const closed = await silent[0]?.closed;
    expect(closed).toEqual({ code: 1013, reason: expect.stringMatching(/connection_init/) });
    await Promise.all([...known, honest].map((socket) => socket.echo()));
    for (const { socket } of silent.slice(1)) expect(socket.readyState).toBe(socket.OPEN);
  });

  test('are closed in time', async () => {
    await using server = await startApp({ network: { socketInitialiseMsMax: 100 } });
    expect((await (await openSocket(server.wsUrl)).closed).code).toBe(4408);
  });
});

describe('places for sockets', () => {
  const key = (id: string, name = 'acme') => ({ tenant: tenant(name), id });
  const max = LIMITS.socketsPerKeyMax;

  test('of one key are so many, whoever else has some, and free again when one goes', () => {
    const places = new SocketPlaces<string>(NETWORK_LIMITS);
    const comes = (socket: string, owner: Parameters<typeof places.admit>[1]): boolean => places.enter(socket) && places.admit(socket, owner);
    for (let index = 0; index < max; index += 1) expect(comes(`a${index}`, key('a'))).toBe(true);
    expect(comes('one more', key('a'))).toBe(false);
    places.leave('one more');
    expect(comes('still one more', key('a'))).toBe(false);
    expect([comes('other key', key('b')), comes('other tenant', key('a', 'blue'))]).toEqual([true, true]);
    places.leave('a0');
    places.leave('a0');
    expect([comes('again', key('a')), comes('too many again', key('a'))]).toEqual([true, false]);
  });

  test('are not taken by who has gone before it was known who it was', () => {
    const places = new SocketPlaces<string>({ ...NETWORK_LIMITS, socketsPerKeyMax: 1 });
    places.enter('gone');
    places.leave('gone');
    expect(places.admit('gone', key('a'))).toBe(false);
    places.enter('here');
    expect(places.admit('here', key('a'))).toBe(true);
  });

  test('without a key are as many as there are in all', () => {
    const places = new SocketPlaces<number>({ ...NETWORK_LIMITS, socketsMax: max * 2 });
    for (let index = 0; index < max * 2; index += 1) expect([places.enter(index), places.admit(index, null)]).toEqual([true, true]);
    expect(places.enter(max * 2)).toBe(false);
    places.leave(0);
    expect(places.enter(max * 2)).toBe(true);
  });
});
