/** Submits one job. */
import { type SubmitJobInput, unwrap } from '../../client/index.ts';
import { followsRule, NAME, ruleMessage } from '../../domain/text.ts';
import { converse } from '../conversation.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { jsonDocument, type Output, textLines } from '../print.ts';
import { readPayload } from './payload.ts';
import { startOf, type SubmitFlags } from './submit-flags.ts';

const DEFAULT_TASK = 'default';

/** `task` null: the payload's own word for it, where that is a name, else `default`. */
export async function submit(task: string | null, options: SubmitFlags, output: Output): Promise<void> {
  const payload = options.payload === undefined ? {} : await readPayload(options.payload);
  const job = submissionOf(task ?? taskIn(payload), payload, options);
  if (options.dryRun) return tell(job, output);
  await converse(options, output, async ({ lq }) => {
    const { job: stored, deduplicated } = unwrap(await lq.submitJob(job));
    await output.data(options.json ? jsonDocument({ job: stored, deduplicated }) : textLines([stored.id]));
    output.talk(
      deduplicated
        ? `Deduplicated: an earlier submission with this key made the job, which is ${stored.state}. Nothing was stored.`
        : `Submitted ${stored.task} to ${stored.queueName}.`,
    );
  });
}

async function tell(job: SubmitJobInput, output: Output): Promise<void> {
  await output.data(jsonDocument(job));
  output.talk('This would be submitted. Nothing was sent.');
}

function taskIn({ task }: Readonly<Record<string, unknown>>): string {
  return typeof task === 'string' && followsRule(task, NAME) ? task : DEFAULT_TASK;
}

function submissionOf(task: string, payload: Record<string, unknown>, options: SubmitFlags): SubmitJobInput {
  const { queue, idempotencyKey, priority, maxAttempts, retryBase, retryMax, tag, concurrencyKey } = options;
  return {
    task: named('the task', task),
    ...(queue !== undefined && { queue: named('--queue', queue) }),
    payload,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(priority !== undefined && { priority }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(retryBase !== undefined && { retryBaseSeconds: retryBase }),
    ...(retryMax !== undefined && { retryMaxSeconds: retryMax }),
    ...startOf(options),
    ...(tag !== undefined && { tags: [...tag] }),
    ...(concurrencyKey !== undefined && { concurrencyKey }),
  };
}

function named(what: string, name: string): string {
  if (followsRule(name, NAME)) return name;
  throw new CommandFailure(`${what} ${ruleMessage(NAME)}. Nothing was submitted.`, EXIT.usage);
}
