/** A turn of the event loop, for work that would otherwise run from one microtask to the next. */

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Ends once everything that is ready to run has run, before the event loop looks for anything new. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

/** Calls back at the end of this turn of the event loop: in a browser, as soon as a timer may fire. */
export function atTurnEnd(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback);
  else setTimeout(callback, 0);
}
