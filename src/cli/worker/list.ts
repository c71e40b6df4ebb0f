/** `leasequeue worker list`: who was seen lately. */
import { type AskingOptions, converse } from '../conversation.ts';
import { jsonDocument, type Output, table } from '../print.ts';
import { timesFor } from '../times.ts';

export interface ListFlags extends AskingOptions {
  /** Seconds. */
  readonly seenWithin: number;
}

const HEAD = ['WORKER', 'QUEUES', 'JOBS', 'LAST SEEN'];

export async function listWorkers(flags: ListFlags, output: Output): Promise<void> {
  await converse(flags, output, async ({ lq, clock }) => {
    const workers = (await lq.workers({ seenWithinSeconds: flags.seenWithin })) ?? [];
    if (flags.json) return output.data(jsonDocument({ workers }));
    if (flags.quiet) return output.data(workers.map(({ id }) => `${id}\n`).join(''));
    if (workers.length === 0) return output.talk('No worker was seen lately.');
    const time = timesFor(output.isTerminal(), clock.nowMs());
    const rows = workers.map(({ id, queues, runningJobs, lastSeenAt }) => [id, queues.join(', '), String(runningJobs), time(lastSeenAt)]);
    await output.data(table(HEAD, rows, output.look()));
  });
}
