/** Faults on demand, and what they come to. */
import { expect, test } from 'vitest';
import type { RetryPolicy } from '../../src/client/task.ts';
import { createTestQueue, type TestQueue } from '../../src/testing/test-queue.ts';
import type { RunningJob } from '../../src/worker/registration.ts';
import { JobAborted } from '../../src/worker/outcomes.ts';
import { sendInvoice, sendReminder } from './tasks.ts';

const NOW = '2026-03-01T00:00:00Z';

/** The id of a new job. */
async function submitted(queue: TestQueue, retry: RetryPolicy = {}): Promise<string> {
  return (await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' }, { retry })).job.id;
}

test('a crash before the report leaves the work done and the job running, until its lease is over', async () => {
  await using queue = await createTestQueue({ now: NOW });
  const id = await submitted(queue);
  const seen: RunningJob[] = [];
  queue.on(sendInvoice, ({ job }) => void seen.push(job));
  queue.crashBeforeAck();
  expect(await queue.drain()).toMatchObject([{ outcome: 'crashed', job: { id, state: 'RUNNING', attempt: 1 } }]);
  await queue.advance('59s');
  expect(await queue.drain()).toEqual([]);
  await queue.advance('1s');
  expect(await queue.drain()).toMatchObject([{ outcome: 'completed', job: { id, attempt: 2, fence: 2 } }]);
  expect(seen.map(({ id: seenId, attempt, fence }) => ({ id: seenId, attempt, fence }))).toEqual([
    { id, attempt: 1, fence: 1 },
    { id, attempt: 2, fence: 2 },
  ]);
  expect(await queue.events(id)).toEqual(['SUBMITTED', 'CLAIMED', 'LEASE_EXPIRED', 'CLAIMED', 'COMPLETED']);
});

test('after a crash the jobs behind it are done by another worker', async () => {
  await using queue = await createTestQueue({ now: NOW });
  await submitted(queue);
  await queue.lq.submit(sendInvoice, { invoiceId: 'i-2' });
  queue.on(sendInvoice, () => {});
  queue.crashBeforeAck();
  const runs = await queue.drain();
  expect(runs.map(({ job, outcome }) => [job.payload?.['invoiceId'], outcome])).toEqual([
    ['i-1', 'crashed'],
    ['i-2', 'completed'],
  ]);
});

test('a crash at the last attempt ends in a dead letter', async () => {
  await using queue = await createTestQueue({ now: NOW });
  const id = await submitted(queue, { attempts: 1 });
  queue.on(sendInvoice, () => {});
  queue.crashBeforeAck();
  await queue.drain();
  await queue.advance('1m');
  expect(await queue.events(id)).toEqual(['SUBMITTED', 'CLAIMED', 'LEASE_EXPIRED', 'DEAD_LETTERED']);
  expect(await queue.drain()).toEqual([]);
});

test('a lost lease lets another worker do the job, and the first one is told and says nothing', async () => {
  await using queue = await createTestQueue({ now: NOW });
  const id = await submitted(queue);
  const [started, released] = [Promise.withResolvers<AbortSignal>(), Promise.withResolvers<void>()];
  const fences: number[] = [];
  queue.on(sendInvoice, async ({ job, signal }) => {
    fences.push(job.fence);
    if (job.fence > 1) return;
    started.resolve(signal);
    await released.promise;
  });
  const first = queue.runOne();
  const signal = await started.promise;
  await queue.loseLease(id);
  expect(await queue.job(id)).toMatchObject({ state: 'RETRY', ready: true });
  expect(await queue.runOne()).toMatchObject({ outcome: 'completed', fence: 2, job: { attempt: 2 } });
  // The first one learns it with its next heartbeat.
  await queue.advance('20s');
  expect(signal.reason).toBeInstanceOf(JobAborted);
  expect(signal.reason).toMatchObject({ reason: 'lease-lost' });
  released.resolve();
  expect(await first).toMatchObject({ outcome: 'lease-lost', fence: 1 });
  expect(fences).toEqual([1, 2]);
  expect(await queue.events(id)).toEqual(['SUBMITTED', 'CLAIMED', 'LEASE_EXPIRED', 'CLAIMED', 'COMPLETED']);
});

test('a lease of a job that does not run cannot be lost', async () => {
  await using queue = await createTestQueue({ now: NOW });
  const id = await submitted(queue);
  await expect(queue.loseLease(id)).rejects.toThrow('does not run');
});

test.each(['lost-answer', 'unreachable', 'unavailable'] as const)('a submission that meets "%s" is repeated, and makes one job', async (fault) => {
  await using queue = await createTestQueue({ now: NOW });
  queue.failNextRequest(fault);
  const submitting = queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
  await queue.advance(0);
  expect(await queue.jobs()).toHaveLength(fault === 'lost-answer' ? 1 : 0);
  await queue.advance('1s');
  expect(await submitting).toMatchObject({ deduplicated: fault === 'lost-answer' });
  expect(await queue.jobs()).toHaveLength(1);
});

test.each(['lost-answer', 'unreachable', 'unavailable'] as const)('a claim that meets "%s" loses no job and no attempt', async (fault) => {
  await using queue = await createTestQueue({ now: NOW });
  const id = await submitted(queue);
  queue.on(sendInvoice, () => {});
  queue.failNextRequest(fault, 'claimJobs');
  expect(await queue.drain()).toMatchObject([{ outcome: 'completed', job: { attempt: 1, fence: 1 } }]);
  expect(await queue.events(id)).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
});

test.each(['lost-answer', 'unreachable', 'unavailable'] as const)('a completion that meets "%s" is reported again and counts once', async (fault) => {
  await using queue = await createTestQueue({ now: NOW });
  const id = await submitted(queue);
  let runs = 0;
  queue.on(sendInvoice, () => {
    runs += 1;
    queue.failNextRequest(fault);
  });
  expect(await queue.drain()).toMatchObject([{ outcome: 'completed', job: { attempt: 1 } }]);
  expect(runs).toBe(1);
  expect(await queue.events(id)).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
});

test.each(['lost-answer', 'unreachable', 'unavailable'] as const)(
  'a handler whose own submission meets "%s" gets through, and makes one job',
  async (fault) => {
    await using queue = await createTestQueue({ now: NOW });
    await submitted(queue);
    queue.on(sendReminder, () => {});
    queue.on(sendInvoice, async ({ input }) => {
      await queue.lq.submit(sendReminder, { invoiceId: input.invoiceId });
    });
    queue.failNextRequest(fault, 'submitJobs');
    expect((await queue.drain()).map(({ job, outcome }) => [job.task, outcome])).toEqual([
      ['invoice.send', 'completed'],
      ['reminder.send', 'completed'],
    ]);
    expect(queue.now().getTime() - Date.parse(NOW)).toBeLessThan(1_000);
  },
);

test('a handler that cannot reach the server for long fails, and is tried again', async () => {
  await using queue = await createTestQueue({ now: NOW });
  await submitted(queue);
  queue.on(sendReminder, () => {});
  queue.on(sendInvoice, async ({ input }) => {
    await queue.lq.submit(sendReminder, { invoiceId: input.invoiceId });
  });
  for (let request = 0; request < 30; request++) queue.failNextRequest('unreachable', 'submitJobs');
  expect(await queue.drain()).toMatchObject([{ outcome: 'retry', error: { code: 'UNREACHABLE' } }]);
});

test('what a test looks at meets no fault', async () => {
  await using queue = await createTestQueue({ now: NOW });
  queue.failNextRequest('unreachable');
  expect(await queue.jobs()).toEqual([]);
});
