/** Rows keep their place while a person reads them: another order is offered, never taken. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface HeldOrder<Row> {
  readonly rows: readonly Row[];
  /** How many rows would stand elsewhere, or come or go. */
  readonly moving: number;
  readonly apply: () => void;
}

/** The rows in the order that was first shown, with what is known of each now. `key` names the list: another list begins anew. */
export function useHeldOrder<Row>(key: string, latest: readonly Row[] | null, keyOf: (row: Row) => string): HeldOrder<Row> {
  const held = useSignal<readonly string[]>([]);
  const wanted = (latest ?? []).map(keyOf);
  const apply = (): void => {
    held.value = wanted;
  };
  const isFirst = held.value.length === 0 && wanted.length > 0;
  useEffect(() => {
    held.value = [];
  }, [key, held]);
  useEffect(() => {
    if (isFirst) held.value = wanted;
  }, [isFirst]);

  const byKey = new Map((latest ?? []).map((row) => [keyOf(row), row]));
  const order = held.value.length === 0 ? wanted : held.value;
  const rows = order.map((each) => byKey.get(each)).filter((row) => row !== undefined);
  return { rows, moving: movingRows(order, wanted), apply };
}

/** Rows whose place differs between two orders. */
export function movingRows(order: readonly string[], wanted: readonly string[]): number {
  const longest = Math.max(order.length, wanted.length);
  let moving = 0;
  for (let place = 0; place < longest; place++) if (order[place] !== wanted[place]) moving += 1;
  return moving;
}
