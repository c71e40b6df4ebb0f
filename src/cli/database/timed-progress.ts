/** How far long work has come: one line that changes on a terminal, else a line every ten seconds. Always on standard error. */
import type { Clock } from '../../runtime/clock.ts';

export interface ProgressParts {
  readonly clock: Pick<Clock, 'sleep' | 'monotonicMs'>;
  readonly stream: { readonly isTTY?: boolean; write(text: string): unknown };
}

const TERMINAL_EVERY_MS = 200;
const PLAIN_EVERY_MS = 10_000;
const ERASE_LINE = '\r\u001b[K';

/** Runs `work`, which says what it is at. Short work says nothing. */
export async function withProgress<Result>(parts: ProgressParts, work: (say: (text: string) => void) => Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const at = { text: '' };
  const shown = show(parts, at, over.signal);
  try {
    return await work((text) => {
      at.text = text;
    });
  } finally {
    over.abort();
    await shown;
  }
}

async function show({ clock, stream }: ProgressParts, at: { readonly text: string }, over: AbortSignal): Promise<void> {
  const isTerminal = stream.isTTY === true;
  const startedMs = clock.monotonicMs();
  for (;;) {
    await clock.sleep(isTerminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS, over);
    if (over.aborted) break;
    const line = `${Math.floor((clock.monotonicMs() - startedMs) / 1000)} s: ${at.text}`;
    stream.write(isTerminal ? `${ERASE_LINE}${line}` : `${line}\n`);
  }
  if (isTerminal) stream.write(ERASE_LINE);
}
