/** The worker: takes invoices from the queue until SIGTERM or Ctrl-C, then finishes what it has begun. */
import { join } from 'node:path';
import { LeaseQueue } from 'leasequeue/client';
import { Worker, type WorkerEvent } from 'leasequeue/worker';
import { invoiceRenderer } from './handler.ts';
import { renderInvoice } from './tasks.ts';

const { INVOICES = join(import.meta.dirname, 'out'), RATES = join(import.meta.dirname, 'rates.json'), SECONDS_PER_LINE = '0', MAX_JOBS } = process.env;

function log(event: WorkerEvent): void {
  const line = describe(event);
  if (line !== null) console.log('job' in event ? `${event.job.id.slice(-8)} ${line}` : line);
}

function describe(event: WorkerEvent): string | null {
  switch (event.type) {
    case 'job-started':
      return `started, attempt ${event.job.attempt} of ${event.job.maxAttempts}, fence ${event.job.fence}`;
    case 'job-completed':
      return `completed in ${Math.round(event.tookMs)} ms`;
    case 'job-failed':
      return `failed, ${event.isDead ? 'for good' : `again at ${event.retryAt?.toISOString()}`}: ${String(event.error)}`;
    case 'job-aborted':
      return `told to stop: ${event.reason}`;
    case 'job-released':
      return `handed back: ${event.why}`;
    case 'lease-lost':
      return `lost: ${event.message}`;
    case 'server-unreachable':
      return `The server cannot be reached: ${event.error.message}`;
    case 'server-reachable':
      return 'The server is back.';
    case 'event-loop-blocked':
      return `Nothing ran for ${Math.round(event.blockedMs)} ms.`;
    case 'worker-stopping':
      return `Stopping, with ${event.running} running.`;
    case 'worker-stopped':
      return 'Stopped.';
    default:
      return null;
  }
}

const worker = new Worker(new LeaseQueue(), {
  queues: ['billing'],
  concurrency: 2,
  onEvent: log,
  ...(MAX_JOBS !== undefined && { maxJobs: Number(MAX_JOBS) }),
});
worker.on(renderInvoice, invoiceRenderer({ folder: INVOICES, ratesFile: RATES, secondsPerLine: Number(SECONDS_PER_LINE) }));
await worker.run();
