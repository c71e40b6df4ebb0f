/** What an invoice says, line by line. */
import type { TaskPayload } from 'leasequeue/client';
import type { renderInvoice } from './tasks.ts';

type Invoice = TaskPayload<typeof renderInvoice>;
type Line = Invoice['lines'][number];

export function totalCentsOf({ lines }: Invoice): number {
  return lines.reduce((cents, line) => cents + line.cents * line.quantity, 0);
}

export function lineText({ text, cents, quantity }: Line): string {
  return `${String(quantity).padStart(5)} x ${text.padEnd(60)}${money(cents * quantity).padStart(14)}`;
}

export function headText({ invoiceId, customer }: Invoice): readonly string[] {
  return [`Invoice ${invoiceId}`, '', `For ${customer}`, ''];
}

export function totalText(invoice: Invoice, usdPerEur: number): readonly string[] {
  const cents = totalCentsOf(invoice);
  return ['', `Total in EUR ${money(cents)}`, `Total in USD ${money(Math.round(cents * usdPerEur))} at ${usdPerEur}`];
}

function money(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
