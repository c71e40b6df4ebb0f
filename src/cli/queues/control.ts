/** Lists, shows and controls queues. */
import { type ConfigureQueueInput, type QueueSettingsFragment, unwrap } from '../../client/index.ts';
import { type AskingOptions, type Conversation, converse } from '../conversation.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { pagesOf } from '../pages.ts';
import { type OrDefault, orNull } from '../options.ts';
import { growingTable, jsonDocument, jsonLine, type Output, textLines } from '../print.ts';
import { timesFor } from '../times.ts';
import { QUEUE_HEAD, queueRow, queueText } from './view.ts';

export interface PauseOptions extends AskingOptions {
  readonly reason?: string;
}
export interface SetOptions extends AskingOptions {
  readonly priority?: OrDefault;
  readonly maxAttempts?: OrDefault;
  readonly retryBase?: OrDefault;
  readonly retryMax?: OrDefault;
  readonly lease?: OrDefault;
  readonly keepCompleted?: OrDefault;
  readonly keepCancelled?: OrDefault;
  readonly keepDead?: OrDefault;
  readonly expectedVersion?: number;
}

const PAGE_ITEMS = 100;

export function listQueues(options: AskingOptions, output: Output): Promise<void> {
  return converse(options, output, async ({ lq }) => {
    const rows = growingTable(QUEUE_HEAD, output.look());
    let count = 0;
    for await (const queues of pagesOf((after) => lq.queues({ first: PAGE_ITEMS, after }))) {
      count += queues.length;
      if (options.json) await output.data(queues.map(jsonLine).join(''));
      else if (options.quiet) await output.data(textLines(queues.map(({ name }) => name)));
      else if (count > 0) await output.data(rows(queues.map(queueRow)));
      if (!output.isRead()) return;
    }
    if (count === 0) output.talk('There are no queues. A queue comes into being with its first job.');
  });
}

export function showQueue(name: string, options: AskingOptions, output: Output): Promise<void> {
  return converse(options, output, async (conversation) => {
    const queue = await conversation.lq.queue(name);
    if (queue === null) throw new CommandFailure(`there is no queue ${name}. It comes into being with its first job.`, EXIT.notFound);
    await tell(queue, conversation, options);
  });
}

export function pauseQueue(name: string, options: PauseOptions, output: Output): Promise<void> {
  const { reason } = options;
  return converse(options, output, async (conversation) => {
    const { queue, changed } = unwrap(await conversation.lq.pauseQueue({ name, ...(reason !== undefined && { reason }) }));
    await tell(queue, conversation, options, { changed });
    output.talk(changed ? `Paused ${name}. Running jobs go on, and submissions are taken.` : `${name} was paused already.`);
  });
}

export function resumeQueue(name: string, options: AskingOptions, output: Output): Promise<void> {
  return converse(options, output, async (conversation) => {
    const { queue, changed } = unwrap(await conversation.lq.resumeQueue({ name }));
    await tell(queue, conversation, options, { changed });
    output.talk(changed ? `Resumed ${name}.` : `${name} was not paused.`);
  });
}

export function setQueue(name: string, options: SetOptions, output: Output): Promise<void> {
  const input = configurationOf(name, options);
  if (input.defaults === undefined && input.retention === undefined) {
    throw new CommandFailure('say what to set, such as --max-attempts or --keep-dead.', EXIT.usage);
  }
  return converse(options, output, async (conversation) => {
    const { queue } = unwrap(await conversation.lq.configureQueue(input));
    await tell(queue, conversation, options);
  });
}

function configurationOf(name: string, options: SetOptions): ConfigureQueueInput {
  const { priority, maxAttempts, retryBase, retryMax, lease, keepCompleted, keepCancelled, keepDead, expectedVersion } = options;
  const defaults = given({ priority, maxAttempts, retryBaseSeconds: retryBase, retryMaxSeconds: retryMax, leaseSeconds: lease });
  const retention = given({ completedSeconds: keepCompleted, cancelledSeconds: keepCancelled, deadSeconds: keepDead });
  return { name, ...(defaults && { defaults }), ...(retention && { retention }), ...(expectedVersion !== undefined && { expectedVersion }) };
}

/** What was said of these; null where nothing was. */
function given<Fields extends Record<string, OrDefault | undefined>>(fields: Fields): { [Name in keyof Fields]?: number | null } | null {
  const said = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, orNull(value)]]));
  return said.length === 0 ? null : (Object.fromEntries(said) as { [Name in keyof Fields]?: number | null });
}

async function tell(queue: QueueSettingsFragment, { output, clock }: Conversation, { json, quiet }: AskingOptions, rest: object = {}): Promise<void> {
  if (json) return output.data(jsonDocument({ queue, ...rest }));
  await output.data(quiet ? textLines([queue.name]) : queueText(queue, timesFor(output.isTerminal(), clock.nowMs())));
}
