/** Source files as syntax trees, for tests that check how the code is written rather than what it does. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A node of the tree, loosely: rules look at the few fields they know. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly parent: SyntaxNode | null;
  readonly [field: string]: unknown;
}

interface ImportedModule {
  readonly specifier: string;
  readonly line: number;
  /** Names imported for use at run time; `*` where all are. */
  readonly values: readonly string[];
}

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Every node, parents before their children. */
  readonly nodes: readonly SyntaxNode[];
  readonly comments: readonly { readonly value: string; readonly start: number }[];
  readonly imports: readonly ImportedModule[];
  lineOf(node: { readonly start: number }): number;
}

const root = join(import.meta.dirname, '../..');

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.entries(node)
    .filter(([field]) => field !== 'parent')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function flatten(program: unknown): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode | null): void => {
    const linked = Object.assign(node, { parent });
    found.push(linked);
    for (const child of childrenOf(linked)) visit(child, linked);
  };
  if (isNode(program)) visit(program, null);
  return found;
}

const MODULE_NODES = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TSImportType']);

function nameIn(node: unknown): string {
  return isNode(node) ? String(node['name'] ?? node['value']) : '*';
}

function importedValues(node: SyntaxNode): readonly string[] {
  if (node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type') return [];
  if (!Array.isArray(node['specifiers'])) return ['*'];
  const specifiers = node['specifiers'].filter(isNode).filter((specifier) => specifier['importKind'] !== 'type' && specifier['exportKind'] !== 'type');
  return specifiers.map((specifier) => nameIn(specifier['imported'] ?? specifier['local']));
}

function importsOf(nodes: readonly SyntaxNode[], lineOf: SourceFile['lineOf']): readonly ImportedModule[] {
  return nodes
    .filter(({ type }) => MODULE_NODES.has(type))
    .flatMap((node) => {
      const source = node['source'];
      return isNode(source) && typeof source['value'] === 'string' ? [{ specifier: source['value'], line: lineOf(node), values: importedValues(node) }] : [];
    });
}

/** Parses TypeScript; throws where it is not well-formed. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors.map(({ message }) => message).join('; ')}`);
  const nodes = flatten(program);
  const lineOf = ({ start }: { readonly start: number }): number => text.slice(0, start).split('\n').length;
  return { path, text, lines: text.replace(/\n$/, '').split('\n').length, nodes, comments, imports: importsOf(nodes, lineOf), lineOf };
}

/** Every TypeScript file below a folder of the repository, generated code aside. */
export function readSources(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/generated/'))
    .toSorted()
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));
}
