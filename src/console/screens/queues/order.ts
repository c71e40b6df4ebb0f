/** Rows keep their place while a person reads them: another order is offered, never taken. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface HeldOrder<Row> {
  readonly rows: readonly Row[];
  /** How many rows would stand elsewhere, or come or go. */
  readonly moving: number;
  readonly apply: () => void;
}

interface Held {
  readonly key: string | null;
  readonly order: readonly string[];
}

/** The rows in the order that was first shown, with what is known of each now. `key` names the list that they are of: another list begins anew. */
export function useHeldOrder<Row>(key: string | null, latest: readonly Row[] | null, keyOf: (row: Row) => string): HeldOrder<Row> {
  const held = useSignal<Held>({ key: null, order: [] });
  const wanted = (latest ?? []).map(keyOf);
  const apply = (): void => {
    held.value = { key, order: wanted };
  };
  const isHeld = held.value.key === key && held.value.order.length > 0;
  useEffect(() => {
    if (!isHeld && wanted.length > 0) apply();
  });

  const byKey = new Map((latest ?? []).map((row) => [keyOf(row), row]));
  const order = isHeld ? held.value.order : wanted;
  const rows = order.map((each) => byKey.get(each)).filter((row) => row !== undefined);
  return { rows, moving: movingRows(order, wanted), apply };
}

/** Rows whose place differs between two orders. */
function movingRows(order: readonly string[], wanted: readonly string[]): number {
  const longest = Math.max(order.length, wanted.length);
  let moving = 0;
  for (let place = 0; place < longest; place++) if (order[place] !== wanted[place]) moving += 1;
  return moving;
}
