/** Whether anything still happens: counted wherever work passes, so that nobody has to guess how long to wait. */
import { nextTurn } from '../runtime/turn.ts';

/** Turns of the event loop without a sign of work after which none is left. A request is silent for one at most. */
const QUIET_TURNS = 8;
/** Something that goes on for ever without time passing is a defect; so many turns take some seconds. */
const TURNS_MAX = 1_000_000;

export class Activity {
  #signs = 0;

  readonly note = (): void => {
    this.#signs += 1;
  };

  /** Ends once everything that can happen without time passing has happened. */
  async settled(): Promise<void> {
    let quietTurns = 0;
    for (let turn = 0; quietTurns < QUIET_TURNS; turn++) {
      if (turn >= TURNS_MAX) throw new Error('The test queue does not come to rest: something asks again and again without letting time pass.');
      const signs = this.#signs;
      await nextTurn();
      quietTurns = signs === this.#signs ? quietTurns + 1 : 0;
    }
  }
}
