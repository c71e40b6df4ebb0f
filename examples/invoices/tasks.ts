/** What can be asked for. Producers and workers share this file, so that they cannot disagree about it. */
import { defineTask } from 'leasequeue/client';
import { z } from 'zod';

// Any Standard Schema will do: zod, valibot, arktype …
const line = z.object({
  text: z.string().min(1).max(60),
  cents: z.int().min(0).max(100_000_000),
  quantity: z.int().min(1).max(10_000).default(1),
});

export const renderInvoice = defineTask({
  name: 'invoice.render',
  input: z.object({ invoiceId: z.string().regex(/^[\w-]{1,40}$/), customer: z.string().min(1).max(60), lines: z.array(line).max(500) }),
  output: z.object({ file: z.string(), totalCents: z.int() }),
  queue: 'billing',
  retry: { attempts: 4, base: '2s', max: '5m' },
  // The shortest there is: what a killed worker held is free again five seconds later. Heartbeats keep it for as long as it takes.
  lease: '5s',
  timeout: '2m',
});
