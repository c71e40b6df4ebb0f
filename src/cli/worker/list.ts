/** `leasequeue worker list`: who was seen lately. */
import { clientOf } from '../client.ts';
import { type ClientOptions, connectionOf } from '../client-command.ts';
import { jsonDocument, type Output, table } from '../print.ts';

export interface ListFlags extends ClientOptions {
  /** Seconds. */
  readonly seenWithin: number;
}

const HEAD = ['WORKER', 'QUEUES', 'JOBS', 'LAST SEEN'];

export async function listWorkers(flags: ListFlags, output: Output): Promise<void> {
  const workers = (await clientOf(connectionOf(flags, output)).workers({ seenWithinSeconds: flags.seenWithin })) ?? [];
  if (flags.json) return output.data(jsonDocument({ workers }));
  if (flags.quiet) return output.data(workers.map(({ id }) => `${id}\n`).join(''));
  if (workers.length === 0) return output.talk('No worker was seen lately.');
  const rows = workers.map(({ id, queues, runningJobs, lastSeenAt }) => [id, queues.join(', '), String(runningJobs), lastSeenAt]);
  await output.data(table(HEAD, rows, output.look()));
}
