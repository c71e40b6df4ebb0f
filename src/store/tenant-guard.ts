/**
 * Refuses every statement that touches a table of tenants without saying whose rows it means. It looks at the tree of the
 * statement, before there is text.
 *
 * What counts, for each select, update and delete, however deep in another one, and for each arm of a union: every
 * tenants' table that it names must have `tenant_id = <tenant>`, or equality with the `tenant_id` of another one that has,
 * among the conditions that hold of every row: in its `where`, or in the `on` of an inner join; the `on` of a left join
 * binds the table that it joins. A part that is built with `eb` may be bound to a table of the statement around it. An
 * insert must give the tenant in every row. No row changes its tenant, and one statement speaks of one tenant.
 *
 * What cannot be seen: the meaning of raw SQL, so that a fragment may not name a tenants' table at all, nor hold what would
 * reach beyond its own place, such as an `or` outside of parentheses; columns of what another query answers, so that
 * nothing is bound through them; and statements that were never a tree, which a test keeps out of the sources.
 */
import {
  type ColumnUpdateNode,
  CommonTableExpressionNameNode,
  ColumnNode,
  DeleteQueryNode,
  type Dialect,
  InsertQueryNode,
  Kysely,
  type KyselyPlugin,
  type OnConflictNode,
  type OperationNode,
  AliasNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  SelectAllNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  type ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import { strayIn, tableNamedIn, unwrapped } from './raw-fragments.ts';
import type { Tables } from './tables.ts';
import { isTenant, isTenantValue, nameOf, type Scope, type ScopedQuery, scopeOf, speakOf, type Spoken, tenantSource } from './tenant-scope.ts';
import { isTenantColumn, isTenantTable, TENANT_COLUMN } from './tenant-tables.ts';

/** Every handle of the database is made here, so that none is without the guard. */
export function guarded(dialect: Dialect): Kysely<Tables> {
  return new Kysely<Tables>({ dialect, plugins: [tenantGuard] });
}

/**
 * The one door for what is meant for all tenants at once: upkeep, figures of the whole server, migrations. Who may use it
 * is listed, with reasons, in the test of the architecture.
 */
export function acrossTenants<Schema>(db: Kysely<Schema>): Kysely<Schema> {
  return db.withoutPlugins();
}

const tenantGuard: KyselyPlugin = {
  transformQuery({ node }) {
    requireTenant(node);
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

/**
 * Selects that were found whole, with the tenant that they speak of. One that is built with a handle is looked at when it
 * becomes part of another one, and again with each that this becomes part of in turn: four times over for a list of jobs.
 */
const accepted = new WeakMap<OperationNode, Spoken['tenant']>();

/** Throws an error that says what is missing where the statement does not say whose rows it means. */
function requireTenant(node: RootOperationNode): void {
  const place: Place = { statement: node, scope: null, spoken: { tenant: null } };
  inspect(node, place);
  // Nothing else is a part of anything.
  if (SelectQueryNode.is(node)) accepted.set(node, place.spoken.tenant);
}

/** Where in a statement a node stands. */
interface Place {
  /** The innermost statement around it. */
  readonly statement: OperationNode;
  readonly scope: Scope | null;
  readonly spoken: Spoken;
}

function kindOf({ kind }: OperationNode): string {
  return kind.replace(/(Query)?Node$/, '').toLowerCase();
}

function refuse({ statement }: Place, table: string, missing: string): never {
  throw new Error(`the ${kindOf(statement)} statement touches the tenants' table '${table}' without its tenant: ${missing}`);
}

function inspect(node: OperationNode, place: Place): void {
  // A column is told by the name of its table, which is no further use of it.
  if (ReferenceNode.is(node)) return;
  if (SelectQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)) return inspectQuery(node, place);
  if (InsertQueryNode.is(node)) return inspectInsert(node, place);
  if (TableNode.is(node)) return inspectTable(node, place);
  if (CommonTableExpressionNameNode.is(node)) return inspectName(node, place);
  if (RawNode.is(node)) inspectRaw(node, place);
  inspectParts(node, place);
}

/** The tables of a statement are not to be seen from its `with` and from the other arms of its union: these stand `around` it. */
function inspectParts(node: OperationNode, place: Place, around: Place = place): void {
  for (const name in node) {
    const value: unknown = node[name as keyof OperationNode];
    const at = name === 'with' || name === 'setOperations' ? around : place;
    if (isNode(value)) inspect(value, at);
    else if (Array.isArray(value)) for (const part of value as readonly unknown[]) if (isNode(part)) inspect(part, at);
  }
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** A table that the scope knows was looked at with it; elsewhere none belongs. */
function inspectTable(node: TableNode, place: Place): void {
  if (!isTenantTable(nameOf(node)) || place.scope?.sources.some((source) => source.node === node)) return;
  refuse(place, nameOf(node), 'it is named where no condition can bind it');
}

function inspectQuery(node: ScopedQuery, around: Place): void {
  const known = accepted.get(node);
  if (known !== undefined) return speakOf(known, around.spoken);
  const scope = scopeOf(node, around.scope, around.spoken);
  const place: Place = { statement: node, scope, spoken: around.spoken };
  for (const { table, name, isBound } of scope.sources) {
    if (table !== null && !isBound)
      refuse(place, table, `nothing that holds of every row says "${name}.${TENANT_COLUMN} = …", with a tenant or the column of a table that has one`);
  }
  if (UpdateQueryNode.is(node)) for (const { table } of scope.sources) if (table !== null) refuseMove(node.updates, table, place);
  inspectParts(node, place, around);
}

function refuseMove(updates: readonly ColumnUpdateNode[] = [], table: string, place: Place): void {
  const moved = updates.find(({ column }) => isTenantColumn(columnName(column)));
  if (moved !== undefined) refuse(place, table, 'a row cannot change its tenant');
}

function columnName(node: OperationNode): string {
  if (ReferenceNode.is(node)) return columnName(node.column);
  return ColumnNode.is(node) ? node.column.name : '';
}

function inspectInsert(node: InsertQueryNode, around: Place): void {
  const place: Place = { ...around, statement: node };
  const table = node.into === undefined ? '' : nameOf(node.into);
  if (!isTenantTable(table) || node.into === undefined) return inspectParts(node, place);
  requireTenantOfRows(node, table, place);
  refuseTakeover(node, table, place);
  const { values, ...others } = node;
  if (values !== undefined) inspect(values, place);
  const written = { table, node: node.into, isBound: true };
  const scope: Scope = {
    sources: [
      { ...written, name: table },
      { ...written, name: 'excluded' },
    ],
    outer: around.scope,
  };
  inspectParts(others, { ...place, scope }, place);
}

function requireTenantOfRows({ columns = [], values }: InsertQueryNode, table: string, place: Place): void {
  const index = columns.findIndex((column) => isTenantColumn(columnName(column)));
  if (index === -1 || values === undefined) refuse(place, table, `it gives no ${TENANT_COLUMN}`);
  const hasTenant = ValuesNode.is(values)
    ? values.values.every((row) => rowHasTenant(row, index, place))
    : SelectQueryNode.is(values) && selectsTenant(values, index, place);
  if (!hasTenant) refuse(place, table, `not every row has a tenant as its ${TENANT_COLUMN}`);
}

function rowHasTenant(row: ValueListNode | PrimitiveValueListNode, index: number, { spoken }: Place): boolean {
  if (PrimitiveValueListNode.is(row)) return isTenant(row.values[index], spoken);
  const value = row.values[index];
  return value !== undefined && isTenantValue(value, spoken);
}

/** True where each arm of the query selects, in this place, a tenant or the column of a table; that table is bound, or refused. */
function selectsTenant(query: SelectQueryNode, index: number, place: Place): boolean {
  const selected = (query.selections ?? []).slice(0, index + 1).map(({ selection }) => (AliasNode.is(selection) ? selection.node : selection));
  const last = selected[index];
  if (last === undefined || selected.some((one) => SelectAllNode.is(one) || (ReferenceNode.is(one) && SelectAllNode.is(one.column)))) return false;
  const isTenants = isTenantValue(last, place.spoken) || tenantSource(last, scopeOf(query, place.scope, place.spoken)) !== null;
  return isTenants && (query.setOperations ?? []).every(({ expression }) => SelectQueryNode.is(expression) && selectsTenant(expression, index, place));
}

/** An insert may change a row that is there only where the conflict itself is within the tenant. */
function refuseTakeover({ replace, orAction, onDuplicateKey, onConflict }: InsertQueryNode, table: string, place: Place): void {
  if (replace === true || orAction?.action === 'replace' || onDuplicateKey !== undefined)
    refuse(place, table, 'the row that it replaces may be of another one');
  if (onConflict?.updates === undefined) return;
  if (!conflictIsWithinTenant(onConflict)) refuse(place, table, `the conflict is not by ${TENANT_COLUMN}, so that the row may be of another one`);
  refuseMove(onConflict.updates, table, place);
}

function conflictIsWithinTenant({ columns = [] }: OnConflictNode): boolean {
  return columns.some((column) => isTenantColumn(columnName(column)));
}

/** A query with the name of a table would have its columns taken for the table's. */
function inspectName({ table }: CommonTableExpressionNameNode, place: Place): void {
  if (isTenantTable(nameOf(table))) refuse(place, nameOf(table), 'a query of its own must not go by the name of the table');
}

function inspectRaw(node: RawNode, place: Place): void {
  const bare = unwrapped(node);
  // Most of it are literals.
  if (ValueNode.is(bare) && !isTenantTable(String(bare.value))) return;
  const table = tableNamedIn(node);
  if (table !== null) refuse(place, table, 'raw SQL names it, in which no condition can be seen; build that part of the statement instead');
  const stray = place.scope?.sources.some((source) => source.table !== null) ? strayIn(node) : null;
  if (stray !== null)
    throw new Error(`raw SQL in the ${kindOf(place.statement)} statement holds '${stray}', which may undo the conditions beside it: put it in parentheses`);
}
