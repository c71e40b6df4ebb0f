/** What a test is told of what was submitted, and of what was not. */
import { AssertionError } from 'node:assert';
import { expect, test } from 'vitest';
import { createTestQueue } from '../../src/testing/test-queue.ts';
import { holds } from '../../src/testing/partial-match.ts';
import { sendInvoice, sendReminder } from './tasks.ts';

async function thrown(run: () => Promise<unknown>): Promise<AssertionError> {
  const error: unknown = await run().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AssertionError);
  return error as AssertionError;
}

test('the latest job that holds what is expected is answered', async () => {
  await using queue = await createTestQueue();
  await queue.lq.submit(sendInvoice, { invoiceId: 'i-1', format: 'pdf' });
  const { job } = await queue.lq.submit(sendInvoice, { invoiceId: 'i-1', format: 'xml' }, { priority: 10 });
  expect(await queue.expectSubmitted(sendInvoice, { invoiceId: 'i-1' })).toMatchObject({ id: job.id, priority: 10, queueName: 'billing' });
  expect(await queue.expectSubmitted(sendInvoice)).toMatchObject({ id: job.id });
});

test('a difference is shown where no job holds it', async () => {
  await using queue = await createTestQueue();
  await queue.lq.submit(sendInvoice, { invoiceId: 'i-1', format: 'xml' });
  const error = await thrown(() => queue.expectSubmitted(sendInvoice, { invoiceId: 'i-2' }));
  expect(error.message).toBe(
    [
      'No job of invoice.send was submitted with this payload.',
      '',
      "  expected:  { invoiceId: 'i-2' }",
      "  submitted: { format: 'xml', invoiceId: 'i-1' }",
    ].join('\n'),
  );
  expect(error).toMatchObject({ actual: { invoiceId: 'i-1' }, expected: { invoiceId: 'i-2' } });
});

test('it is said where there is no job of the task at all', async () => {
  await using queue = await createTestQueue();
  await queue.lq.submit(sendReminder, { invoiceId: 'i-1' });
  const error = await thrown(() => queue.expectSubmitted(sendInvoice, { invoiceId: 'i-1' }));
  expect(error.message).toContain('No job of invoice.send was submitted.');
});

test('nothing is expected where nothing was submitted', async () => {
  await using queue = await createTestQueue();
  await queue.expectNothingSubmitted();
  await queue.lq.submit(sendReminder, { invoiceId: 'i-1' });
  await queue.expectNothingSubmitted(sendInvoice);
  const error = await thrown(() => queue.expectNothingSubmitted());
  expect(error.message).toBe("A job was submitted where none was expected:\n\n  reminder.send { invoiceId: 'i-1' }");
});

test('a payload holds what is expected if it has all of it', () => {
  const payload = { a: 1, b: { c: [1, { d: 2, e: 3 }] }, n: null };
  for (const expected of [{}, { a: 1 }, { b: {} }, { b: { c: [1, { d: 2 }] } }, { n: null }]) expect(holds(payload, expected)).toBe(true);
  for (const expected of [{ a: 2 }, { z: undefined }, { b: { c: [1] } }, { b: { c: [1, { d: 3 }] } }, { n: {} }, { toString: undefined }]) {
    expect(holds(payload, expected)).toBe(false);
  }
});
