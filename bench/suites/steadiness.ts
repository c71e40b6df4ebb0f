/** Whether answers come evenly: below the peak, and through a working day with everything at once. */
import { graphqlBody, JOB_INPUT, SUBMIT } from '../load/documents.ts';
import type { Figures, Row, Run, Suite } from '../row.ts';
import { startServer } from '../server/server-process.ts';

const CONNECTIONS = 64;
const CONSOLES = 20;
const KEEP_SECONDS = 2;

const ROWS: readonly Row[] = [
  {
    name: 'steady/half-peak',
    what: `submitJob at half of what ${CONNECTIONS} connections reached at most just before, requests sent on time whatever the answers do`,
    headline: 'p99Ms',
    better: 'lower',
  },
  {
    name: 'steady/mixed',
    what: `The longest stall of the server's event loop while jobs come at a steady rate and are processed, retention removes them ${KEEP_SECONDS} s after their end, and ${CONSOLES} consoles poll and follow`,
    headline: 'stallMaxMs',
    better: 'lower',
  },
];

async function halfPeak({ load, scale, workspace }: Run): Promise<Figures> {
  await using server = await startServer({ program: 'compiled', database: workspace.newDatabase() });
  const flood = { url: server.url, connections: CONNECTIONS, requests: [{ body: graphqlBody(SUBMIT, { input: JOB_INPUT }) }], expect: 'SubmitJobSuccess' };
  const { perSecond: peak } = await load.run('http', { ...flood, warmSeconds: scale.warmSeconds, seconds: scale.measureSeconds });
  const { p50Ms, p99Ms, maxMs, perSecond } = await load.run('http', { ...flood, seconds: scale.measureSeconds * 2, ratePerSecond: peak / 2 });
  return { p99Ms, p50Ms, maxMs, peakPerSecond: peak, sentPerSecond: perSecond };
}

async function mixed({ load, scale, workspace }: Run): Promise<Figures> {
  await using server = await startServer({ program: 'compiled', database: workspace.newDatabase() });
  const day = { url: server.url, jobsPerSecond: scale.mixedJobsPerSecond, consoles: CONSOLES, keepSeconds: KEEP_SECONDS };
  await load.run('follow', { url: server.url, count: CONSOLES, transport: 'websocket' });
  await load.run('mixed', { ...day, seconds: Math.min(5, scale.mixedSeconds / 2) });
  await server.ask('watchStalls');
  const figures = await load.run('mixed', { ...day, seconds: scale.mixedSeconds });
  const { maxMs, p99Ms } = await server.ask('stalls');
  await load.run('unfollow', {});
  return { stallMaxMs: maxMs, stallP99Ms: p99Ms, ...figures };
}

/** The long one is measured once, however often the others are. */
async function measure(run: Run): Promise<void> {
  let known: Figures | null = null;
  await run.alternate({
    'steady/half-peak': () => halfPeak(run),
    'steady/mixed': async () => (known ??= await mixed(run)),
  });
}

export const STEADINESS_SUITE: Suite = { name: 'whether answers come evenly', rows: ROWS, measure };
