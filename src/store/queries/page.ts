/** Keyset pages: what every list shares. */
import type { Page } from '../answers.ts';
import type { PageKey, PageRequest } from '../requests.ts';

/** Reads one row more than asked for, so that a page knows whether another follows. */
export function rowsToRead({ limit }: PageRequest): number {
  return limit + 1;
}

/** The names, some of them twice: lists of so few lengths make few statements. */
export function rowsPadded(names: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(names.length));
  return [...names, ...Array.from({ length: length - names.length }, () => names[0] ?? '')];
}

/** Rows as they came from the database (nearest first when reading from the end) to a page in the order asked for. */
export function pageOf<Raw, Row>(
  raw: readonly Raw[],
  { after, before, limit, fromEnd }: PageRequest,
  keyOf: (raw: Raw) => PageKey,
  rowOf: (raw: Raw) => Row,
): Page<Row> {
  const isMore = raw.length > limit;
  const kept = raw.slice(0, limit);
  const ordered = fromEnd ? kept.toReversed() : kept;
  return {
    rows: ordered.map((item) => ({ key: keyOf(item), row: rowOf(item) })),
    hasNext: fromEnd ? before !== null : isMore,
    hasPrevious: fromEnd ? isMore : after !== null,
  };
}
