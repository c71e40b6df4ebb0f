/** Tests of the handler on a queue of their own: the real one, in memory, in a time that the test moves. Run by `node --test`. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestQueue, type TestQueue } from 'leasequeue/testing';
import { invoiceRenderer } from './handler.ts';
import { putInvoice } from './invoice-folder.ts';
import { pdfOf } from './pdf.ts';
import { renderInvoice } from './tasks.ts';

const invoice = {
  invoiceId: '2026-03-1',
  customer: 'Ann Able',
  lines: [
    { text: 'Bolts (steel)', cents: 1250, quantity: 3 },
    { text: 'Delivery', cents: 490 },
  ],
};

let folder: string;
let ratesFile: string;
let queue: TestQueue;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'invoices-'));
  ratesFile = join(folder, 'rates.json');
  await writeFile(ratesFile, '{ "usdPerEur": 1.1 }');
  queue = await createTestQueue();
  queue.on(renderInvoice, invoiceRenderer({ folder: join(folder, 'out'), ratesFile }));
});
afterEach(async () => {
  await queue.close();
  await rm(folder, { recursive: true });
});

const files = (): Promise<string[]> => readdir(join(folder, 'out'));
const textOf = (name: string): Promise<string> => readFile(join(folder, 'out', name), 'latin1');

test('an invoice becomes a file with its lines and its total, which the result names', async () => {
  const { job } = await queue.lq.submit(renderInvoice, invoice);
  const run = await queue.runOne();
  assert.equal(run.outcome, 'completed');
  assert.deepEqual(run.job.result, { file: `${job.id}.1.pdf`, totalCents: 4240 });
  assert.deepEqual(await files(), [`${job.id}.1.pdf`]);
  const text = await textOf(`${job.id}.1.pdf`);
  for (const part of ['Invoice 2026-03-1', 'For Ann Able', String.raw`Bolts \(steel\)`, '37.50', 'Total in EUR 42.40', 'Total in USD 46.64'])
    assert.ok(text.includes(part), part);
});

test('an invoice that was asked for twice is made once', async () => {
  const options = { idempotencyKey: 'invoice-2026-03-1' };
  await queue.lq.submit(renderInvoice, invoice, options);
  assert.equal((await queue.lq.submit(renderInvoice, invoice, options)).deduplicated, true);
  assert.equal((await queue.drain()).length, 1);
});

test('an invoice without lines is a dead letter at its first attempt', async () => {
  await queue.lq.submit(renderInvoice, { ...invoice, lines: [] });
  const { outcome, job } = await queue.runOne();
  assert.deepEqual([outcome, job.attempt], ['dead', 1]);
});

test('a missing exchange rate is waited for', async () => {
  await rm(ratesFile);
  await queue.lq.submit(renderInvoice, invoice);
  assert.equal((await queue.runOne()).outcome, 'retry');
  await writeFile(ratesFile, '{ "usdPerEur": 1.2 }');
  await queue.advance('2s');
  assert.equal((await queue.runOne()).outcome, 'completed');
});

test('a worker that dies before it can say so costs time, and no second file', async () => {
  const { job } = await queue.lq.submit(renderInvoice, invoice);
  queue.crashBeforeAck();
  assert.equal((await queue.runOne()).outcome, 'crashed');
  const before = await textOf(`${job.id}.1.pdf`);
  await queue.advance('5s');
  assert.equal((await queue.runOne()).outcome, 'completed');
  assert.deepEqual(await files(), [`${job.id}.2.pdf`]);
  assert.equal(await textOf(`${job.id}.2.pdf`), before);
});

test('an older holder cannot overwrite what a newer one made', async () => {
  const out = join(folder, 'out');
  await putInvoice(out, { id: 'job', fence: 2 }, pdfOf(['new']));
  await assert.rejects(putInvoice(out, { id: 'job', fence: 1 }, pdfOf(['old'])), /claimed again/);
  assert.deepEqual(await files(), ['job.2.pdf']);
});

test('a cancelled invoice is given up', async () => {
  const { job } = await queue.lq.submit(renderInvoice, invoice);
  await queue.lq.cancelJob({ id: job.id });
  assert.deepEqual(await queue.drain(), []);
});

test('each object of a file is where its table says', () => {
  const text = Buffer.from(pdfOf(Array.from({ length: 120 }, (_, index) => `line ${index} €é🙂`))).toString('latin1');
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const offsets = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  assert.equal(offsets.length, 3 + 2 * 3);
  for (const [index, offset] of offsets.entries()) assert.ok(text.startsWith(`${index + 1} 0 obj\n`, offset));
  for (const [, length, stream] of text.matchAll(/\/Length (\d+) >>\nstream\n([^]*?)\nendstream/g)) assert.equal(stream?.length, Number(length));
  assert.ok(text.includes('line 119 \u0080é?'));
});
