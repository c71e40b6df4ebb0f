/** Lists jobs, and shows one. */
import type { JobFilter, JobOrder, JobSelector, JobSummaryFragment } from '../../client/index.ts';
import { type AskingOptions, type Conversation, converse } from '../conversation.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { pagesOf } from '../pages.ts';
import { growingTable, jsonDocument, jsonLine, type Output, table, textLines } from '../print.ts';
import { type TimeText, timesFor } from '../times.ts';
import { type FilterOptions, filterOf } from './filter.ts';
import { attemptsText, JOB_HEAD, jobRow, jobText, timelineText, type WholeJob } from './view.ts';

export interface ListOptions extends AskingOptions, FilterOptions {
  readonly order?: string;
  readonly first?: number;
  readonly after?: string;
  readonly all?: true;
}
export interface GetOptions extends AskingOptions {
  readonly queue?: string;
  readonly idempotencyKey?: string;
}

/** What a list shows of its jobs. */
export interface Columns {
  readonly head: readonly string[];
  readonly row: (job: JobSummaryFragment, time: TimeText) => readonly string[];
}
const COLUMNS: Columns = { head: JOB_HEAD, row: jobRow };
const PAGE_ITEMS = 100;
const FIRST = 20;

export function listJobs(options: ListOptions, output: Output, columns = COLUMNS): Promise<void> {
  const order = options.order?.toUpperCase().replaceAll('-', '_') as JobOrder | undefined;
  const asked = { filter: filterOf(options), orderBy: order ?? 'NEWEST_FIRST' };
  return converse(options, output, (conversation) => (options.all ? allPages : onePage)(conversation, options, asked, columns));
}

interface Asked {
  readonly filter: JobFilter;
  readonly orderBy: JobOrder;
}

async function onePage({ lq, output, clock }: Conversation, options: ListOptions, asked: Asked, { head, row }: Columns): Promise<void> {
  const jobs = await lq.jobs({ ...asked, first: options.first ?? FIRST, after: options.after });
  const { nodes, pageInfo } = jobs;
  if (options.json) return output.data(jsonDocument({ jobs }));
  const time = timesFor(output.isTerminal(), clock.nowMs());
  const shown = (): string =>
    table(
      head,
      nodes.map((job) => row(job, time)),
      output.look(),
    );
  await output.data(options.quiet ? idsOf(nodes) : nodes.length === 0 ? '' : shown());
  if (nodes.length === 0) output.talk('There are no such jobs.');
  if (pageInfo.hasNextPage) output.talk(`There are more. All of them: --all; the next page: --after ${pageInfo.endCursor}`);
}

async function allPages({ lq, output, clock }: Conversation, options: ListOptions, asked: Asked, { head, row }: Columns): Promise<void> {
  const time = timesFor(output.isTerminal(), clock.nowMs());
  const rows = growingTable(head, output.look());
  const pages = pagesOf((after) => lq.jobs({ ...asked, first: PAGE_ITEMS, after }), options.after ?? null);
  for await (const jobs of pages) {
    if (options.json) await output.data(jobs.map(jsonLine).join(''));
    else await output.data(options.quiet ? idsOf(jobs) : rows(jobs.map((job) => row(job, time))));
    if (!output.isRead()) return;
  }
}

function idsOf(jobs: readonly { readonly id: string }[]): string {
  return textLines(jobs.map(({ id }) => id));
}

/** `isWhole`: with its attempts and its events, for people too. */
export async function showJob(id: string | undefined, options: GetOptions, output: Output, isWhole: boolean): Promise<void> {
  const by = selectorOf(id, options);
  await converse(options, output, async ({ lq, clock }) => {
    const job = await lq.job(by, { attempts: 100, events: 100 });
    if (job === null) throw noJob(by);
    if (options.json) return output.data(jsonDocument({ job }));
    if (options.quiet) return output.data(textLines([job.id]));
    await output.data(textOf(job, output, timesFor(output.isTerminal(), clock.nowMs()), isWhole));
  });
}

function textOf(job: WholeJob, output: Output, time: TimeText, isWhole: boolean): string {
  const more = isWhole ? attemptsText(job, time, output.look()) + timelineText(job, time, output.look()) : '';
  return jobText(job, time) + more;
}

function selectorOf(id: string | undefined, { queue, idempotencyKey }: GetOptions): JobSelector {
  if (id !== undefined && queue === undefined && idempotencyKey === undefined) return { id };
  if (id === undefined && queue !== undefined && idempotencyKey !== undefined) return { idempotencyKey: { queue, key: idempotencyKey } };
  throw new CommandFailure('say which job: by its id, or by --queue and --idempotency-key together.', EXIT.usage);
}

function noJob(by: JobSelector): CommandFailure {
  const which = 'id' in by ? `has the id ${by.id}` : 'was submitted to this queue with this key';
  return new CommandFailure(`no job of this tenant ${which}. Check both; retention or an operator may have removed it.`, EXIT.notFound);
}
