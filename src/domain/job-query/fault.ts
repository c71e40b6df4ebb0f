/** Why a text is no query: where, what is wrong, and what could stand there. */

export interface QueryFault {
  /** Of the first character that is wrong, counted from 1. */
  readonly column: number;
  readonly message: string;
  /** Texts that could stand there; empty where there are too many. */
  readonly possible: readonly string[];
}

/** Thrown within the parser only. */
export class NoQuery extends Error {
  readonly fault: QueryFault;

  /** `at` counts from 0. */
  constructor(at: number, message: string, possible: readonly string[] = []) {
    super(message);
    this.fault = { column: at + 1, message, possible };
  }
}
