/** A scenario, once read: what is done when, what must come back, and what must hold in between. */

/** A value of an option or a fact, already in its normal form: durations in milliseconds, JSON in canonical form. */
export type Value = string | number | true;
export type Values = ReadonlyMap<string, Value>;

/** A job and the token with which somebody settles it. */
export interface Holder {
  readonly label: string;
  /** Name of a token that a claim has shown, or the very text that is sent. */
  readonly token: { readonly name: string } | { readonly text: string };
}

export interface Command {
  readonly verb: string;
  /** Jobs or queues that it is about. */
  readonly subjects: readonly string[];
  readonly holders: readonly Holder[];
  readonly options: Values;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** One item of an answer. */
export interface Expected {
  readonly label: string | null;
  readonly facts: Values;
}

interface Placed {
  readonly line: number;
  /** As written, for messages. */
  readonly text: string;
  readonly atMs: number;
  readonly tenant: string;
}
export interface CommandStep extends Placed {
  readonly kind: 'command';
  readonly command: Command;
  /** Null where the answer does not matter. */
  readonly expected: readonly Expected[] | null;
}
export interface CheckStep extends Placed {
  readonly kind: 'check';
  readonly check: string;
  readonly subjects: readonly string[];
  readonly words: readonly string[];
  readonly facts: Values;
}
export type Step = CommandStep | CheckStep;

export interface Scenario {
  readonly file: string;
  readonly title: string;
  /** In the order in which they happen. */
  readonly steps: readonly Step[];
}

export class ScenarioError extends Error {
  constructor(file: string, line: number, text: string, message: string) {
    super(`${file}:${line}: ${message}\n    ${text.trim()}`);
    this.name = 'ScenarioError';
  }
}
