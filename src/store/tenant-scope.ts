/** The tables that one select, update or delete works on, and which of them its conditions bind to a tenant. */
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  IdentifierNode,
  ListNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  ReferenceNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueNode,
} from 'kysely';
import { unwrapped } from './raw-fragments.ts';
import { Slot } from './slot.ts';
import { isTenantColumn, isTenantTable } from './tenant-tables.ts';

export type ScopedQuery = SelectQueryNode | UpdateQueryNode | DeleteQueryNode;

/** Something that rows come from, or that rows of are changed. */
export interface Source {
  /** By which columns name it. */
  readonly name: string;
  /** The tenants' table that it is; null for any other, and for what a query of its own answers. */
  readonly table: string | null;
  readonly node: OperationNode;
  isBound: boolean;
}

export interface Scope {
  readonly sources: readonly Source[];
  /** Of the statement that this one is a part of. */
  readonly outer: Scope | null;
}

/** The one tenant that a statement speaks of, once it is known. */
export interface Spoken {
  tenant: string | Slot | null;
}

/** A tenant as a value may be: text that is not blank. */
export function isTenantText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/**
 * True for a value that can be a tenant, now or, of a statement that is built once, at each run. Throws where the
 * statement speaks of another tenant already.
 */
export function isTenantValue(node: OperationNode, spoken: Spoken): boolean {
  const bare = unwrapped(node);
  return ValueNode.is(bare) && isTenant(bare.value, spoken);
}

export function isTenant(value: unknown, spoken: Spoken): boolean {
  if (!(value instanceof Slot) && !isTenantText(value)) return false;
  if (value instanceof Slot) value.isTenant = true;
  speakOf(value, spoken);
  return true;
}

/** Null is of no tenant in particular. Throws where it is another one than before. */
export function speakOf(tenant: Spoken['tenant'], spoken: Spoken): void {
  if (tenant === null) return;
  spoken.tenant ??= tenant;
  const [a, b] = [tenant, spoken.tenant];
  if (a instanceof Slot && b instanceof Slot ? a.name !== b.name : a !== b) throw new Error('a statement speaks of two tenants');
}

/** The source whose tenant the column says; null for every other expression, and where that cannot be told. */
export function tenantSource(node: OperationNode, scope: Scope): Source | null {
  if (ParensNode.is(node)) return tenantSource(node.node, scope);
  if (isWithNothingAppended(node)) return tenantSource(node.leftOperand, scope);
  const column = ReferenceNode.is(node) ? node.column : node;
  if (!ColumnNode.is(column) || !isTenantColumn(column.column.name)) return null;
  return named(ReferenceNode.is(node) && node.table !== undefined ? nameOf(node.table) : null, scope);
}

/** `tenant_id || ''` is the same text, and keeps a planner from choosing the index. */
function isWithNothingAppended(node: OperationNode): node is BinaryOperationNode {
  if (!BinaryOperationNode.is(node) || operatorOf(node) !== '||') return false;
  const appended = unwrapped(node.rightOperand);
  return ValueNode.is(appended) && appended.value === '';
}

function operatorOf({ operator }: BinaryOperationNode): string {
  return OperatorNode.is(operator) ? operator.operator : '';
}

export function nameOf(table: TableNode): string {
  return table.table.identifier.name.toLowerCase();
}

/** Null as the name: a column alone, which is of the only table of tenants that is near. */
function named(name: string | null, scope: Scope | null): Source | null {
  if (scope === null) return null;
  const { sources, outer } = scope;
  const found = sources.filter((source) => (name === null ? source.table !== null : source.name === name));
  if (found.length === 0 && (name !== null || sources.length === 0)) return named(name, outer);
  const [source] = found;
  return found.length === 1 && source !== undefined && source.table !== null ? source : null;
}

function sourcesOf(node: OperationNode, alias?: string): Source[] {
  if (ListNode.is(node)) return node.items.flatMap((item) => sourcesOf(item));
  if (AliasNode.is(node)) return sourcesOf(node.node, IdentifierNode.is(node.alias) ? node.alias.name.toLowerCase() : '');
  if (!TableNode.is(node)) return [{ name: alias ?? '', table: null, node, isBound: true }];
  const table = isTenantTable(nameOf(node)) ? nameOf(node) : null;
  return [{ name: alias ?? nameOf(node), table, node, isBound: table === null }];
}

/** In every row that is left, the source has the tenant of the other one. */
interface Bond {
  readonly source: Source;
  readonly to: Source;
}

/** The tables of the query, bound as far as its conditions bind them. */
export function scopeOf(query: ScopedQuery, outer: Scope | null, spoken: Spoken): Scope {
  const sources = tablesOf(query).flatMap((table) => sourcesOf(table));
  const conditions: [OperationNode, readonly Source[] | null][] = query.where === undefined ? [] : [[query.where.where, null]];
  for (const { table, joinType, on } of query.joins ?? []) {
    const joined = sourcesOf(table);
    sources.push(...joined);
    // An outer join keeps rows that do not meet its condition: of a side that it keeps whole, the condition says nothing.
    if (on !== undefined && /Inner|Cross/.test(joinType)) conditions.push([on.on, null]);
    if (on !== undefined && /Left/.test(joinType)) conditions.push([on.on, joined]);
  }
  const scope: Scope = { sources, outer };
  const bonds = conditions.flatMap(([condition, only]) => bondsOf(condition, only, scope, spoken));
  for (let passes = bonds.length; passes > 0; passes--) for (const { source, to } of bonds) source.isBound ||= to.isBound;
  return scope;
}

function tablesOf(query: ScopedQuery): readonly OperationNode[] {
  if (query.kind === 'DeleteQueryNode') return [...query.from.froms, ...(query.using?.tables ?? [])];
  const froms = query.from?.froms ?? [];
  return query.kind === 'UpdateQueryNode' && query.table !== undefined ? [query.table, ...froms] : froms;
}

/**
 * Binds what the condition gives a tenant, and answers with what it makes equal. Only what holds of every row counts:
 * conditions joined by `and`, never one that stands under `or` or `not`. `only`: the sources that it can bind, null for all.
 */
function bondsOf(condition: OperationNode, only: readonly Source[] | null, scope: Scope, spoken: Spoken): readonly Bond[] {
  if (ParensNode.is(condition)) return bondsOf(condition.node, only, scope, spoken);
  if (AndNode.is(condition)) return [...bondsOf(condition.left, only, scope, spoken), ...bondsOf(condition.right, only, scope, spoken)];
  if (!BinaryOperationNode.is(condition) || operatorOf(condition) !== '=') return [];
  const { leftOperand, rightOperand } = condition;
  const [left, right] = [tenantSource(leftOperand, scope), tenantSource(rightOperand, scope)];
  const isOpen = (source: Source): boolean => only === null || only.includes(source);
  if (left !== null && right !== null)
    return [
      { source: left, to: right },
      { source: right, to: left },
    ].filter(({ source }) => isOpen(source));
  const source = left ?? right;
  if (source !== null && isOpen(source) && isTenantValue(left === null ? leftOperand : rightOperand, spoken)) source.isBound = true;
  return [];
}
