/** `queue top`: looks at the queues again and again, on the whole terminal, as JSON Lines, or once. */
import { type LeaseQueue, LeaseQueueError } from '../../client/index.ts';
import { LIMITS } from '../../domain/limits.ts';
import { type AskingOptions, type Conversation, converse } from '../conversation.ts';
import { clientOf } from '../make-client.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { jsonLine, type Output, textLines } from '../print.ts';
import { clockText, spanText } from '../times.ts';
import { fullScreen, screenLook } from './full-screen.ts';
import { type Picture, type Snapshot, topLines } from './top-view.ts';
import { attention, byTrouble } from './trouble.ts';

export interface TopOptions extends AskingOptions {
  /** Milliseconds. */
  readonly every: number;
  readonly once?: true;
}

const PAGES_MAX = 5;
const EVERY_MS = { min: 500, max: 3_600_000 } as const;
/** So that an age on the screen goes on. */
const REDRAW_MS = 1_000;

export async function top(options: TopOptions, output: Output): Promise<void> {
  if (options.every < EVERY_MS.min || options.every > EVERY_MS.max) throw new CommandFailure('--every must be from 500ms to 1h.', EXIT.usage);
  const isOnce = options.once === true || (!output.isTerminal() && !options.json);
  await converse(options, output, (conversation) => (isOnce ? once : options.json ? rounds : live)(conversation, options));
}

async function snapshotOf(lq: LeaseQueue, conversation: Conversation): Promise<Snapshot> {
  const queues = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const { nodes, pageInfo } = await lq.queues({ first: LIMITS.pageItemsMax, after });
    queues.push(...nodes);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    if (after === null) break;
  }
  const stats = await lq.stats();
  return { queues, stats, atMs: conversation.clock.nowMs(), hasMore: after !== null };
}

async function once(conversation: Conversation, options: TopOptions): Promise<void> {
  const { lq, output, connection, clock } = conversation;
  const snapshot = await snapshotOf(lq, conversation);
  if (options.json) return output.data(jsonLine(roundOf(snapshot)));
  if (options.quiet) return output.data(textLines(byTrouble(snapshot.queues).map(({ name }) => name)));
  const frame = { look: output.look(), rows: null, nowMs: clock.nowMs(), title: titleOf(connection.url, snapshot.atMs) };
  await output.data(
    topLines({ snapshot, failure: null, askedMs: null }, frame)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

function roundOf({ queues, stats, atMs }: Snapshot): object {
  return { at: new Date(atMs).toISOString(), stats, queues: byTrouble(queues), attention: attention(queues) };
}

function titleOf(url: string, nowMs: number): string {
  return `LeaseQueue at ${url}, ${clockText(new Date(nowMs))}`;
}

/** A round without figures says why it has none. */
async function rounds(conversation: Conversation, options: TopOptions): Promise<void> {
  const { output, clock, signal, connection } = conversation;
  const lq = clientOf(connection, { retryFor: 0, signal });
  while (output.isRead()) {
    const round = await snapshotOf(lq, conversation).then(roundOf, (error: unknown) => absenceOf(error, clock.nowMs()));
    await output.data(jsonLine(round));
    await clock.sleep(options.every, signal);
    signal.throwIfAborted();
  }
}

function absenceOf(error: unknown, nowMs: number): object {
  const { code, message } = passing(error);
  return { at: new Date(nowMs).toISOString(), error: { code, message } };
}

/** What may be over at the next look. Everything else ends the command. */
function passing(error: unknown): LeaseQueueError {
  if (error instanceof LeaseQueueError && error.isRetryable) return error;
  throw error;
}

/** Until the person leaves. */
async function live(conversation: Conversation, options: TopOptions): Promise<void> {
  const { output, clock, connection } = conversation;
  const leaving = new AbortController();
  const signal = AbortSignal.any([conversation.signal, leaving.signal]);
  const lq = clientOf(connection, { retryFor: 0, signal });
  let picture: Picture = { snapshot: null, failure: null, askedMs: null };
  const draw = (): void => {
    const nowMs = clock.nowMs();
    const title = `${titleOf(connection.url, nowMs)}, every ${spanOf(options.every)}: q leaves`;
    screen.draw(topLines(picture, { look: screenLook(output.look(), process.stdout.columns), rows: screen.rows(), nowMs, title }));
  };
  using screen = fullScreen({ input: process.stdin, output: process.stdout }, { onLeave: () => leaving.abort(), onResize: () => draw() });
  const looking = repeat(conversation, options.every, signal, async () => {
    picture = { ...picture, askedMs: clock.nowMs() };
    picture = await newPicture(picture, lq, conversation);
    draw();
  });
  const drawing = repeat(conversation, REDRAW_MS, signal, async () => draw());
  try {
    await Promise.all([looking, drawing]);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    leaving.abort();
  }
  conversation.signal.throwIfAborted();
}

async function newPicture(before: Picture, lq: LeaseQueue, conversation: Conversation): Promise<Picture> {
  try {
    return { snapshot: await snapshotOf(lq, conversation), failure: null, askedMs: null };
  } catch (error) {
    const { message } = passing(error);
    return { ...before, askedMs: null, failure: { sinceMs: before.failure?.sinceMs ?? conversation.clock.nowMs(), message } };
  }
}

async function repeat({ clock }: Conversation, everyMs: number, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await act();
    await clock.sleep(everyMs, signal);
  }
}

function spanOf(ms: number): string {
  return ms < 1_000 ? `${ms}ms` : spanText(ms / 1_000);
}
