/** Server, tenant, counts, queues and the newest jobs, on one screen. */
import { type AskingOptions, type Conversation, converse } from './conversation.ts';
import { JOB_HEAD, jobRow } from './jobs/view.ts';
import { jsonDocument, type Output, table, textLines } from './print.ts';
import { QUEUE_HEAD, queueRow } from './queues/view.ts';
import { spanText, timesFor } from './times.ts';
import { visible } from './visible-text.ts';

const QUEUES = 50;
const JOBS = 10;

export function overview(options: AskingOptions, output: Output): Promise<void> {
  return converse(options, output, async (conversation) => {
    const { lq } = conversation;
    const [viewer, stats, queues, jobs] = await Promise.all([lq.viewer(), lq.stats(), lq.queues({ first: QUEUES }), lq.jobs({ first: JOBS })]);
    const seen = { viewer, stats, queues, jobs };
    if (options.json) return output.data(jsonDocument(seen));
    await output.data(options.quiet ? textLines(jobs.nodes.map(({ id }) => id)) : textOf(seen, conversation));
  });
}

interface Seen {
  readonly viewer: Awaited<ReturnType<Conversation['lq']['viewer']>>;
  readonly stats: Awaited<ReturnType<Conversation['lq']['stats']>>;
  readonly queues: Awaited<ReturnType<Conversation['lq']['queues']>>;
  readonly jobs: Awaited<ReturnType<Conversation['lq']['jobs']>>;
}

function textOf({ viewer, stats, queues, jobs }: Seen, { connection, output, clock }: Conversation): string {
  const time = timesFor(output.isTerminal(), clock.nowMs());
  const { tenant, apiKey, serverTime } = viewer;
  const counts = Object.entries(stats.counts).map(([state, count]) => `${count} ${state}`);
  const oldest = stats.oldestReadySeconds === null ? '' : `, the oldest for ${spanText(stats.oldestReadySeconds)}`;
  const facts = [
    ['server', `${connection.url}, where it is ${time(serverTime)}`],
    ['tenant', `${tenant.id} (${tenant.name})${tenant.suspended ? ', SUSPENDED' : ''}`],
    ['key', `${apiKey.name}: ${apiKey.scopes.join(', ')}`],
    ['jobs', counts.join(', ')],
    ['ready', `${stats.ready}${oldest}`],
    ['workers', `${stats.workers} seen lately`],
  ];
  const head = facts.map(([name = '', value = '']) => `${name.padEnd(10)}${visible(value)}\n`).join('');
  const list = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
    rows.length === 0 ? '' : `\n${table(titles, rows, output.look())}`;
  const more = queues.pageInfo.hasNextPage ? 'There are more queues: see leasequeue queue list.\n' : '';
  const newest = jobs.nodes.map((job) => jobRow(job, time));
  return `${head}${list(QUEUE_HEAD, queues.nodes.map(queueRow))}${more}${list(JOB_HEAD, newest)}`;
}
