/** Letting everything happen that can happen now, without waiting for any clock. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Enough turns of the event loop for a chain of commits, wake-ups and reads to run to its end. */
export async function settleDown(turns = 40): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}

/** A promise with a look at whether it is over. */
export interface Watched<Result> {
  readonly promise: Promise<Result>;
  isOver(): boolean;
}

export function watch<Result>(promise: Promise<Result>): Watched<Result> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  promise.then(end, end);
  return { promise, isOver: () => isOver };
}
