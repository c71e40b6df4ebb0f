/**
 * Rows that are inserted together: one statement opens a table and its indexes once for all of them, and each row brings
 * only the values in which it differs.
 */
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import { inBlocks } from './blocks.ts';
import { type Statement, statement } from './statements.ts';
import type { Tables } from './tables.ts';

/** Columns by their values, always in the same order. They are read one by one, which is faster than by a list of names. */
type Columns<Row> = (row: Row) => readonly unknown[];

export interface BlockParts<Row> {
  readonly table: 'jobs' | 'events' | 'attempts';
  /** Each is either shared or own. */
  readonly columns: readonly (keyof Row & string)[];
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

interface Cells {
  readonly shared: readonly unknown[];
  readonly own: readonly unknown[];
}

/** Which of the cells are not null. */
interface Given {
  readonly shared: readonly boolean[];
  readonly own: readonly boolean[];
}

export class RowBlocks<Row extends object> {
  readonly #parts: BlockParts<Row>;
  readonly #names: readonly string[];
  /** By how many rows, and which columns are null. */
  readonly #known = new Map<string, Statement<readonly unknown[], unknown>>();

  constructor(parts: BlockParts<Row>) {
    this.#parts = parts;
    this.#names = namesIn(parts);
  }

  /** All rows in their order, in a new block where one differs in more than its own columns. */
  inserts(rows: readonly Row[]): readonly BlockInsert[] {
    const { shared, own } = this.#parts;
    const cells = rows.map((row): Cells => ({ shared: shared(row), own: own(row) }));
    return alikeInRow(cells)
      .flatMap((alike) => inBlocks(alike))
      .map((block) => this.#insertOf(block));
  }

  #insertOf(block: readonly Cells[]): BlockInsert {
    const like = block[0];
    if (like === undefined) throw new Error('a block has a row at least');
    const key = `${block.length} ${nullsOf(like.shared)} ${nullsOf(like.own)}`;
    const found = this.#known.get(key) ?? this.#statementFor(like, block.length);
    this.#known.set(key, found);
    const values = like.shared.filter(isGiven);
    for (const { own } of block) for (const value of own) if (value !== null) values.push(value);
    return { statement: found, values, rows: block.length };
  }

  /** Of the row it keeps which columns are null, as they are in the others: a statement lives as long as the process. */
  #statementFor(row: Cells, rows: number): BlockInsert['statement'] {
    const [shared, own] = [row.shared.map(isGiven), row.own.map(isGiven)];
    return statement((db, places: readonly unknown[]) => this.#build(db, { shared, own }, places, rows));
  }

  #build(db: Kysely<Tables>, given: Given, places: readonly unknown[], rows: number): Compilable {
    const place = placesInOrder(places);
    const shared = given.shared.map(place);
    const insert = db.insertInto(this.#parts.table);
    if (rows === 1) return insert.values(this.#named([...shared, ...given.own.map(place)]) as never);
    const values = Array.from({ length: rows }, () => sql`(${sql.join(given.own.filter(Boolean).map(place))})`);
    let column = 0;
    const own = given.own.map((isGivenThere) => (isGivenThere ? sql.ref(`made.column${++column}`) : NULL));
    const made = db.selectFrom(sql<Record<string, unknown>>`(values ${sql.join(values)})`.as('made'));
    const cells = Object.entries(this.#named([...shared, ...own])).map(([name, cell]) => cell.as(name));
    return insert.columns(this.#names as never).expression(made.select(cells) as never);
  }

  #named(cells: readonly RawBuilder<unknown>[]): Readonly<Record<string, RawBuilder<unknown>>> {
    return Object.fromEntries(cells.map((cell, index) => [this.#names[index] ?? '', cell]));
  }
}

const NULL = sql`null`;

/** The next place for each value that is given, which null is not. */
function placesInOrder(places: readonly unknown[]): (isGivenThere: boolean) => RawBuilder<unknown> {
  let next = 0;
  return (isGivenThere) => (isGivenThere ? sql`${places[next++]}` : NULL);
}

const NAMES: object = new Proxy({}, { get: (_row, name) => name });

/** Throws where a column is missing, or there twice. */
function namesIn<Row>({ table, columns, shared, own }: BlockParts<Row>): readonly string[] {
  const names = [...shared(NAMES as Row), ...own(NAMES as Row)].map(String);
  if (names.toSorted().join() !== [...columns].toSorted().join()) throw new Error(`a row of ${table} is written as ${names.join(', ')}`);
  return names;
}

function isGiven(value: unknown): boolean {
  return value !== null;
}

function nullsOf(cells: readonly unknown[]): number {
  let nulls = 0;
  for (const [index, value] of cells.entries()) if (value === null) nulls |= 1 << index;
  return nulls;
}

/** Cut where one is not like the one before it. */
function alikeInRow(cells: readonly Cells[]): readonly (readonly Cells[])[] {
  const runs: Cells[][] = [];
  let before: Cells | null = null;
  for (const one of cells) {
    if (before !== null && areAlike(before, one)) runs.at(-1)?.push(one);
    else runs.push([one]);
    before = one;
  }
  return runs;
}

function areAlike(a: Cells, b: Cells): boolean {
  for (let index = 0; index < a.shared.length; index++) if (a.shared[index] !== b.shared[index]) return false;
  for (let index = 0; index < a.own.length; index++) if ((a.own[index] === null) !== (b.own[index] === null)) return false;
  return true;
}
