/** Makes one invoice. What it needs from outside is passed in, so that a test can pass something else. */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Handler, NonRetryable } from 'leasequeue/worker';
import { putInvoice } from './invoice-folder.ts';
import { headText, lineText, totalCentsOf, totalText } from './layout.ts';
import { pdfOf } from './pdf.ts';
import type { renderInvoice } from './tasks.ts';

export interface Workplace {
  /** Where the invoices go. */
  readonly folder: string;
  /** `{ "usdPerEur": 1.1 }`, put there each morning by somebody else. */
  readonly ratesFile: string;
  /** To look on while it works, and to break it. */
  readonly secondsPerLine?: number;
}

export function invoiceRenderer({ folder, ratesFile, secondsPerLine = 0 }: Workplace): Handler<typeof renderInvoice> {
  return async ({ input, job, signal, progress }) => {
    // No further attempt can mend this one: a dead letter at once.
    if (input.lines.length === 0) throw new NonRetryable(`invoice ${input.invoiceId} has no lines`);
    // A file that is not there yet may be there later: anything thrown means another attempt, after the task's backoff.
    const usdPerEur = await readRate(ratesFile);

    const lines = [...headText(input)];
    for (const [index, line] of input.lines.entries()) {
      // Ends here when the lease is lost, the job cancelled, its time over, or the worker has to go.
      await pause(secondsPerLine * 1_000, undefined, { signal });
      lines.push(lineText(line));
      progress({ percent: (100 * (index + 1)) / input.lines.length, note: `${index + 1} of ${input.lines.length} lines` });
    }
    lines.push(...totalText(input, usdPerEur));

    signal.throwIfAborted();
    const file = await putInvoice(folder, job, pdfOf(lines));
    return { file, totalCents: totalCentsOf(input) };
  };
}

async function readRate(path: string): Promise<number> {
  const { usdPerEur } = JSON.parse(await readFile(path, 'utf8')) as { readonly usdPerEur?: unknown };
  if (typeof usdPerEur !== 'number' || !(usdPerEur > 0)) throw new Error(`${path} has no rate`);
  return usdPerEur;
}
