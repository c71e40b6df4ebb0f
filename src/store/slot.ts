/** The place of a value in a statement that is built once. */

/** Each run fills in the value of this name. */
export class Slot {
  readonly name: string;
  /** Set by the guard: the value says whose rows the statement touches. */
  isTenant = false;
  constructor(name: string) {
    this.name = name;
  }
}
