/** How far a long command is: one line on standard error that is written anew on a terminal, or a line now and then elsewhere. */
import type { Clock } from '../runtime/clock.ts';
import { visible } from './visible-text.ts';

const REWRITE_MS_MIN = 100;
const LINE_MS_MIN = 10_000;
/** To the start of the line, and everything in it away. */
const CLEAR = '\r\x1b[2K';

export interface ProgressParts {
  readonly clock: Clock;
  /** Standard error. */
  readonly stream: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };
  /** False with `--quiet` and with `--json`: nothing is written. */
  readonly isWanted: boolean;
}

export interface Progress {
  /** The newest state. It is written where the last one was long enough ago. */
  update(text: string): void;
  /** Takes the line away. To be called before anything else is written, and at the end. */
  clear(): void;
}

export function createProgress({ clock, stream, isWanted }: ProgressParts): Progress {
  const isTerminal = stream.isTTY === true;
  const everyMs = isTerminal ? REWRITE_MS_MIN : LINE_MS_MIN;
  // A terminal shows the start at once; a log has no use for it.
  let dueMs = clock.monotonicMs() + (isTerminal ? 0 : everyMs);
  let isShown = false;
  return {
    update(text) {
      const nowMs = clock.monotonicMs();
      if (!isWanted || nowMs < dueMs) return;
      dueMs = nowMs + everyMs;
      stream.write(isTerminal ? `${CLEAR}${fitting(visible(text), stream.columns)}` : `${visible(text)}\n`);
      isShown = isTerminal;
    },
    clear() {
      if (isShown) stream.write(CLEAR);
      isShown = false;
    },
  };
}

/** A line that wraps could not be taken back. */
function fitting(text: string, columns = 80): string {
  const characters = Array.from(text);
  return characters.length < columns ? text : `${characters.slice(0, Math.max(1, columns - 2)).join('')}…`;
}
