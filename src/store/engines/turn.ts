/** Whose turn it is at something that one may use at a time: first come, first served. */
export class Turn {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Null: it is the caller's at once. Whoever has it must `end` it. */
  take(): Promise<void> | null {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return null;
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
