/** A program that leaves a worker, a follower of events and a call open, closes its queue, and has nothing left to live for. */
import { createTestQueue } from '../../src/testing/index.ts';
import { Worker } from '../../src/worker/worker.ts';
import { sendInvoice } from './tasks.ts';

const queue = await createTestQueue();
const worker = new Worker(queue.lq, { queues: ['billing'] });
worker.on(sendInvoice, () => new Promise<void>(() => {})).start();
void (async () => {
  for await (const event of queue.lq.events()) if (event.kind === 'SUBMITTED') process.stdout.write('open until closed\n');
})().catch(() => {});
await queue.advance('1m');
await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
await queue.advance('1m');
queue.failNextRequest('unreachable', 'submitJobs');
queue.lq.submit(sendInvoice, { invoiceId: 'i-2' }).catch(() => {});
await queue.advance(0);
await queue.close();
process.stdout.write('closed\n');
