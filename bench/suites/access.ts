/** What it costs to ask for keys: the same work at a server that does, beside one at which nobody signs in. */
import { createKeys, type Holder } from '../fill/keys.ts';
import { type Case, type Row, rowsOf, type Run, type Suite } from '../row.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { address, BULK_IN_FLIGHT } from './client.ts';
import { BODIES } from './http.ts';
import { batchesTo, requestsTo, type Side, sideBySide, workerOf } from './side-by-side.ts';

const TENANTS = 4;
const KEYS_EACH = 4;
const BATCH = 100;
const ratio = { headline: 'rateRatio', better: 'higher' } as const;
const FOLLOWS = `every request signed with one of ${TENANTS * KEYS_EACH} keys of ${TENANTS} tenants, to an open server, where it names the tenant`;

const ROWS: readonly Row[] = [
  { name: 'access/empty-query/64', what: `{ __typename } over 64 connections, ${FOLLOWS}`, ...ratio },
  ...rowsOf([1, 64] as const, (count) => ({ name: `access/submit/${count}`, what: `submitJob over ${count} connections, ${FOLLOWS}`, ...ratio })),
  { name: `access/bulk/${BATCH}`, what: `submitJobs of ${BATCH}, signed, to an open server`, ...ratio },
  { name: 'access/process/100', what: 'Claim and complete at 100, every request signed, to an open server', ...ratio },
];

type MakeSide = (server: ServerProcess, holders: readonly Holder[], isSigned: boolean) => Side;

/** Both servers on new databases with the same tenants. */
function compared(run: Run, side: MakeSide): Case {
  const start = async (auth: 'required' | 'none'): Promise<Side> => {
    const database = run.workspace.newDatabase();
    const holders = await createKeys(database, TENANTS, KEYS_EACH);
    const server = await startServer({ program: 'compiled', database, environment: { LEASEQUEUE_AUTH: auth } });
    return side(server, holders, auth === 'required');
  };
  return () => sideBySide(run, { own: () => start('required'), other: () => start('none') });
}

async function measure(run: Run): Promise<void> {
  const requests = (kind: 'query' | 'submit', connections: number): Case => {
    const { body, expect } = BODIES[kind];
    return compared(run, (server, holders, isSigned) => {
      const sent = holders.map(({ key, tenant }) => (isSigned ? { body, key } : { body, tenant }));
      return requestsTo(run, server, connections, sent, expect);
    });
  };
  const queueOf =
    (server: ServerProcess, [holder]: readonly Holder[], isSigned: boolean) =>
    () =>
      address(server, isSigned && holder !== undefined ? { key: holder.key } : {});
  await run.alternate({
    'access/empty-query/64': requests('query', 64),
    'access/submit/1': requests('submit', 1),
    'access/submit/64': requests('submit', 64),
    [`access/bulk/${BATCH}`]: compared(run, (server, ...rest) => batchesTo(run, server, BATCH, BULK_IN_FLIGHT, queueOf(server, ...rest))),
    'access/process/100': compared(run, (server, ...rest) => workerOf(run, server, 100, queueOf(server, ...rest))),
  });
}

export const ACCESS_SUITE: Suite = { name: 'what it costs to ask for keys', rows: ROWS, measure };
