/** How committed events reach those who follow. */
import { type Figures, type Row, type Run, rowsOf, type Suite } from '../row.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';

const deliveries = { headline: 'deliveriesPerSecond', better: 'higher' } as const;
const TRANSPORTS = ['websocket', 'sse'] as const;
type Transport = (typeof TRANSPORTS)[number];
const EVENTS_PER_COMMIT = 10;
const COMMITS_IN_FLIGHT = 8;

const ROWS: readonly Row[] = [
  ...rowsOf(TRANSPORTS, (transport) => ({
    name: `events/100-${transport}`,
    what: `100 followers, ${EVENTS_PER_COMMIT} events a commit, until each has got every one`,
    ...deliveries,
  })),
  ...rowsOf(TRANSPORTS, (transport) => ({
    name: `events/400-${transport}`,
    what: '400 followers, 200 submissions, until each has got every one',
    headline: 'ms',
    better: 'lower' as const,
    scale: 'full' as const,
  })),
  ...rowsOf(TRANSPORTS, (transport) => ({
    name: `events/memory-${transport}`,
    what: 'Memory of the server for each of 1,000 more followers (quick: 200) beside 1,000, after they got some events and garbage was collected',
    headline: 'kibPerFollower',
    better: 'lower' as const,
    ...(transport === 'sse' && { scale: 'full' as const }),
  })),
  ...rowsOf(TRANSPORTS, (transport) => ({
    name: `events/idle-${transport}`,
    what: 'What 1,000 followers (quick: 200) cost while nothing happens, in percent of one core, above the same server without them',
    headline: 'cpuPercent',
    better: 'lower' as const,
    ...(transport === 'sse' && { scale: 'full' as const }),
  })),
];

async function withFollowers<Result>(
  { load, workspace }: Run,
  count: number,
  transport: Transport,
  use: (server: ServerProcess) => Promise<Result>,
  before: (server: ServerProcess) => Promise<void> = async () => {},
): Promise<Result> {
  await using server = await startServer({ program: 'compiled', database: workspace.newDatabase() });
  await before(server);
  await load.run('follow', { url: server.url, count, transport });
  try {
    return await use(server);
  } finally {
    await load.run('unfollow', {});
  }
}

function fanOut(run: Run, transport: Transport): Promise<Figures> {
  const { load, scale } = run;
  const send = (url: string, events: number) => load.run('fanOut', { url, events, perCommit: EVENTS_PER_COMMIT, inFlight: COMMITS_IN_FLIGHT });
  return withFollowers(run, 100, transport, async ({ url }) => {
    await send(url, scale.fanOutEvents / 4);
    return send(url, scale.fanOutEvents);
  });
}

/**
 * Memory, beside as many followers as are added. The first ones make the process grow by what does not depend on how
 * many they are: the young generation, compiled code, the arenas of threads.
 */
async function memory(run: Run, transport: Transport): Promise<Figures> {
  const count = run.scale.manyFollowers;
  let [alone, before] = [0, 0];
  const settled = async ({ url, ask }: ServerProcess, events: number, perCommit: number): Promise<number> => {
    await run.load.run('fanOut', { url, events, perCommit, inFlight: 1 });
    return (await ask('settledUsage')).rssBytes / 1_024;
  };
  const prepare = async (server: ServerProcess): Promise<void> => {
    alone = await settled(server, 500, EVENTS_PER_COMMIT);
    await run.load.run('follow', { url: server.url, count, transport });
    before = await settled(server, 50, 1);
  };
  const measured = async (server: ServerProcess): Promise<Figures> => {
    const after = await settled(server, 50, 1);
    return { kibPerFollower: (after - before) / count, firstKibPerFollower: (before - alone) / count };
  };
  return withFollowers(run, count, transport, measured, prepare);
}

async function idle(run: Run, transport: Transport): Promise<Figures> {
  const { idleSeconds } = run.scale;
  let alone = 0;
  const rest = async (server: ServerProcess): Promise<number> => {
    const { cpuMs } = await server.ask('usage');
    await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
    return ((await server.ask('usage')).cpuMs - cpuMs) / (idleSeconds * 10);
  };
  const measureAlone = async (server: ServerProcess): Promise<void> => {
    alone = await rest(server);
  };
  return withFollowers(
    run,
    run.scale.manyFollowers,
    transport,
    async (server) => ({ cpuPercent: Math.max(0, (await rest(server)) - alone), alonePercent: alone }),
    measureAlone,
  );
}

async function measure(run: Run): Promise<void> {
  const each = (make: (transport: Transport) => readonly [string, () => Promise<Figures>]) => Object.fromEntries(TRANSPORTS.map(make));
  await run.alternate({
    ...each((transport) => [`events/100-${transport}`, () => fanOut(run, transport)]),
    ...each((transport) => [
      `events/400-${transport}`,
      () => withFollowers(run, 400, transport, ({ url }) => run.load.run('fanOut', { url, events: 200, perCommit: 1, inFlight: 8 })),
    ]),
    ...each((transport) => [`events/memory-${transport}`, () => memory(run, transport)]),
    ...each((transport) => [`events/idle-${transport}`, () => idle(run, transport)]),
  });
}

export const EVENT_SUITE: Suite = { name: 'events and those who follow', rows: ROWS, measure };
