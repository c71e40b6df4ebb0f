/** A clock that stands still until a test moves it, and begins at the same instant in every test. */
import { VirtualClock } from '../../src/testing/virtual-clock.ts';

/** Where every test starts: 2026-03-01T00:00:00.000Z. */
export const T0_MS = Date.UTC(2026, 2, 1);

export class ManualClock extends VirtualClock {
  constructor(startMs: number = T0_MS) {
    super(startMs);
  }
}

/** Lets a clock go on until it is disposed of, no faster than the real one: a read that the machine is slow at is not out of time. */
export function goOn(clock: ManualClock): Disposable {
  const timer = setInterval(() => clock.advance(10), 10);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
