/** Waits for jobs to end, or shows what happens to one until then. Both follow the event log: nothing is asked again and again. */
import type { FollowedEvent, JobState } from '../../client/index.ts';
import { type AskingOptions, type Conversation, converse } from '../conversation.ts';
import { eventsText } from '../events/view.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { jsonLine, type Output, textLines } from '../print.ts';
import { timesFor } from '../times.ts';
import { errorText, type WholeJob } from './view.ts';

export interface WaitOptions extends AskingOptions {
  /** Milliseconds. */
  readonly timeout?: number;
}

const ENDED: readonly JobState[] = ['COMPLETED', 'DEAD', 'CANCELLED'];

/** Ends with 7 where one of the jobs did not complete. */
export function waitForJobs(given: readonly string[], options: WaitOptions, output: Output): Promise<void> {
  const ids = [...new Set(given)];
  return converse(options, output, async (conversation) => {
    using limit = timeLimit(conversation, options.timeout, ids.length === 1 ? 'the job has not' : 'not all jobs have');
    const states = await endsOf(ids, { ...conversation, signal: limit.signal }, (job) => output.data(endText(job, options)));
    const bad = [...states].filter(([, state]) => state !== 'COMPLETED');
    if (bad.length > 0) throw new CommandFailure(bad.map(([id, state]) => `the job ${id} ended ${state}.`).join('\n'), EXIT.endedBadly);
  });
}

/** The cursor is read before the jobs, so that none can end between the look at it and the first event. */
async function endsOf(ids: readonly string[], { lq, signal }: Conversation, tell: (job: WholeJob) => Promise<void>): Promise<ReadonlyMap<string, JobState>> {
  const ends = new Map<string, JobState>();
  const open = (): readonly string[] => ids.filter((id) => !ends.has(id));
  const look = async (some: readonly string[]): Promise<void> => {
    for (const id of some) {
      const job = await knownJob(id, { lq, signal }, 1);
      if (!ENDED.includes(job.state)) continue;
      ends.set(id, job.state);
      await tell(job);
    }
  };
  const after = await lq.latestEventCursor({ signal });
  await look(ids);
  if (open().length === 0) return ends;
  let mustLookAtAll = false;
  const filter = { jobIds: [...ids], states: [...ENDED] };
  for await (const { events } of lq.eventBatches({ after, filter, signal, onGap: () => (mustLookAtAll = true) })) {
    await look(open().filter((id) => mustLookAtAll || events.some(({ jobId }) => jobId === id)));
    mustLookAtAll = false;
    if (open().length === 0) return ends;
  }
  signal.throwIfAborted();
  return ends;
}

/** With so many of its events. */
async function knownJob(id: string, { lq, signal }: Pick<Conversation, 'lq' | 'signal'>, events: number): Promise<WholeJob> {
  const job = await lq.job({ id }, { attempts: 1, events, signal });
  if (job !== null) return job;
  throw new CommandFailure(`no job of this tenant has the id ${id}. Check it; retention or an operator may have removed the job.`, EXIT.notFound);
}

function endText(job: WholeJob, { json, quiet }: WaitOptions): string {
  const { attempts: _attempts, events: _events, ...facts } = job;
  if (json) return jsonLine(facts);
  const what = job.state === 'COMPLETED' ? JSON.stringify(job.result) : errorText(job.lastError);
  return textLines([quiet ? job.id : `${job.id}  ${job.state}  ${what}`.trimEnd()]);
}

interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
}

/** The conversation's signal, which also aborts when the time is over. */
function timeLimit({ clock, signal }: Conversation, ms: number | undefined, missing: string): TimeLimit {
  if (ms === undefined) return { signal, [Symbol.dispose]: () => {} };
  const late = new AbortController();
  const failure = new CommandFailure(`timed out after ${ms / 1_000} s: ${missing} ended. Nothing was changed.`, EXIT.failed);
  const stopWaiting = clock.after(ms, () => late.abort(failure));
  return { signal: AbortSignal.any([signal, late.signal]), [Symbol.dispose]: stopWaiting };
}

/** From its first event to its end; later events of a dead letter that was redriven count. Ends with 7 where it did not complete. */
export function watchJob(id: string, options: AskingOptions, output: Output): Promise<void> {
  return converse(options, output, async (conversation) => {
    const { lq, clock, signal } = conversation;
    const print = (events: readonly FollowedEvent[]): Promise<void> => {
      return output.data(eventsText(events, options, timesFor(output.isTerminal(), clock.nowMs())));
    };
    const { events: page } = await knownJob(id, conversation, 100);
    await print(page.nodes);
    let last = page.nodes.at(-1)?.toState;
    if (page.hasMore || !isEnd(last)) {
      for await (const { events, caughtUp } of lq.eventBatches({ after: page.cursor, filter: { jobIds: [id] }, signal })) {
        await print(events);
        last = events.at(-1)?.toState ?? last;
        if ((caughtUp && isEnd(last)) || !output.isRead()) break;
      }
      signal.throwIfAborted();
    }
    if (last !== 'COMPLETED' && output.isRead()) throw new CommandFailure(`the job ${id} ended ${last}.`, EXIT.endedBadly);
  });
}

function isEnd(state: JobState | undefined): boolean {
  return state !== undefined && ENDED.includes(state);
}
