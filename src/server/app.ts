/** The composition root: one server out of its parts, with no state outside, so that several live in one process. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { withoutBasePath } from '../runtime/base-path.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Entropy } from '../runtime/entropy.ts';
import { createJobStore } from '../store/create-store.ts';
import { openSqlite } from '../store/engines/sqlite.ts';
import type { LeaseRepository } from '../store/housekeeping.ts';
import type { AppParts } from './app-parts.ts';
import { loadConsole } from './console-files.ts';
import { Connections } from './connections.ts';
import { createPipeline } from './create-pipeline.ts';
import { createDoorway } from './doorway.ts';
import { loadGraphiql } from './graphiql.ts';
import { Housekeeper } from './housekeeper.ts';
import { createHttpServer } from './http.ts';
import { createInside } from './inside.ts';
import { NETWORK_LIMITS } from './network-limits.ts';
import { createPages } from './pages.ts';
import { stopInOrder } from './shutdown.ts';
import { createAdmission } from './socket-admission.ts';
import { createSocketProtocol } from './socket-protocol.ts';
import { endStalledReaders } from './stalled.ts';
import { type SocketParts, SocketServer } from './websocket.ts';

export interface App {
  /** With the base path. */
  readonly url: string;
  readonly wsUrl: string;
  readonly port: number;
  /** Open event feeds, of all tenants and transports. */
  followers(): number;
  /** From now on it is not ready and takes no request, for this reason. */
  closeFor(reason: string): void;
  /** Stops in order and closes the store. Every call ends when the first one has. */
  stop(): Promise<void>;
}

export interface StoreSource {
  readonly config: Pick<Config, 'databasePath' | 'retention'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Called once if the database fails in a way after which nothing may be answered. */
  readonly onFatal: (error: Error) => void;
  readonly groupWeightMax?: number;
}

const PING_EVERY_MS = 12_000;

/** Opens the database that the settings name, and migrates it. Throws `DatabaseUnusable` where it cannot. */
export async function openStore({ config, clock, entropy, onFatal, groupWeightMax }: StoreSource): Promise<LeaseRepository> {
  const engine = openSqlite({ path: config.databasePath, clock });
  return createJobStore({ engine, clock, entropy, retention: config.retention, onFatal, groupWeightMax });
}

/** Starts to listen, and owns the store from here on. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, clock, log } = parts;
  const { basePath } = config;
  const inside = createInside(parts);
  const { health, metrics, store, limits, streams, stopping, undoing, access } = inside;
  const renderGraphiql = config.environment === 'production' ? null : await loadGraphiql(log, basePath);
  const hasGraphiql = renderGraphiql !== null;
  const { live, yoga, shortWay, answerEventStream } = createPipeline(parts, inside, renderGraphiql);
  const entrance = { authenticate: parts.authenticate ?? access.authenticate, watch: access.watch, tenantLimits: limits };
  const network = { ...NETWORK_LIMITS, ...parts.network };
  const surroundings = { ...entrance, doorway: createDoorway(config), limits: network, log, isStopping: () => health.isClosed };
  const http = createHttpServer({
    ...surroundings,
    yoga,
    shortWay,
    answerEventStream,
    streams,
    basePath,
    pages: createPages({ health, metrics, basePath, environment: config.environment, needsKey: config.auth === 'required' }),
    consoleFiles: await loadConsole(basePath),
    maxRequestBytes: config.maxRequestBytes,
    hasGraphiql,
    clock: systemClock,
    logsRequests: config.logLevel === 'debug',
    undo: (undo) => undoing.run(undo),
  });
  const connections = new Connections(http);
  const admission = createAdmission({ ...entrance, nowMs: () => store.nowMs() });
  const protocol = createSocketProtocol({ ...live, admission, initialiseMs: network.socketInitialiseMsMax });
  const sockets = createSockets(parts, { ...surroundings, protocol });
  http.on('upgrade', (request, stream, head) => {
    request.url = withoutBasePath(request.url ?? '/', basePath);
    sockets.upgrade(request, stream, head);
  });
  const port = await listen(http, config);
  const url = `http://${isIP(config.host) === 6 ? `[${config.host}]` : config.host}:${port}${basePath}`;

  const housekeeper = new Housekeeper({ store, clock, log });
  housekeeper.start();
  access.start();
  sockets.start();
  const looking = endStalledReaders([sockets, streams, connections], clock, log, stopping.signal);
  const pinging = streams.pingOnAndOn(systemClock, stopping.signal);
  const rest = async (): Promise<void> => {
    await Promise.all([undoing.settled(), looking, pinging, access.stop()]);
    await yoga.dispose();
    metrics.close();
  };
  return {
    url,
    wsUrl: `${url.replace('http', 'ws')}/graphql`,
    port,
    followers: () => live.feeds.size,
    closeFor: (reason) => health.close(reason),
    stop: onceOnly(() => stopInOrder({ health, http, connections, store, sockets, streams, housekeeper, feeds: stopping, rest, network: systemClock })),
  };
}

function createSockets(
  { config, clock, pingEveryMs }: AppParts,
  rest: Pick<SocketParts, 'doorway' | 'limits' | 'protocol' | 'log' | 'isStopping'>,
): SocketServer {
  return new SocketServer({
    ...rest,
    maxMessageBytes: config.maxRequestBytes,
    pingEveryMs: pingEveryMs ?? PING_EVERY_MS,
    clock,
    network: systemClock,
  });
}

/** The port that was taken. Rejects where it cannot be. */
async function listen(http: Server, { host, port }: Config): Promise<number> {
  http.listen(port, host);
  await once(http, 'listening');
  const address = http.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port');
  return address.port;
}

function onceOnly<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let first: Promise<Value> | null = null;
  return () => {
    first ??= run();
    return first;
  };
}
