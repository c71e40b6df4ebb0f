/**
 * The dialect inside of transactions. SQLite would keep a copy of every page that an insert of many rows changes, to undo the
 * statement alone where a constraint refuses one of them. Here that is a defect, which undoes the transaction anyway: so it
 * is told to, and copies nothing. https://www.sqlite.org/lang_conflict.html
 */
import { type InsertQueryNode, OrActionNode, type QueryCompiler, SqliteDialect, SqliteQueryCompiler, ValuesNode } from 'kysely';

export class WritingDialect extends SqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    return new WritingCompiler();
  }
}

class WritingCompiler extends SqliteQueryCompiler {
  protected override visitInsertQuery(node: InsertQueryNode): void {
    super.visitInsertQuery(isOfManyRows(node) && saysNothingOfConflicts(node) ? { ...node, orAction: OrActionNode.create('rollback') } : node);
  }
}

function isOfManyRows({ values }: InsertQueryNode): boolean {
  return values !== undefined && !(ValuesNode.is(values) && values.values.length === 1);
}

function saysNothingOfConflicts({ onConflict, orAction }: InsertQueryNode): boolean {
  return onConflict === undefined && orAction === undefined;
}
