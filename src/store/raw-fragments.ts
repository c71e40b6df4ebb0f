/** What can be told of a fragment of raw SQL without understanding it. */
import { ColumnNode, IdentifierNode, type OperationNode, RawNode, ReferenceNode, TableNode, ValueNode } from 'kysely';
import { TENANT_TABLE_NAMES } from './tenant-tables.ts';

/** The fragment as it reads, other fragments in it included; `?` stands for whatever is not raw. */
function textOf({ sqlFragments, parameters }: RawNode): string {
  return sqlFragments.map((fragment, index) => fragment + (parameters[index] === undefined ? '' : pieceOf(parameters[index]))).join('');
}

/** The table of a qualified column is left out: naming a column there reads no table. */
function pieceOf(node: OperationNode): string {
  if (RawNode.is(node)) return textOf(node);
  if (IdentifierNode.is(node)) return node.name;
  if (TableNode.is(node)) return node.table.identifier.name;
  if (ColumnNode.is(node)) return node.column.name;
  if (ReferenceNode.is(node)) return pieceOf(node.column);
  return ValueNode.is(node) && node.immediate === true ? `'${String(node.value)}'` : '?';
}

const TABLE_NAME = new RegExp(`(?<![\\w$])(?:${TENANT_TABLE_NAMES.join('|')})(?![\\w$])`, 'i');

/** The first table of tenants that the fragment names, in whatever place; null where it names none. */
export function tableNamedIn(raw: RawNode): string | null {
  return TABLE_NAME.exec(textOf(raw))?.[0].toLowerCase() ?? null;
}

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/g;
const INNERMOST_PARENTHESES = /\([^()]*\)/g;
/** Words, outside of parentheses, behind which conditions that stand beside the fragment mean something else, or nothing. */
const STRAYS = /\b(?:or|between|case|union|intersect|except|from|join|where|group|having|window|order|limit|offset|returning)\b|--|\/\*|[;()'"`]/i;

/** The word or sign by which the fragment is more than one operand among its neighbours; null where it is just one. */
export function strayIn(raw: RawNode): string | null {
  let text = textOf(raw).replaceAll(QUOTED, ' ');
  for (let outer = ''; outer !== text; ) {
    outer = text;
    // Comments are looked for before what is in parentheses goes.
    if (!/--|\/\*|;/.test(text)) text = text.replaceAll(INNERMOST_PARENTHESES, ' ');
  }
  return STRAYS.exec(text)?.[0] ?? null;
}

/** What the fragment only wraps, as `sql.val` and `sql.lit` do; the node itself where it has words of its own. */
export function unwrapped(node: OperationNode): OperationNode {
  const [only, second] = RawNode.is(node) && node.sqlFragments.every((fragment) => fragment === '') ? node.parameters : [];
  return only === undefined || second !== undefined ? node : unwrapped(only);
}
