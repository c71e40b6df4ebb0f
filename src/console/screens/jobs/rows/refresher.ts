/** Reads rows again that have changed: together, and not oftener than a person can follow. */
import type { JobRowFragment } from '../../../../client/index.ts';
import { TenJobRowsDocument } from '../../../../client/generated/graphql.ts';
import { systemClock } from '../../../../runtime/clock.ts';
import { heardOfError, lq } from '../../../api/session.ts';

/** Null: the job is gone. */
export type Rereads = readonly (readonly [id: string, row: JobRowFragment | null])[];

const EVERY_MS = 1_000;
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] as const;

export class RowRefresher {
  readonly #onRead: (rows: Rereads) => void;
  readonly #over = new AbortController();
  #changed = new Set<string>();
  #isRunning = false;

  constructor(onRead: (rows: Rereads) => void) {
    this.#onRead = onRead;
  }

  changed(ids: readonly string[]): void {
    for (const id of ids) this.#changed.add(id);
    if (!this.#isRunning) void this.#run();
  }

  close(): void {
    this.#over.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    this.#isRunning = true;
    while (this.#changed.size > 0 && !signal.aborted) {
      await this.#readAll(signal);
      await systemClock.sleep(EVERY_MS, signal);
    }
    this.#isRunning = false;
  }

  async #readAll(signal: AbortSignal): Promise<void> {
    const ids = [...this.#changed];
    this.#changed = new Set();
    const tens = Array.from({ length: Math.ceil(ids.length / LETTERS.length) }, (_, index) => ids.slice(index * LETTERS.length, (index + 1) * LETTERS.length));
    try {
      const read = await Promise.all(tens.map((ten) => readTen(ten, signal)));
      if (!signal.aborted) this.#onRead(read.flat());
    } catch (error) {
      if (signal.aborted) return;
      heardOfError(error);
      // As they are still: the next round tries them again.
      for (const id of ids) this.#changed.add(id);
    }
  }
}

async function readTen(ids: readonly string[], signal: AbortSignal): Promise<Rereads> {
  const [first = ''] = ids;
  const variables = Object.fromEntries(LETTERS.map((letter, index) => [letter, ids[index] ?? first])) as Record<(typeof LETTERS)[number], string>;
  const answer = await lq.value.caller.call(TenJobRowsDocument, variables, { isRepeatable: true, signal });
  return ids.map((id, index) => [id, answer[LETTERS[index] ?? 'a']] as const);
}
