/** A generator whose reader may leave at any moment: it ends at once, also while it waits for what comes next. */

/** What `generate` makes, with a signal that aborts when the reader leaves or the given signal does. */
export function leavable<Item>(
  signal: AbortSignal | undefined,
  generate: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  const left = new AbortController();
  const items = generate(signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]));
  const end = items.return.bind(items);
  // On its own a generator first finishes what it waits for, which may be never.
  items.return = (value) => {
    left.abort();
    return end(value);
  };
  return items;
}
