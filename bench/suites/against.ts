/** This checkout beside another one, such as the one before a change: what the change costs, or gains. */
import { type Case, type Row, rowsOf, type Run, type Suite } from '../row.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { address, BULK_IN_FLIGHT } from './client.ts';
import { BODIES } from './http.ts';
import { batchesTo, requestsTo, type Side, sideBySide, workerOf } from './side-by-side.ts';

const ratio = { headline: 'rateRatio', better: 'higher' } as const;
const BATCHES = [1, 100] as const;

const ROWS: readonly Row[] = [
  { name: 'against/empty-query/64', what: '{ __typename } over 64 connections, to the other checkout', ...ratio },
  { name: 'against/empty-mutation/64', what: 'submitJob whose field is skipped, likewise', ...ratio },
  { name: 'against/refused/64', what: 'completeJob of a job that does not exist, likewise', ...ratio },
  ...rowsOf([1, 64] as const, (count) => ({ name: `against/submit/http/${count}`, what: `submitJob over ${count} connections, likewise`, ...ratio })),
  ...rowsOf(BATCHES, (size) => ({ name: `against/bulk/${size}`, what: `submitJobs of ${size}, likewise`, ...ratio })),
  ...rowsOf([1, 100] as const, (concurrency) => ({
    name: `against/process/${concurrency}`,
    what: `Claim and complete, ${concurrency} at a time, likewise`,
    ...ratio,
  })),
];

async function measure(run: Run, checkout: string): Promise<void> {
  const start = (from: { readonly checkout?: string }): Promise<ServerProcess> =>
    startServer({ program: 'compiled', database: run.workspace.newDatabase(), ...from });
  const both = (side: (server: ServerProcess) => Side): Case => {
    return () => sideBySide(run, { own: async () => side(await start({})), other: async () => side(await start({ checkout })) });
  };
  const requests = (kind: keyof typeof BODIES, connections: number) =>
    both((server) => requestsTo(run, server, connections, [{ body: BODIES[kind].body }], BODIES[kind].expect));
  await run.alternate({
    'against/empty-query/64': requests('query', 64),
    'against/empty-mutation/64': requests('nothing', 64),
    'against/refused/64': requests('refused', 64),
    'against/submit/http/1': requests('submit', 1),
    'against/submit/http/64': requests('submit', 64),
    ...Object.fromEntries(
      BATCHES.map((size) => [`against/bulk/${size}`, both((server) => batchesTo(run, server, size, BULK_IN_FLIGHT, () => address(server)))]),
    ),
    'against/process/1': both((server) => workerOf(run, server, 1, () => address(server))),
    'against/process/100': both((server) => workerOf(run, server, 100, () => address(server))),
  });
}

/** The other checkout has its packages installed, and a server that takes the same requests. */
export function againstSuite(checkout: string): Suite {
  return { name: `beside ${checkout}`, rows: ROWS, measure: (run) => measure(run, checkout) };
}
