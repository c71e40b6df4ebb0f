/** A test as Node's own runner runs it. */
import assert from 'node:assert';
import { test } from 'node:test';
import { createTestQueue } from '../../src/testing/index.ts';
import { sendInvoice } from './tasks.ts';

void test('a job runs when it is due', async () => {
  await using queue = await createTestQueue({ now: '2026-03-01T00:00:00Z' });
  queue.on(sendInvoice, () => {});
  await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' }, { start: { in: '1d' } });
  assert.deepEqual(await queue.drain(), []);
  await queue.advance('1d');
  const [run] = await queue.drain();
  assert.equal(run?.outcome, 'completed');
});

void test('a job that was not submitted fails the test with a difference', async () => {
  await using queue = await createTestQueue();
  await assert.rejects(() => queue.expectSubmitted(sendInvoice, { invoiceId: 'i-1' }), assert.AssertionError);
});
