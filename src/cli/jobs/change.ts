/** Cancels, redrives and reschedules jobs that are named by their ids, one after the other. */
import { type ErrorCode, type JobSummaryFragment, LeaseQueueError, unwrap } from '../../client/index.ts';
import { explainedFailure } from '../client-failure.ts';
import { type AskingOptions, type Conversation, converse } from '../conversation.ts';
import { CommandFailure } from '../failure.ts';
import { jsonDocument, jsonLine, type Output, textLines } from '../print.ts';
import { startOf } from './submit-flags.ts';

export interface CancelOptions extends AskingOptions {
  readonly force?: true;
  readonly reason?: string;
}
export interface StartOptions extends AskingOptions {
  readonly at?: string;
  readonly in?: number;
}
export interface RescheduleOptions extends StartOptions {
  readonly priority?: number;
}

/** What became of one job. */
interface Changed {
  readonly job: JobSummaryFragment;
  /** For people, after the id. */
  readonly note: string;
  /** What else the answer says. */
  readonly rest?: object;
}

export function cancelEach(ids: readonly string[], options: CancelOptions, output: Output): Promise<void> {
  const { force, reason } = options;
  return changeEach(ids, options, output, async ({ lq }, id) => {
    const { job, finished } = unwrap(await lq.cancelJob({ id, force: force === true, ...(reason !== undefined && { reason }) }));
    return { job, note: finished ? job.state : 'its worker is asked to stop', rest: { finished } };
  });
}

export function redriveEach(ids: readonly string[], options: StartOptions, output: Output): Promise<void> {
  return changeEach(ids, options, output, async ({ lq }, id) => {
    const { job } = unwrap(await lq.redriveJob({ id, ...startOf(options) }));
    return { job, note: job.state };
  });
}

export function rescheduleEach(ids: readonly string[], options: RescheduleOptions, output: Output): Promise<void> {
  const { priority } = options;
  return changeEach(ids, options, output, async ({ lq }, id) => {
    const { job } = unwrap(await lq.rescheduleJob({ id, ...startOf(options), ...(priority !== undefined && { priority }) }));
    return { job, note: `runs ${job.runAt}, priority ${job.priority}` };
  });
}

/** A job that refuses does not keep the others. The first refusal decides how the command ends. */
function changeEach(
  given: readonly string[],
  options: AskingOptions,
  output: Output,
  change: (conversation: Conversation, id: string) => Promise<Changed>,
): Promise<void> {
  const ids = [...new Set(given)];
  return converse(options, output, async (conversation) => {
    const refusals: CommandFailure[] = [];
    for (const id of ids) {
      try {
        await output.data(changedText(await change(conversation, id), options, ids.length === 1));
      } catch (error) {
        refusals.push(refusalOf(error, id));
      }
    }
    const [first, ...others] = refusals;
    if (first === undefined) return;
    throw others.length === 0 ? first : new CommandFailure(refusals.map(({ message }) => message).join('\n'), first.exitCode);
  });
}

const OF_THE_JOB: readonly ErrorCode[] = ['JOB_NOT_FOUND', 'INVALID_TRANSITION'];

/** What says nothing about the job itself, such as a server that is away, ends the command. */
function refusalOf(error: unknown, id: string): CommandFailure {
  const failure = explainedFailure(error);
  if (!(error instanceof LeaseQueueError && OF_THE_JOB.includes(error.code) && failure instanceof CommandFailure)) throw error;
  return new CommandFailure(`${id}: ${failure.message}`, failure.exitCode, { cause: error });
}

function changedText({ job, note, rest }: Changed, { json, quiet }: AskingOptions, isOnly: boolean): string {
  if (json) return (isOnly ? jsonDocument : jsonLine)({ job, ...rest });
  return textLines([quiet ? job.id : `${job.id}  ${note}`]);
}
