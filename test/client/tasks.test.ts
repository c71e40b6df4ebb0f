/** Tasks: one definition for producers and workers, with any schema library. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTask, LeaseQueue, type StandardSchema } from '../../src/client/index.ts';
import { startApp, type TestApp } from '../support/app.ts';

let server: TestApp;
let lq: LeaseQueue;
beforeAll(async () => {
  server = await startApp();
  lq = new LeaseQueue({ url: server.url });
});
afterAll(() => server.app.stop());

const sendInvoice = defineTask({
  name: 'invoice.send',
  input: z.object({ invoiceId: z.string().min(1), at: z.string().transform((text) => new Date(text)) }),
  queue: 'billing',
  retry: { attempts: 5, base: '15s', max: '1h' },
});

describe('submit', () => {
  test('stores what the producer passed, with the settings of the task', async () => {
    const input = { invoiceId: 'i-1', at: '2026-03-01T00:00:00Z' };
    const { job, deduplicated } = await lq.submit(sendInvoice, input, { tags: { team: 'a' }, priority: 3, concurrencyKey: 'c' });
    expect({ deduplicated, job }).toMatchObject({ deduplicated: false, job: { queueName: 'billing', task: 'invoice.send', maxAttempts: 5 } });
    expect(await lq.job({ id: job.id })).toMatchObject({
      payload: input,
      tags: [{ key: 'team', value: 'a' }],
      priority: 3,
      concurrencyKey: 'c',
      retryBaseSeconds: 15,
      retryMaxSeconds: 3_600,
    });
  });

  test('lets the call have its own queue, retries and start', async () => {
    const input = { invoiceId: 'i', at: '' };
    const { job } = await lq.submit(sendInvoice, input, { queue: 'other', retry: { attempts: 1 }, start: { in: '90m' } });
    expect(job).toMatchObject({ queueName: 'other', maxAttempts: 1, runAt: new Date(server.clock.nowMs() + 5_400_000).toISOString() });
    const at = new Date(server.clock.nowMs() + 1_000);
    expect((await lq.submit(sendInvoice, input, { start: { at } })).job.runAt).toBe(at.toISOString());
    await expect(lq.submit(sendInvoice, input, { start: { at: new Date(Number.NaN) } })).rejects.toMatchObject({ code: 'BAD_SETTINGS' });
  });

  test('refuses an input that does not fit, says where, repeats no value and stores nothing', async () => {
    const refused = lq.submit(sendInvoice, { invoiceId: '', at: 5 as never }, { queue: 'refused' });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_PAYLOAD', issues: [{ path: ['invoiceId'] }, { path: ['at'] }] });
    expect(await lq.countJobs({ queues: ['refused'] })).toMatchObject({ value: 0 });
  });

  test('of one turn travels as one request, though schemas are asked first', async () => {
    let requests = 0;
    const counting = new LeaseQueue({ url: server.url, fetch: (...given) => ((requests += 1), fetch(...given)) });
    await Promise.all(Array.from({ length: 50 }, () => counting.submit(sendInvoice, { invoiceId: 'i', at: '' })));
    expect(requests).toBe(1);
  });

  test('throws an expected failure with its code', async () => {
    await lq.submit(sendInvoice, { invoiceId: 'a', at: '' }, { idempotencyKey: 'k' });
    const again = lq.submit(sendInvoice, { invoiceId: 'b', at: '' }, { idempotencyKey: 'k' });
    await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', details: { differingFields: ['payload'] } });
  });
});

test('any library will do that speaks Standard Schema, also one that takes its time', async () => {
  const greeting: StandardSchema<{ readonly name: string }> = {
    '~standard': {
      version: 1,
      vendor: 'by hand',
      validate: async (value) =>
        typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
          ? { value: { name: value.name } }
          : { issues: [{ message: 'needs a name', path: [{ key: 'name' }] }] },
    },
  };
  const greet = defineTask({ name: 'greet', input: greeting });
  expect((await lq.submit(greet, { name: 'Ada' })).job.task).toBe('greet');
  await expect(lq.submit(greet, {} as never)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD', issues: [{ path: ['name'], message: 'needs a name' }] });
});

test('a task with a name or a length of time that is none is refused where it is defined', () => {
  const input = z.object({});
  expect(() => defineTask({ name: 'not a name', input })).toThrow(/name of a task/);
  expect(() => defineTask({ name: 'x', input, lease: 'soon' as never })).toThrow(/no length of time/);
});
