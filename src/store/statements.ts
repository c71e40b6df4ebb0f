/**
 * Statements that Kysely builds once and that then run many times with other values: building one costs more than
 * running it. Reads and writes of the hot paths go this way; rare ones may ask Kysely each time.
 */
import { type Compilable, type CompiledQuery, type Kysely, sql } from 'kysely';
import type { Engine } from './engines/engine.ts';
import { Slot } from './slot.ts';
import type { Tables } from './tables.ts';
import { isTenantText } from './tenant-scope.ts';

/** `values` stands for what a run will be given; use each as a value only, since it is not known when the statement is built. */
type Build<Values, Row> = (db: Kysely<Tables>, values: Values) => Compilable<Row>;

export interface Statement<Values, Row> {
  readonly build: Build<Values, Row>;
}

export function statement<Values extends object, Row>(build: Build<Values, Row>): Statement<Values, Row> {
  return { build };
}

/** One statement for each number of things that it is about, which has to be one of few. */
export function perCount<Values, Row>(build: (count: number) => Statement<Values, Row>): (count: number) => Statement<Values, Row> {
  const known = new Map<number, Statement<Values, Row>>();
  return (count) => {
    const found = known.get(count) ?? build(count);
    known.set(count, found);
    return found;
  };
}

type Shaped<Row extends object, More extends object> = (row: Row) => Statement<Row & More, unknown>;

/**
 * One statement for each shape of a row: which of the columns (31 at most) it has, and which of them are null. A null is
 * written into the statement, since binding it costs more than storing it. Shapes are few: they follow from the code.
 */
export function perShape<Row extends object, More extends object = object>(
  columns: readonly (keyof Row & string)[],
  build: (db: Kysely<Tables>, row: Row, values: More) => Compilable,
): Shaped<Row, More> {
  const known = new Map<number, Map<number, Statement<Row & More, unknown>>>();
  return (row) => {
    let [given, nulls] = [0, 0];
    for (let index = 0; index < columns.length; index++) {
      const value = row[columns[index] as keyof Row];
      if (value !== undefined) given |= 1 << index;
      if (value === null) nulls |= 1 << index;
    }
    const similar = known.get(given) ?? new Map<number, Statement<Row & More, unknown>>();
    const found = similar.get(nulls) ?? statement((db, values: Row & More) => build(db, slotsOf(columns, row, values), values));
    known.set(given, similar.set(nulls, found));
    return found;
  };
}

function slotsOf<Row extends object>(columns: readonly (keyof Row & string)[], row: Row, values: Row): Row {
  const given = columns.filter((name) => row[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, row[name] === null ? sql`null` : values[name]])) as Row;
}

type Filled = Readonly<Record<string, unknown>>;

interface Compiled {
  readonly query: CompiledQuery;
  readonly fill: (values: Filled) => readonly unknown[];
}

function compile({ build }: Statement<never, unknown>, db: Kysely<Tables>): Compiled {
  const places = new Proxy({}, { get: (_target, name) => new Slot(String(name)) });
  const query = build(db, places as never).compile();
  const { parameters } = query;
  const names = parameters.map((parameter) => (parameter instanceof Slot ? parameter.name : null));
  const tenants = [...new Set(parameters.flatMap((parameter) => (parameter instanceof Slot && parameter.isTenant ? [parameter.name] : [])))];
  // Values that stand as they are needed.
  const isList = names.length > 0 && names.every((name, index) => name === String(index));
  const fill: Compiled['fill'] = (values) => {
    for (const name of tenants) if (!isTenantText(values[name])) throw new Error(`a statement was run without its tenant: ${query.sql}`);
    if (isList) return values as unknown as readonly unknown[];
    return names.map((name, index) => (name === null ? parameters[index] : values[name]));
  };
  return { query, fill };
}

const compiledOf = new WeakMap<Engine, Map<Statement<never, unknown>, Compiled>>();

function compiledFor(engine: Engine): Map<Statement<never, unknown>, Compiled> {
  const known = compiledOf.get(engine) ?? new Map<Statement<never, unknown>, Compiled>();
  compiledOf.set(engine, known);
  return known;
}

/** What an engine may answer at once or later. */
export type Soon<Value> = Value | Promise<Value>;

/** Runs statements inside one open transaction. */
export class Session {
  readonly #engine: Engine;
  readonly #db: Kysely<Tables>;
  readonly #compiled: Map<Statement<never, unknown>, Compiled>;

  constructor(engine: Engine, db: Kysely<Tables>) {
    this.#engine = engine;
    this.#db = db;
    this.#compiled = compiledFor(engine);
  }

  /** Every row that a statement answers. */
  all<Values extends object, Row>(asked: Statement<Values, Row>, values: Values): Soon<readonly Row[]> {
    const { query, fill } = this.#compile(asked);
    return this.#engine.rows(this.#db, query, fill(values as Filled)) as Soon<readonly Row[]>;
  }

  /** The first row; null where there is none. */
  first<Values extends object, Row>(asked: Statement<Values, Row>, values: Values): Soon<Row | null> {
    const rows = this.all(asked, values);
    return rows instanceof Promise ? rows.then(([row]) => row ?? null) : (rows[0] ?? null);
  }

  /** Runs a statement that answers no rows; answers how many rows it changed. */
  change<Values extends object>(asked: Statement<Values, unknown>, values: Values): Soon<number> {
    const { query, fill } = this.#compile(asked);
    return this.#engine.change(this.#db, query, fill(values as Filled));
  }

  /** Inserts so many rows; answers their serial keys, in the order of the rows. */
  insert<Values extends object>(asked: Statement<Values, unknown>, values: Values, rows: number): Soon<readonly number[]> {
    const { query, fill } = this.#compile(asked);
    return this.#engine.insert(this.#db, query, fill(values as Filled), rows);
  }

  #compile(asked: Statement<never, unknown>): Compiled {
    const known = this.#compiled.get(asked);
    if (known !== undefined) return known;
    const fresh = compile(asked, this.#db);
    this.#compiled.set(asked, fresh);
    return fresh;
  }
}
