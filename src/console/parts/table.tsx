/** A table of rows that are told apart by a key: read by eye, by keyboard and by screen readers alike. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useKey } from './use-key.ts';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Left out where there is little room; the page of the row has it. */
  readonly isMinor?: boolean;
  /** Takes the room that others leave, and is cut where that is little. */
  readonly isWide?: boolean;
}

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

interface TableProps<Row> {
  /** What it lists, for screen readers. */
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The first cell of a row should hold the link that opens it. */
  readonly columns: readonly Column<Row>[];
  readonly selection?: Selection | undefined;
  /** Draws attention to a row. */
  readonly toneOf?: ((row: Row) => string | undefined) | undefined;
  /** True while other rows are awaited. */
  readonly isWaiting?: boolean | undefined;
}

const cellClass = ({ isNumber, isMinor, isWide }: Column<never>): string =>
  [isNumber === true && 'number', isMinor === true && 'minor', isWide === true && 'wide'].filter(Boolean).join(' ');

export function Table<Row>({ caption, rows, keyOf, columns, selection, toneOf, isWaiting = false }: TableProps<Row>) {
  const place = useRef<HTMLTableSectionElement>(null);
  useRowKeys(place, rows.map(keyOf), selection);
  return (
    <div class="table-room" role="region" aria-label={caption} tabIndex={0} aria-busy={isWaiting}>
      <table class="table">
        <caption class="hidden-words">{caption}</caption>
        <thead>
          <tr>
            {selection === undefined ? null : (
              <th class="tick-cell" scope="col">
                <SelectAll keys={rows.map(keyOf)} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.name} scope="col" class={cellClass(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={place}>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-tone={toneOf?.(row)} data-selected={selection?.keys.has(keyOf(row))}>
              {selection === undefined ? null : <SelectCell id={keyOf(row)} selection={selection} />}
              {columns.map((column) => (
                <td key={column.name} class={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toggled({ keys, onChange }: Selection, key: string): void {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  onChange(next);
}

function SelectCell({ id, selection }: { readonly id: string; readonly selection: Selection }) {
  return (
    <td class="tick-cell">
      <input type="checkbox" aria-label={`Select ${id}`} checked={selection.keys.has(id)} onChange={() => toggled(selection, id)} />
    </td>
  );
}

function SelectAll({ keys, selection }: { readonly keys: readonly string[]; readonly selection: Selection }) {
  const isAll = keys.length > 0 && keys.every((key) => selection.keys.has(key));
  const others = [...selection.keys].filter((key) => !keys.includes(key));
  const toggle = (): void => selection.onChange(new Set(isAll ? others : [...others, ...keys]));
  return <input type="checkbox" aria-label="Select every row of this page" checked={isAll} onChange={toggle} />;
}

/** `j` and `k` from row to row, `x` selects. */
export function useRowKeys(place: { readonly current: HTMLTableSectionElement | null }, keys: readonly string[], selection: Selection | undefined): void {
  const rows = (): readonly HTMLTableRowElement[] => [...(place.current?.rows ?? [])];
  const currentRow = (): number => rows().findIndex((row) => row.contains(document.activeElement));
  const step = (by: 1 | -1): void => {
    const all = rows();
    const at = currentRow();
    const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by];
    // The link first, so that Enter opens the row.
    (next?.querySelector<HTMLElement>('a') ?? next?.querySelector<HTMLElement>('button, input'))?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKey('j', () => step(1));
  useKey('k', () => step(-1));
  useKey('x', () => {
    const key = keys[currentRow()];
    if (selection !== undefined && key !== undefined) toggled(selection, key);
  });
}
