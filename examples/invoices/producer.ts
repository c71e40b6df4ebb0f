/** Asks for a month's invoices. Run it as often as you like: each invoice has one key, and a key makes one job. */
import { LeaseQueue } from 'leasequeue/client';
import { renderInvoice } from './tasks.ts';

const month = process.argv[2] ?? '2026-03';
const orders = [
  {
    number: 1,
    customer: 'Ann Able',
    lines: [
      { text: 'Bolts, a hundred', cents: 1250, quantity: 3 },
      { text: 'Delivery', cents: 490 },
    ],
  },
  { number: 2, customer: 'Bob Böll', lines: [{ text: 'Café table (oak)', cents: 18_900 }] },
  { number: 3, customer: 'Cy Cole', lines: [] },
];

const lq = new LeaseQueue();
for (const { number, customer, lines } of orders) {
  const invoiceId = `${month}-${number}`;
  const { job, deduplicated } = await lq.submit(renderInvoice, { invoiceId, customer, lines }, { idempotencyKey: `invoice-${invoiceId}`, tags: { month } });
  console.log(`${invoiceId} ${deduplicated ? 'was asked for before' : 'is asked for'}: ${job.id}`);
}
