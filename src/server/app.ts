/** The composition root: one server out of its parts, with no state outside, so that several live in one process. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { authenticate as authenticateOpenly, type Authenticate } from '../auth/authenticate.ts';
import { LIMITS } from '../domain/limits.ts';
import { SharedFeeds } from '../feed/shared-feeds.ts';
import { SharedFigures } from '../feed/shared-figures.ts';
import { WakeUp } from '../feed/wakeup.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { type Entropy, mintSecret } from '../runtime/entropy.ts';
import type { Logger } from '../runtime/logger.ts';
import { settled } from '../runtime/turn.ts';
import { createJobStore } from '../store/create-store.ts';
import { openSqlite } from '../store/engines/sqlite.ts';
import type { LeaseRepository } from '../store/housekeeping.ts';
import { contextMaker } from './create-context.ts';
import { createEventStreamAnswer } from './event-stream-answer.ts';
import { EventStreams } from './event-streams.ts';
import { type Admit, createGate } from './gate.ts';
import { loadGraphiql } from './graphiql.ts';
import { createGraphqlHttp } from './graphql-http.ts';
import { createMask } from './graphql-pipeline.ts';
import { Health } from './health.ts';
import { Housekeeper } from './housekeeper.ts';
import { createHttpServer } from './http.ts';
import type { Hubs } from './live-operations.ts';
import { Metrics } from './metrics.ts';
import { observe } from './observe.ts';
import { createPages } from './pages.ts';
import { createShortWay, type ShortWay } from './short-way.ts';
import { stopInOrder } from './shutdown.ts';
import { createSocketProtocol, type ProtocolParts } from './socket-protocol.ts';
import { endStalledReaders } from './stalled.ts';
import { Undoing } from './undoing.ts';
import { SocketServer } from './websocket.ts';

export interface AppParts {
  readonly config: Config;
  readonly store: LeaseRepository;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Logger;
  /** A socket that does not answer a ping is ended at the next one. Absent: 12 s. */
  readonly pingEveryMs?: number;
  readonly socketsMax?: number;
  /** False: every request goes through yoga's own handler and executor, which tests hold the short way to. Absent: true. */
  readonly shortWay?: boolean;
  /** Tells who is calling, over every transport. Absent: as the settings say. */
  readonly authenticate?: Authenticate;
  /** Charges for operations. Absent: nobody is charged. */
  readonly admit?: Admit;
}
export interface App {
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

const LONG_WAY_ONLY: ShortWay = async () => false;
const PING_EVERY_MS = 12_000;
/** Of the 256 bits of a secret; enough that no two are alike in any log. */
const REQUEST_ID_CHARACTERS = 22;

/** Opens the database that the settings name, and migrates it. Throws `DatabaseUnusable` where it cannot. */
export async function openStore({ config, clock, entropy, onFatal, groupWeightMax }: StoreSource): Promise<LeaseRepository> {
  const engine = openSqlite({ path: config.databasePath, clock });
  return createJobStore({ engine, clock, entropy, retention: config.retention, onFatal, groupWeightMax });
}

/** Starts to listen, and owns the store from here on. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, clock, log } = parts;
  const { health, metrics, store, wakeUp, streams, stopping, undoing } = createInside(parts);
  const production = config.environment === 'production';
  const renderGraphiql = production ? null : await loadGraphiql(log);
  const mask = createMask({ log, mintId: () => mintSecret(parts.entropy).slice(0, REQUEST_ID_CHARACTERS) });
  const hubs: Hubs = { feeds: new SharedFeeds(), figures: new SharedFigures() };
  const createContext = contextMaker({ store, clock, wakeUp, metrics, stopping: stopping.signal });
  const gate = createGate({ production, admit: parts.admit });
  const yoga = createGraphqlHttp({ createContext, mask, gate, renderGraphiql });
  const place = { url: '' };
  const hasGraphiql = renderGraphiql !== null;
  const { authenticate = authenticateOpenly } = parts;
  const http = createHttpServer({
    authenticate,
    yoga,
    shortWay: parts.shortWay === false ? LONG_WAY_ONLY : createShortWay({ yoga, createContext, mask, gate }),
    pages: createPages({ health, metrics, environment: config.environment, hasGraphiql, url: () => place.url }),
    streams,
    answerEventStream: createEventStreamAnswer({ ...hubs, yoga, mask, gate, streams }),
    maxRequestBytes: config.maxRequestBytes,
    hasGraphiql,
    clock: systemClock,
    log,
    logsRequests: config.logLevel === 'debug',
    isStopping: () => health.isClosed,
    undo: (undo) => undoing.run(undo),
  });
  const sockets = createSockets(parts, { ...hubs, authenticate, yoga, mask, gate }, health);
  http.on('upgrade', (request, stream, head) => sockets.upgrade(request, stream, head));
  const port = await listen(http, config);
  place.url = `http://${isIP(config.host) === 6 ? `[${config.host}]` : config.host}:${port}`;

  const housekeeper = new Housekeeper({ store, clock, log });
  housekeeper.start();
  sockets.start();
  const looking = endStalledReaders([sockets, streams], clock, log, stopping.signal);
  const pinging = streams.pingOnAndOn(systemClock, stopping.signal);
  const rest = async (): Promise<void> => {
    await Promise.all([undoing.settled(), looking, pinging]);
    await yoga.dispose();
    metrics.close();
  };
  const stop = onceOnly(() => stopInOrder({ health, http, store, sockets, streams, housekeeper, feeds: stopping, rest, network: systemClock }));
  return {
    url: place.url,
    wsUrl: `${place.url.replace('http', 'ws')}/graphql`,
    port,
    followers: () => hubs.feeds.size,
    closeFor: (reason) => health.close(reason),
    stop,
  };
}

/** What needs no transport: the watched store, its figures, and who is told when its log grows. */
function createInside({ store: given, log }: AppParts) {
  const metrics = new Metrics({ store: given, nowMs: () => given.nowMs(), clock: systemClock });
  const store = observe(given, (code) => metrics.recordFailure(code));
  const wakeUp = new WakeUp();
  // The answers to the commit go out first.
  given.onCommit((report) => void settled().then(() => metrics.recordCommit(report)));
  given.onLogGrown((tenant) => wakeUp.wake(tenant));
  const health = new Health(given, systemClock);
  return { metrics, store, wakeUp, health, streams: new EventStreams(), stopping: new AbortController(), undoing: new Undoing(log) };
}

function createSockets({ config, clock, log, ...parts }: AppParts, inside: Omit<ProtocolParts, 'initialiseMs'>, health: Health): SocketServer {
  return new SocketServer({
    protocol: createSocketProtocol({ ...inside, initialiseMs: LIMITS.socketInitialiseMsMax }),
    maxMessageBytes: config.maxRequestBytes,
    socketsMax: parts.socketsMax ?? LIMITS.socketsMax,
    pingEveryMs: parts.pingEveryMs ?? PING_EVERY_MS,
    clock,
    network: systemClock,
    log,
    isStopping: () => health.isClosed,
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
