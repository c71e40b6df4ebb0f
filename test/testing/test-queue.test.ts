/** A queue for the tests of programs: time, handlers and what a test sees. */
import { describe, expect, test } from 'vitest';
import { createTestQueue } from '../../src/testing/test-queue.ts';
import { Worker } from '../../src/worker/worker.ts';
import { sendInvoice, sendReminder } from './tasks.ts';

const NOW = '2026-03-01T00:00:00Z';

describe('time', () => {
  test('stands still until the test lets it pass', async () => {
    await using queue = await createTestQueue({ now: NOW });
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    expect(queue.now()).toEqual(new Date(NOW));
    await queue.advance('90m');
    expect(queue.now()).toEqual(new Date('2026-03-01T01:30:00Z'));
  });

  test('that passes promotes a delayed job at its instant', async () => {
    await using queue = await createTestQueue({ now: NOW });
    const { job } = await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' }, { start: { in: '1d' } });
    expect(await queue.job(job.id)).toMatchObject({ ready: false, runAt: '2026-03-02T00:00:00.000Z' });
    await queue.advance('23h');
    expect(await queue.job(job.id)).toMatchObject({ ready: false });
    await queue.advance('1h');
    expect(await queue.job(job.id)).toMatchObject({ ready: true, state: 'QUEUED' });
  });

  test('that passes takes a lease from a worker that says nothing', async () => {
    await using queue = await createTestQueue({ now: NOW });
    const { job } = await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    const { leases } = await queue.lq.claimJobs({ queues: ['billing'], workerId: 'w', leaseSeconds: 30 });
    await queue.advance('29s');
    expect(await queue.events(job.id)).toEqual(['SUBMITTED', 'CLAIMED']);
    await queue.advance('1s');
    expect(await queue.events(job.id)).toEqual(['SUBMITTED', 'CLAIMED', 'LEASE_EXPIRED']);
    const late = await queue.lq.completeJob({ jobId: job.id, leaseToken: leases[0]?.leaseToken ?? '', result: null });
    expect(late).toMatchObject({ __typename: 'LeaseLost', reason: 'EXPIRED' });
  });

  test('of a year without anything to do passes in no time', async () => {
    await using queue = await createTestQueue({ now: NOW });
    const started = performance.now();
    await queue.advance('365d');
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(queue.now()).toEqual(new Date('2027-03-01T00:00:00Z'));
  });

  test('of a week removes what retention does not keep', async () => {
    await using queue = await createTestQueue({ now: NOW });
    queue.on(sendInvoice, () => {});
    const { job } = await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    await queue.drain();
    await queue.advance('7d');
    expect(await queue.job(job.id)).toBeNull();
  });

  test('passes for a worker that the test starts, whose heartbeats keep the lease', async () => {
    await using queue = await createTestQueue({ now: NOW });
    const done = Promise.withResolvers<void>();
    const worker = new Worker(queue.lq, { queues: ['billing'] }).on(sendInvoice, () => done.promise);
    worker.start();
    const { job } = await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    await queue.advance('10m');
    expect(await queue.job(job.id)).toMatchObject({ state: 'RUNNING', attempt: 1 });
    done.resolve();
    await queue.advance(0);
    expect(await queue.job(job.id)).toMatchObject({ state: 'COMPLETED', attempt: 1 });
    const stopped = worker.stop();
    await queue.advance('1m');
    await stopped;
  });

  test('reaches those who follow events, however long nothing happens', async () => {
    await using queue = await createTestQueue({ now: NOW });
    const leaving = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { kind } of queue.lq.events({ signal: leaving.signal })) seen.push(kind);
    })();
    await queue.advance('10m');
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    await queue.advance('1s');
    expect(seen).toEqual(['SUBMITTED']);
    leaving.abort();
    await following;
  });
});

describe('drain', () => {
  test('runs what is due, in order, and says what came of it', async () => {
    await using queue = await createTestQueue({ now: NOW });
    const sent: string[] = [];
    queue.on(sendInvoice, ({ input }) => void sent.push(`${input.invoiceId}.${input.format}`));
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-2', format: 'xml' });
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-3' }, { start: { in: '1h' } });
    const runs = await queue.drain();
    expect(sent).toEqual(['i-1.pdf', 'i-2.xml']);
    expect(runs.map(({ job, outcome }) => [job.payload?.['invoiceId'], outcome])).toEqual([
      ['i-1', 'completed'],
      ['i-2', 'completed'],
    ]);
    expect(await queue.drain()).toEqual([]);
    await queue.advance('1h');
    expect(await queue.drain()).toMatchObject([{ outcome: 'completed', job: { payload: { invoiceId: 'i-3' } } }]);
  });

  test('tries a job again when it is due, and not before', async () => {
    await using queue = await createTestQueue({ now: NOW });
    let tries = 0;
    queue.on(sendInvoice, () => {
      tries += 1;
      if (tries < 3) throw new Error(`the printer is out of paper (${tries})`);
      return { pages: 2 };
    });
    const { job } = await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    expect(await queue.drain()).toMatchObject([{ outcome: 'retry', error: { message: 'the printer is out of paper (1)' } }]);
    expect(await queue.drain()).toEqual([]);
    await queue.advance('15s');
    expect(await queue.drain()).toMatchObject([{ outcome: 'retry' }]);
    await queue.advance('30s');
    expect(await queue.drain()).toMatchObject([{ outcome: 'completed', error: null, job: { attempt: 3, result: { pages: 2 } } }]);
    expect(await queue.events(job.id)).toEqual([...['SUBMITTED', 'CLAIMED', 'RETRY_SCHEDULED', 'CLAIMED', 'RETRY_SCHEDULED', 'CLAIMED', 'COMPLETED']]);
  });

  test('goes on with what handlers submit, in whatever queue', async () => {
    await using queue = await createTestQueue({ now: NOW });
    queue.on(sendInvoice, async ({ input }) => {
      await queue.lq.submit(sendReminder, { invoiceId: input.invoiceId });
    });
    queue.on(sendReminder, () => {});
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    expect((await queue.drain()).map(({ job }) => job.task)).toEqual(['invoice.send', 'reminder.send']);
  });

  test('waits for handlers that wait for the world', async () => {
    await using queue = await createTestQueue({ now: NOW });
    queue.on(sendInvoice, () => new Promise<void>((resolve) => void setTimeout(resolve, 20)));
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    expect(await queue.drain()).toMatchObject([{ outcome: 'completed' }]);
  });

  test('keeps the lease of a handler that takes longer than it', async () => {
    await using queue = await createTestQueue({ now: NOW });
    queue.on(sendInvoice, () => queue.advance('20m'));
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    expect(await queue.drain()).toMatchObject([{ outcome: 'completed', job: { attempt: 1 } }]);
    expect(queue.now()).toEqual(new Date('2026-03-01T00:20:00Z'));
  });

  test('leaves jobs alone that have no handler', async () => {
    await using queue = await createTestQueue({ now: NOW });
    queue.on(sendReminder, () => {});
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    expect(await queue.drain()).toEqual([]);
    expect(await queue.jobs({ state: 'QUEUED' })).toHaveLength(1);
  });

  test('buries a payload that does not fit the task', async () => {
    await using queue = await createTestQueue({ now: NOW });
    queue.on(sendInvoice, () => {});
    await queue.lq.submitJob({ task: 'invoice.send', queue: 'billing', payload: { invoiceId: 5 } });
    expect(await queue.drain()).toMatchObject([{ outcome: 'dead', error: { code: 'INVALID_PAYLOAD' }, job: { lastError: { type: 'InvalidPayload' } } }]);
  });
});

describe('runOne', () => {
  test('runs exactly one job', async () => {
    await using queue = await createTestQueue({ now: NOW });
    queue.on(sendInvoice, () => {});
    for (const invoiceId of ['i-1', 'i-2']) await queue.lq.submit(sendInvoice, { invoiceId });
    expect(await queue.runOne()).toMatchObject({ outcome: 'completed', job: { payload: { invoiceId: 'i-1' } } });
    expect(await queue.jobs({ state: 'QUEUED' })).toMatchObject([{ payload: { invoiceId: 'i-2' } }]);
  });

  test('says so where nothing is due', async () => {
    await using queue = await createTestQueue({ now: NOW });
    await expect(queue.runOne()).rejects.toThrow('No job is due that has a handler');
  });
});

describe('inline mode', () => {
  test('runs a job before its submission resolves, and a delayed one as time passes', async () => {
    await using queue = await createTestQueue({ now: NOW, mode: 'inline' });
    const sent: string[] = [];
    queue.on(sendInvoice, ({ input }) => void sent.push(`${input.invoiceId} ${queue.now().toISOString()}`));
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    expect(sent).toEqual(['i-1 2026-03-01T00:00:00.000Z']);
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-2' }, { start: { in: '2h' } });
    await queue.advance('1d');
    expect(sent.slice(1)).toEqual(['i-2 2026-03-01T02:00:00.000Z']);
  });

  test('runs what a handler submits while the handler waits for it', async () => {
    await using queue = await createTestQueue({ now: NOW, mode: 'inline' });
    const order: string[] = [];
    queue.on(sendReminder, () => void order.push('reminder'));
    queue.on(sendInvoice, async ({ input }) => {
      await queue.lq.submit(sendReminder, { invoiceId: input.invoiceId });
      order.push('invoice');
    });
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    expect(order).toEqual(['reminder', 'invoice']);
  });
});

test('the same seed repeats everything, another one does not', async () => {
  const story = async (seed: number): Promise<unknown> => {
    await using queue = await createTestQueue({ now: NOW, seed });
    queue.on(sendInvoice, () => {
      throw new Error('no');
    });
    await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
    await queue.drain();
    return await queue.jobs();
  };
  expect(await story(7)).toEqual(await story(7));
  expect(await story(8)).not.toEqual(await story(7));
});

test('a closed queue refuses what comes later, and whoever waits to try again', async () => {
  const queue = await createTestQueue();
  queue.failNextRequest('unreachable', 'submitJobs');
  const waiting = queue.lq.submit(sendInvoice, { invoiceId: 'i-1' });
  const worker = new Worker(queue.lq, { queues: ['billing'] }).on(sendInvoice, () => {});
  worker.start();
  await queue.advance(0);
  await Promise.all([queue.close(), expect(waiting).rejects.toThrow('The test queue is closed. Nothing was changed.')]);
  await expect(queue.jobs()).rejects.toThrow('The test queue is closed');
  await worker.stop();
});

test('limits hold as they do at a server', async () => {
  await using queue = await createTestQueue();
  const text = (bytes: number): string => 'x'.repeat(bytes);
  await expect(queue.lq.submit(sendInvoice, { invoiceId: text(70_000) })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  await expect(queue.lq.submit(sendInvoice, { invoiceId: text(200_000) })).rejects.toMatchObject({ code: 'REQUEST_ENTITY_TOO_LARGE' });
  await expect(queue.lq.submit(sendInvoice, { invoiceId: 'i-1' }, { priority: 101 })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('each tenant and each queue is its own', async () => {
  await using one = await createTestQueue({ tenant: 'acme' });
  await using other = await createTestQueue({ tenant: 'acme' });
  await one.lq.submit(sendInvoice, { invoiceId: 'i-1' });
  expect(await other.jobs()).toEqual([]);
  expect((await one.lq.viewer()).tenant.id).toBe('acme');
});
