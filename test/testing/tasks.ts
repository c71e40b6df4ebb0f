/** Tasks for the tests of the test queue, as a program defines them. */
import { z } from 'zod';
import { defineTask } from '../../src/client/task.ts';

export const sendInvoice = defineTask({
  name: 'invoice.send',
  input: z.object({ invoiceId: z.string(), format: z.enum(['pdf', 'xml']).default('pdf') }),
  queue: 'billing',
  retry: { attempts: 3, base: '15s', max: '1h' },
  lease: '60s',
});

export const sendReminder = defineTask({ name: 'reminder.send', input: z.object({ invoiceId: z.string() }) });
