/** The order of the end: nothing new comes in, what runs is answered, followers are told to come back, the database is closed last. */
import type { Server } from 'node:http';
import type { Clock } from '../runtime/clock.ts';
import type { StoreUpkeep } from '../store/housekeeping.ts';
import type { Connections } from './connections.ts';
import type { EventStreams } from './event-streams.ts';
import type { Health } from './health.ts';
import type { Housekeeper } from './housekeeper.ts';
import type { SocketServer } from './websocket.ts';
import { within } from './within.ts';

export interface StoppingParts {
  readonly health: Health;
  readonly http: Server;
  readonly connections: Pick<Connections, 'endUnused'>;
  readonly store: Pick<StoreUpkeep, 'stopWaiting' | 'close'>;
  readonly sockets: SocketServer;
  readonly streams: EventStreams;
  readonly housekeeper: Housekeeper;
  /** Aborts feeds and pauses. */
  readonly feeds: AbortController;
  /** Ends whatever else was started, before the store closes. */
  readonly rest: () => Promise<void>;
  /** Time as the network keeps it. */
  readonly network: Pick<Clock, 'sleep'>;
}

/** For requests that are being answered. */
const ANSWERS_MS_MAX = 5_000;
/** For the bytes of the last answers. */
const LAST_BYTES_MS_MAX = 1_000;

export async function stopInOrder(parts: StoppingParts): Promise<void> {
  const { health, http, store, sockets, streams, housekeeper, feeds, network } = parts;
  health.close('stopping');
  const closed = new Promise<void>((resolve) => {
    http.close(() => resolve());
  });
  store.stopWaiting();
  const socketsGone = sockets.stop();
  streams.breakOff();
  feeds.abort();
  http.closeIdleConnections();
  parts.connections.endUnused();
  // A connection that is answered becomes idle, and Node closes it only when asked again.
  const idling = new AbortController();
  const sweeping = closeAsTheyIdle(http, network, idling.signal);
  if ((await within(Promise.all([closed, socketsGone]), ANSWERS_MS_MAX, network)) === 'late') http.closeAllConnections();
  await within(Promise.all([closed, socketsGone]), LAST_BYTES_MS_MAX, network);
  idling.abort();
  await sweeping;
  await housekeeper.stop();
  await parts.rest();
  await store.close();
}

const IDLE_CHECK_MS = 50;

async function closeAsTheyIdle(http: Server, network: Pick<Clock, 'sleep'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    http.closeIdleConnections();
    await network.sleep(IDLE_CHECK_MS, signal);
  }
}
