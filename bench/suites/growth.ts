/** Whether anything grows with the number of queues, tenants or followers. */
import { graphqlBody, JOB_INPUT, SUBMIT } from '../load/documents.ts';
import type { Place } from '../load/depth-load.ts';
import { type Case, type Figures, type Row, rowsOf, type Run, type Suite } from '../row.ts';
import { FULL, QUICK, type Scale } from '../scale.ts';
import { startServer } from '../server/server-process.ts';

type Kind = 'queues' | 'tenants' | 'followers';
const KINDS = ['queues', 'tenants', 'followers'] as const;
const BATCH = 20;

const WHAT: Readonly<Record<Kind, string>> = {
  queues: `Submit, claim and complete ${BATCH} jobs in one queue after the other, of so many`,
  tenants: `Submit, claim and complete ${BATCH} jobs of one tenant after the other, of so many`,
  followers: 'submitJob over 64 connections while so many follow the events over WebSocket',
};

function scaleOf(kind: Kind, count: number): Scale['name'] | null {
  const inQuick = QUICK.growthCounts[kind].includes(count);
  return inQuick && FULL.growthCounts[kind].includes(count) ? null : inQuick ? 'quick' : 'full';
}

function rowsFor(kind: Kind): readonly Row[] {
  const counts = [...new Set([...QUICK.growthCounts[kind], ...FULL.growthCounts[kind]])].toSorted((a, b) => a - b);
  return rowsOf(counts, (count) => {
    const scale = scaleOf(kind, count);
    const figure = kind === 'followers' ? 'perSecond' : 'jobsPerSecond';
    return { name: `growth/${kind}/${count}`, what: WHAT[kind], headline: figure, better: 'higher' as const, ...(scale !== null && { scale }) };
  });
}

function placesOf(kind: 'queues' | 'tenants', count: number): readonly Place[] {
  const names = Array.from({ length: count }, (_, index) => `${kind}-${index}`);
  return names.map((name) => (kind === 'queues' ? { queue: name } : { queue: 'growth', tenant: name }));
}

async function spread({ load, scale, workspace }: Run, kind: 'queues' | 'tenants', count: number): Promise<Figures> {
  await using server = await startServer({ program: 'compiled', database: workspace.newDatabase() });
  const places = placesOf(kind, count);
  await load.run('seed', { url: server.url, places });
  await load.run('depth', { url: server.url, places, batches: Math.ceil(scale.growthBatches / 4), size: BATCH });
  const { cycle } = await load.run('depth', { url: server.url, places, batches: scale.growthBatches, size: BATCH });
  return cycle;
}

async function followed({ load, scale, workspace }: Run, count: number): Promise<Figures> {
  await using server = await startServer({ program: 'compiled', database: workspace.newDatabase() });
  await load.run('follow', { url: server.url, count, transport: 'websocket' });
  const body = graphqlBody(SUBMIT, { input: JOB_INPUT });
  try {
    return await load.run('http', {
      url: server.url,
      connections: 64,
      requests: [{ body }],
      expect: 'SubmitJobSuccess',
      warmSeconds: scale.warmSeconds,
      seconds: scale.measureSeconds,
    });
  } finally {
    await load.run('unfollow', {});
  }
}

async function measure(run: Run): Promise<void> {
  const cases: Record<string, Case> = {};
  for (const kind of KINDS) {
    for (const count of run.scale.growthCounts[kind]) {
      cases[`growth/${kind}/${count}`] = kind === 'followers' ? () => followed(run, count) : () => spread(run, kind, count);
    }
  }
  await run.alternate(cases);
}

export const GROWTH_SUITE: Suite = { name: 'what grows with what', rows: KINDS.flatMap(rowsFor), measure };
