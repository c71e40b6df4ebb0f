/** Cancels or redrives all jobs of a filter: counted first, agreed to, and then each at most once. */
import type { BulkFieldsFragment, JobFilter } from '../../client/index.ts';
import { confirm } from '../confirm.ts';
import { type AskingOptions, type Conversation, converse } from '../conversation.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { jsonDocument, type Output, textLines } from '../print.ts';
import { createProgress } from '../progress.ts';
import type { CancelOptions, StartOptions } from './change.ts';
import { counted } from '../times.ts';
import { startOf } from './submit-flags.ts';

export interface BulkOptions extends AskingOptions {
  readonly yes?: true;
  readonly dryRun?: true;
}

/** What is done to all of them. */
interface Deed {
  readonly ask: (conversation: Conversation, filter: JobFilter, dryRun: boolean) => Promise<BulkFieldsFragment>;
  /** The filter without jobs that came to it after this instant. */
  readonly before: (filter: JobFilter, instant: string) => JobFilter;
  /** `Cancel` and `Cancelled`. */
  readonly words: readonly [order: string, done: string];
}

export function cancelAll(filter: JobFilter, options: BulkOptions & CancelOptions, output: Output): Promise<void> {
  const how = { force: options.force === true, ...(options.reason !== undefined && { reason: options.reason }) };
  return changeAll(filter, options, output, {
    ask: ({ lq }, target, dryRun) => lq.cancelJobs({ target: { filter: target }, dryRun, ...how }),
    before: (given, instant) => ({ ...given, createdAt: endingAt(given.createdAt, instant) }),
    words: ['Cancel', 'Cancelled'],
  });
}

/** A job that dies again while this goes on is not redriven again: it ended after the start. */
export function redriveAll(filter: JobFilter, options: BulkOptions & StartOptions, output: Output): Promise<void> {
  return changeAll({ ...filter, states: ['DEAD'] }, options, output, {
    ask: ({ lq }, target, dryRun) => lq.redriveJobs({ target: { filter: target }, dryRun, ...startOf(options) }),
    before: (given, instant) => ({ ...given, finishedAt: endingAt(given.finishedAt, instant) }),
    words: ['Redrive', 'Redrove'],
  });
}

function endingAt(range: JobFilter['createdAt'], instant: string): NonNullable<JobFilter['createdAt']> {
  const to = range?.to;
  return { ...range, to: typeof to === 'string' && Date.parse(to) < Date.parse(instant) ? to : instant };
}

async function changeAll(filter: JobFilter, options: BulkOptions, output: Output, deed: Deed): Promise<void> {
  await converse(options, output, async (conversation) => {
    const { matched } = await deed.ask(conversation, filter, true);
    const count = `${matched.exact ? '' : 'at least '}${counted(matched.value, 'job')}`;
    if (options.dryRun) return tell({ matched, changed: 0, skipped: 0, samples: [] }, `${count} can be changed. Nothing was changed.`, options, output);
    if (matched.value > 0) await confirm(`${deed.words[0]} ${count}?`, { yes: options.yes, signal: conversation.signal });
    const { serverTime } = await conversation.lq.viewer();
    const done = await untilNoMore(conversation, deed.before(filter, serverTime), deed);
    const skipped = done.skipped === 0 ? '' : `, skipped ${done.skipped}: ${reasonsOf(done.samples)}`;
    await tell({ matched, ...done }, `${deed.words[1]} ${counted(done.changed, 'job')}${skipped}.`, options, output);
    if (done.hasMore) throw new CommandFailure('there are more, which cannot be changed now. Repeat the command when there is room for them.', EXIT.failed);
  });
}

type Done = Omit<BulkFieldsFragment, 'matched'>;

async function untilNoMore(conversation: Conversation, filter: JobFilter, deed: Deed): Promise<Done> {
  const progress = createProgress({ clock: conversation.clock, stream: process.stderr, isWanted: conversation.output.tellsProgress() });
  try {
    for (let sum: Done = { changed: 0, skipped: 0, hasMore: false, samples: [] }; ; ) {
      const { changed, skipped, hasMore, samples } = await deed.ask(conversation, filter, false);
      sum = { changed: sum.changed + changed, skipped: sum.skipped + skipped, hasMore, samples: [...sum.samples, ...samples].slice(0, SAMPLES) };
      // Where a call changed nothing, another one would not either.
      if (!hasMore || changed === 0) return sum;
      progress.update(`${deed.words[1]} ${counted(sum.changed, 'job')} …`);
    }
  } finally {
    progress.clear();
  }
}

const SAMPLES = 20;

function reasonsOf(samples: Done['samples']): string {
  return samples.map(({ jobId, code }) => `${jobId} ${code}`).join(', ');
}

async function tell(answer: object, text: string, { json, quiet }: BulkOptions, output: Output): Promise<void> {
  if (json) await output.data(jsonDocument(answer));
  else if (!quiet) await output.data(textLines([text]));
}
