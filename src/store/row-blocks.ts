/**
 * Rows that are inserted together: one statement opens a table and its indexes once for all of them, and each row brings
 * only the values in which it differs.
 */
import { type Compilable, type Kysely, sql } from 'kysely';
import { type Statement, statement } from './statements.ts';
import type { Tables } from './tables.ts';

/** Columns by their values, always in the same order. They are read one by one, which is faster than by a list of names. */
type Columns<Row> = (row: Row) => readonly unknown[];

export interface BlockParts<Row> {
  readonly table: 'jobs' | 'events';
  /** Alike in all rows of a block. */
  readonly shared: Columns<Row>;
  /** In which they may differ, other than that one is null and another is not. */
  readonly own: Columns<Row>;
}

/** Runs as it is: the values are those of the statement's places, in order. */
export interface BlockInsert {
  readonly statement: Statement<readonly unknown[], unknown>;
  readonly values: readonly unknown[];
  readonly rows: number;
}

/** Of what is done in blocks: few, since a statement is kept for each. */
export const BLOCK_SIZES = [64, 32, 16, 8, 4, 2, 1] as const;

interface Cells {
  readonly shared: readonly unknown[];
  readonly own: readonly unknown[];
}

export class RowBlocks<Row extends object> {
  readonly #parts: BlockParts<Row>;
  /** By how many rows, and which columns are null. */
  readonly #known = new Map<string, Statement<readonly unknown[], unknown>>();

  constructor(parts: BlockParts<Row>) {
    this.#parts = parts;
  }

  /** All rows in their order, in a new block where one differs in more than its own columns. */
  inserts(rows: readonly Row[]): readonly BlockInsert[] {
    const { shared, own } = this.#parts;
    const cells = rows.map((row): Cells => ({ shared: shared(row), own: own(row) }));
    const inserts: BlockInsert[] = [];
    for (let from = 0; from < cells.length; from += inserts.at(-1)?.rows ?? 1) {
      const alike = countAlike(cells, from);
      const size = BLOCK_SIZES.find((one) => one <= alike) ?? 1;
      inserts.push(this.#insertOf(cells.slice(from, from + size)));
    }
    return inserts;
  }

  #insertOf(block: readonly Cells[]): BlockInsert {
    const like = block[0];
    if (like === undefined) throw new Error('a block has a row at least');
    const key = `${block.length} ${nullsOf(like.shared)} ${nullsOf(like.own)}`;
    const found = this.#known.get(key) ?? statement((db, places: readonly unknown[]) => this.#build(db, like, places, block.length));
    this.#known.set(key, found);
    const values = like.shared.filter(isGiven);
    for (const { own } of block) for (const value of own) if (value !== null) values.push(value);
    return { statement: found, values, rows: block.length };
  }

  /** `like` tells which columns are null in all rows. */
  #build(db: Kysely<Tables>, like: Cells, places: readonly unknown[], rows: number): Compilable {
    let next = 0;
    const place = (value: unknown) => (value === null ? sql`null` : sql`${places[next++]}`);
    const shared = like.shared.map(place);
    const given = like.own.filter(isGiven);
    const values = Array.from({ length: rows }, () => sql`(${sql.join(given.map(place))})`);
    let column = 0;
    const own = like.own.map((value) => (value === null ? sql`null` : sql.ref(`made.column${++column}`)));
    const names = namesIn(this.#parts);
    const made = db.selectFrom(sql<Record<string, unknown>>`(values ${sql.join(values)})`.as('made'));
    const cells = made.select([...shared, ...own].map((cell, index) => cell.as(names[index] ?? '')));
    return db
      .insertInto(this.#parts.table)
      .columns(names as never)
      .expression(cells as never);
  }
}

const NAMES: object = new Proxy({}, { get: (_row, name) => name });

function namesIn<Row>({ shared, own }: BlockParts<Row>): readonly string[] {
  return [...shared(NAMES as Row), ...own(NAMES as Row)].map(String);
}

function isGiven(value: unknown): boolean {
  return value !== null;
}

function nullsOf(cells: readonly unknown[]): number {
  let nulls = 0;
  for (const [index, value] of cells.entries()) if (value === null) nulls |= 1 << index;
  return nulls;
}

function countAlike(cells: readonly Cells[], from: number): number {
  const first = cells[from];
  let end = from + 1;
  while (end < cells.length && end - from < BLOCK_SIZES[0] && areAlike(first, cells[end])) end++;
  return end - from;
}

function areAlike(a: Cells | undefined, b: Cells | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  for (let index = 0; index < a.shared.length; index++) if (a.shared[index] !== b.shared[index]) return false;
  for (let index = 0; index < a.own.length; index++) if ((a.own[index] === null) !== (b.own[index] === null)) return false;
  return true;
}
