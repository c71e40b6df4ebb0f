/** What must be taken back because nobody got to know of it. A stop waits for it. */
import type { Logger } from '../runtime/logger.ts';

export class Undoing {
  readonly #log: Logger;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Starts it; a failure is logged, since its lease then ends by itself. */
  run(undo: () => Promise<void>): void {
    const running = undo()
      .catch((error: unknown) => this.#log.warn('an answer that nobody got could not be taken back', { error }))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
