/** LeaseQueue through the library for users, as a queue among the others. */
import { LeaseQueue } from '../../src/client/client.ts';
import type { Task } from '../../src/client/task.ts';
import { Worker } from '../../src/worker/worker.ts';
import type { Queue, QueueAddress, WorkOptions } from './queue.ts';

interface Payload {
  readonly n: number;
}
/** Takes everything: what a schema costs is the schema's. */
const noop: Task = { name: 'noop', input: { '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) } } };

export async function open(settings: QueueAddress['settings']): Promise<Queue> {
  const queue = String(settings['queue']);
  const key = settings['key'] === undefined ? null : String(settings['key']);
  const lq = new LeaseQueue({ url: String(settings['url']), apiKey: key });
  return {
    submit: (n) => lq.submit(noop, { n }, { queue }),
    async submitMany(ns) {
      const { stored } = await lq.submitJobs({ jobs: ns.map((n) => ({ queue, task: noop.name, payload: { n } })) });
      if (stored !== ns.length) throw new Error(`${stored} of ${ns.length} jobs were stored`);
    },
    async work({ concurrency, prefetch, onStart, onDone, onProblem }: WorkOptions) {
      const worker = new Worker(lq, {
        queues: [queue],
        concurrency,
        prefetch,
        onEvent(event) {
          if (event.type === 'job-completed') onDone();
          else if (event.type !== 'job-started' && !event.type.startsWith('worker-')) onProblem(new Error(event.type));
        },
      });
      worker.on(noop, ({ input }) => onStart((input as Payload).n)).start();
      return { stop: async () => void (await worker.stopNow()) };
    },
    async close() {},
  };
}
