/** A turn of the event loop, for work that would otherwise run from one microtask to the next. */

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
