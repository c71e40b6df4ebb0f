/** LeaseQueue over its public API, as a queue among the others. */
import { CoalescingClient } from './coalescing-client.ts';
import { LeasingWorker } from './leasing-worker.ts';
import type { Queue, QueueAddress, WorkOptions } from './queue.ts';

export async function open(settings: QueueAddress['settings']): Promise<Queue> {
  const key = settings['key'] === undefined ? null : String(settings['key']);
  const client = new CoalescingClient({ url: String(settings['url']), queue: String(settings['queue']), key });
  const claimsAtOnce = Number(settings['claimsAtOnce'] ?? 1);
  return {
    submit: (n) => client.submit(n),
    submitMany: (ns) => client.submitMany(ns),
    work: async (options: WorkOptions) => {
      const worker = new LeasingWorker(client, { ...options, claimsAtOnce });
      return { stop: async () => worker.stop() };
    },
    close: async () => client.close(),
  };
}
