/** BullMQ as a queue among the others. */
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

/** @type {import('../load/queue.ts').OpenQueue} */
export async function open({ port, queue }) {
  const connection = { host: '127.0.0.1', port: Number(port), maxRetriesPerRequest: null };
  const jobs = new Queue(String(queue), { connection });
  await jobs.waitUntilReady();
  return {
    submit: (n) => jobs.add('noop', { n }),
    submitMany: (ns) => jobs.addBulk(ns.map((n) => ({ name: 'noop', data: { n } }))),
    async work({ concurrency, onStart, onDone, onProblem }) {
      const worker = new Worker(String(queue), async ({ data }) => onStart(data.n), { connection, concurrency, autorun: false });
      worker.on('completed', onDone);
      worker.on('error', onProblem);
      await worker.waitUntilReady();
      void worker.run();
      return { stop: () => worker.close(true) };
    },
    async settings() {
      const client = new Redis(connection);
      const [, appendonly] = await client.config('GET', 'appendonly');
      const [, appendfsync] = await client.config('GET', 'appendfsync');
      client.disconnect();
      return `appendonly ${appendonly}, appendfsync ${appendfsync}`;
    },
    close: () => jobs.close(),
  };
}
