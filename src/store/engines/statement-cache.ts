/** Prepared statements of one connection, kept: preparing costs twice what running does. */
import type Database from 'better-sqlite3';

/** Distinct statements are few: the cache never forgets in practice, and is bounded all the same. */
const STATEMENTS_MAX = 2_000;

/**
 * SQLite built with STAT4 plans a statement anew at every run whose parameters it looked at while planning: around 10 µs
 * each time, several times the run itself. Behind an operator it does not look at them.
 * https://www.sqlite.org/c3ref/prepare.html
 */
function withOpaqueParameters(text: string): string {
  return text
    .replaceAll(' limit ?', ' limit (? + 0)')
    .replaceAll(/ (=|<|<=|>|>=|!=) \?/g, ' $1 +?')
    .replaceAll(/ in \(\?(?:, \?)*\)/g, (list) => list.replaceAll('?', '+?'));
}

export class StatementCache {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  prepared = 0;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  prepare(text: string): Database.Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    const statement = this.#database.prepare(withOpaqueParameters(text));
    this.prepared += 1;
    this.#statements.set(text, statement);
    return statement;
  }
}
