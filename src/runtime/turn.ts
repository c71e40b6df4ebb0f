/**
 * A turn of the event loop, for work that would otherwise run from one microtask to the next. What the platform gives for
 * that is taken once: a test that puts false timers in its place later does not stop what it tests.
 */
const immediate = typeof setImmediate === 'function' ? setImmediate : null;
const tick = typeof process === 'undefined' ? null : process.nextTick;

export function nextTurn(): Promise<void> {
  return new Promise(atTurnEnd);
}

/** Ends once everything that is ready to run has run, before the event loop looks for anything new. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    if (tick === null) atTurnEnd(resolve);
    else tick(resolve);
  });
}

/** Calls back at the end of this turn of the event loop: in a browser, as soon as a timer may fire. */
export function atTurnEnd(callback: () => void): void {
  if (immediate !== null) immediate(callback);
  else setTimeout(callback, 0);
}
