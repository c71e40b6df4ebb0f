/**
 * The shape of the code, held by a test. Each rule is data: what it forbids, why, and a file that breaks it, which
 * proves that the rule can see. A failure lists every place at once.
 */
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSource, readSources, type SourceFile, type SyntaxNode } from './support/source.ts';

interface Layer {
  /** Folders of src it may import, beside itself. */
  readonly folders: readonly string[];
  /** Packages; `node:` stands for Node's built-in modules. */
  readonly packages: readonly string[];
  /** Packages of which it may use the types, which are gone at run time. */
  readonly types?: readonly string[];
  /** Single files: types always, and at run time only the names given. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

/** Who may import what. Arrows only point down. */
const LAYERS: Readonly<Record<string, Layer>> = {
  domain: { folders: [], packages: [] },
  runtime: { folders: [], packages: ['node:', 'zod'], files: { 'domain/limits.ts': ['LIMITS'], 'domain/text.ts': ['withoutSlashes'], 'domain/job.ts': [] } },
  store: { folders: ['domain', 'runtime'], packages: ['kysely'] },
  'store/engines': { folders: ['domain', 'runtime', 'store'], packages: ['node:', 'kysely', 'better-sqlite3', 'pg'] },
  feed: { folders: ['domain'], packages: [] },
  auth: { folders: ['domain', 'runtime'], packages: [] },
  graphql: {
    folders: ['domain', 'auth', 'feed'],
    packages: ['@pothos/core', 'graphql', 'zod'],
    files: { 'store/store.ts': ['StoreFault'], 'store/requests.ts': [], 'store/answers.ts': [], 'store/tenant-store.ts': [], 'store/key-store.ts': [] },
  },
  server: {
    folders: ['domain', 'runtime', 'store', 'feed', 'auth', 'graphql'],
    packages: ['node:', 'graphql', 'graphql-yoga', '@graphql-yoga/render-graphiql', 'graphql-ws', 'ws', 'prom-client', 'zod'],
  },
  client: {
    folders: ['domain'],
    packages: [],
    types: ['node:'],
    // What runs in a browser too.
    files: {
      'runtime/chance.ts': ['systemChance'],
      'runtime/clock.ts': ['systemClock'],
      'runtime/environment.ts': ['processEnvironment'],
      'runtime/turn.ts': ['atTurnEnd'],
    },
  },
  worker: {
    folders: ['domain', 'client'],
    packages: [],
    files: { 'runtime/chance.ts': ['systemChance'], 'runtime/clock.ts': ['systemClock'], 'runtime/turn.ts': ['atTurnEnd'] },
  },
  testing: { folders: ['domain', 'runtime', 'store', 'feed', 'auth', 'graphql', 'client', 'worker', 'server'], packages: ['node:', 'graphql'] },
  cli: {
    folders: ['domain', 'runtime', 'auth', 'store', 'client', 'worker'],
    packages: ['node:', 'commander'],
    // `serve` is the server, loaded when it is asked for, with settings of its own.
    files: { 'server/run.ts': ['*'] },
  },
  // What runs in a browser only. Its packages are built into its files: who installs LeaseQueue needs none of them.
  console: {
    folders: ['domain', 'client'],
    packages: ['preact', '@preact/signals', 'uplot', 'graphql-ws'],
    files: { 'runtime/clock.ts': ['systemClock'], 'runtime/chance.ts': ['systemChance'] },
  },
  demo: { folders: ['domain', 'runtime', 'store', 'client', 'server'], packages: ['node:'] },
};

const FILE_LINES_MAX = 250;
const FUNCTION_LINES_MAX = 60;

interface Finding {
  readonly line: number;
  readonly what: string;
}
interface Rule {
  /** The rule as a sentence. */
  readonly name: string;
  readonly why: string;
  readonly find: (file: SourceFile) => readonly Finding[];
  /** A file that must be found at fault. */
  readonly broken: { readonly path: string; readonly text: string };
}

function layerOf(path: string): string {
  const [, ...folders] = posix.dirname(path).split('/');
  const deep = folders.slice(0, 2).join('/');
  return deep in LAYERS ? deep : (folders[0] ?? '');
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function mayImport(path: string, specifier: string, values: readonly string[]): boolean {
  const from = layerOf(path);
  const layer = LAYERS[from];
  if (layer === undefined) return false;
  if (!specifier.startsWith('.')) return [...layer.packages, ...(values.length === 0 ? (layer.types ?? []) : [])].includes(packageOf(specifier));
  const target = posix.join(posix.dirname(path), specifier);
  const to = layerOf(target);
  if (to === from || to.startsWith(`${from}/`) || layer.folders.some((folder) => to === folder || to.startsWith(`${folder}/`))) return true;
  const names = layer.files?.[target.replace(/^src\//, '')];
  return names !== undefined && values.every((name) => names.includes(name));
}

function badImports(file: SourceFile): readonly Finding[] {
  return file.imports
    .filter(({ specifier, values }) => !mayImport(file.path, specifier, values))
    .map(({ specifier, line, values }) => ({
      line,
      what: `src/${layerOf(file.path)} imports ${values.length === 0 ? 'types' : values.join(', ')} from '${specifier}'`,
    }));
}

/** A rule's finder: the nodes that `says` has something to say about, outside the files where they belong. */
function nodesOutside(allowed: RegExp, says: (node: SyntaxNode) => string | null): Rule['find'] {
  return (file) => {
    if (allowed.test(file.path)) return [];
    return file.nodes.flatMap((node) => {
      const what = says(node);
      return what === null ? [] : [{ line: file.lineOf(node), what }];
    });
  };
}

const NOWHERE = /^$/;

function field(node: SyntaxNode, name: string): SyntaxNode | null {
  const value = node[name];
  return typeof value === 'object' && value !== null && 'type' in value ? (value as SyntaxNode) : null;
}

function nameOf(node: SyntaxNode | null): string {
  return typeof node?.['name'] === 'string' ? node['name'] : '';
}

/** `a.b` as text, else the empty text. */
function memberText(node: SyntaxNode): string {
  return node.type === 'MemberExpression' ? `${nameOf(field(node, 'object'))}.${nameOf(field(node, 'property'))}` : '';
}

/** The text of a literal or of a piece of a template, else the empty text. */
function literalText(node: SyntaxNode): string {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : '';
  if (node.type !== 'TemplateElement') return '';
  const value = node['value'];
  return typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : '';
}

const TABLE_WRITERS = ['insertInto', 'replaceInto', 'updateTable', 'deleteFrom', 'mergeInto'];
const GUARDED_TABLES = ['jobs', 'events', 'attempts'];
const WRITE_STATEMENT = /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update|delete\s+from)\s+["`]?(?:jobs|events|attempts)\b/i;

function tableWrite(node: SyntaxNode): string | null {
  if (WRITE_STATEMENT.test(literalText(node))) return 'a statement that writes a guarded table';
  const callee = field(node, 'callee');
  if (node.type === 'NewExpression' && nameOf(callee) === 'RowBlocks') return 'new RowBlocks()';
  if (node.type !== 'CallExpression') return null;
  const method = callee === null ? '' : nameOf(field(callee, 'property'));
  const table = (node['arguments'] as readonly SyntaxNode[]).map(literalText)[0] ?? '';
  return TABLE_WRITERS.includes(method) && GUARDED_TABLES.includes(table.split(' ')[0] ?? '') ? `${method}('${table}')` : null;
}

function importedFrom(node: SyntaxNode): string {
  const source = field(node, 'source');
  return source === null ? '' : literalText(source);
}

const CLOCK_MEMBERS = ['Date.now', 'performance.now', 'Math.random', 'process.hrtime'];
const CLOCK_CALLS = ['setTimeout', 'setInterval', 'randomUUID', 'randomBytes', 'randomInt'];

function clockOrChance(node: SyntaxNode): string | null {
  if (CLOCK_MEMBERS.includes(memberText(node))) return memberText(node);
  const callee = field(node, 'callee');
  if (node.type === 'NewExpression' && nameOf(callee) === 'Date' && (node['arguments'] as readonly unknown[]).length === 0) return 'new Date()';
  if (node.type !== 'CallExpression' || callee === null) return null;
  const called = nameOf(callee) || nameOf(field(callee, 'property'));
  return CLOCK_CALLS.includes(called) ? `${called}()` : null;
}

function graphqlErrorMade(node: SyntaxNode): string | null {
  if (node.type === 'NewExpression' && nameOf(field(node, 'callee')) === 'GraphQLError') return 'new GraphQLError';
  if (node.type === 'CallExpression' && nameOf(field(node, 'callee')) === 'createGraphQLError') return 'createGraphQLError()';
  return node.type === 'ClassDeclaration' && nameOf(field(node, 'superClass')) === 'GraphQLError' ? 'a subclass of GraphQLError' : null;
}

const SECRET_NAME = /secret|token|hash|digest|password/i;

/** The names that a comparison reads: the variable's or the property's. */
function comparedName(node: SyntaxNode | null): string {
  return node?.type === 'MemberExpression' ? nameOf(field(node, 'property')) : nameOf(node);
}

/** What is compared with a word of the source, or with nothing, is no guess. */
function isWord(node: SyntaxNode | null): boolean {
  return node?.type === 'Literal' || comparedName(node) === 'undefined' || (node?.type === 'UnaryExpression' && node['operator'] === 'typeof');
}

/** A comparison that ends at the first difference, and so tells by its time how far a guess was right. */
function comparesSecret(node: SyntaxNode): string | null {
  if (comparedName(node) === 'timingSafeEqual' && node.type === 'Identifier') return 'timingSafeEqual';
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(String(node['operator']))) return null;
  const sides = [field(node, 'left'), field(node, 'right')];
  if (sides.some(isWord)) return null;
  const name = sides.map(comparedName).find((each) => SECRET_NAME.test(each));
  return name === undefined ? null : `a comparison of ${name}`;
}

/** Ways to make a digest. */
function hashes(node: SyntaxNode): string | null {
  if (node.type !== 'ImportSpecifier') return null;
  const name = nameOf(field(node, 'imported'));
  return ['hash', 'createHash', 'createHmac', 'scrypt', 'scryptSync', 'pbkdf2', 'pbkdf2Sync', 'timingSafeEqual', 'subtle', 'webcrypto'].includes(name)
    ? `import of ${name}`
    : null;
}

const FUNCTION_NODES = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** A body that is one object literal is a list, such as the fields of a GraphQL type; the functions in it are measured. */
function isList(node: SyntaxNode): boolean {
  const body = field(node, 'body');
  return (body?.type === 'ParenthesizedExpression' ? field(body, 'expression') : body)?.type === 'ObjectExpression';
}

function longFunctions(file: SourceFile): readonly Finding[] {
  // A migration is a list of statements, frozen once it is released.
  if (file.path.startsWith('src/store/migrations/')) return [];
  return file.nodes
    .filter((node) => FUNCTION_NODES.includes(node.type) && !isList(node))
    .map((node) => ({ line: file.lineOf(node), lines: file.lineOf({ start: node.end }) - file.lineOf(node) + 1 }))
    .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
    .map(({ line, lines }) => ({ line, what: `a function of ${lines} lines` }));
}

/** Who works for all tenants at once on purpose, and why. */
const ACROSS_TENANTS: Readonly<Record<string, string>> = {
  'src/store/tenant-guard.ts': 'It is the door.',
  'src/store/migrations/index.ts': 'Tables are made and filled for every tenant there is.',
  'src/store/upkeep.ts': 'After a start the sweeper has to learn of every queue with leases or delayed jobs.',
  'src/store/operations/retention.ts': 'What is old enough goes, whose ever it is; each row is then removed in the name of its tenant.',
  'src/store/operations/series-upkeep.ts': 'What is old enough moves on, likewise.',
  'src/store/operations/forget-trends.ts': 'The same, of the hours of a trend.',
  'src/store/operations/forget-calls.ts': 'The same, of calls to submit.',
  'src/store/queries/all-tenants.ts': 'The list of all tenants, and whose a name is.',
  'src/store/inspection/inspect.ts': 'A check looks at the whole database.',
  'src/store/inspection/replay-check.ts': 'The same.',
  'src/store/inspection/examine.ts': 'The same.',
  'src/store/queries/queues.ts': "The figures of the whole server, for its operator's metrics.",
};

/** Ways to a statement that the guard of tenants does not see. */
function waysRoundTheGuard(node: SyntaxNode): string | null {
  if (node.type === 'NewExpression' && nameOf(field(node, 'callee')) === 'Kysely') return 'new Kysely';
  if (memberText(node) === 'CompiledQuery.raw') return 'CompiledQuery.raw';
  const member = node.type === 'MemberExpression' ? nameOf(field(node, 'property')) : '';
  return ['withoutPlugins', 'executeQuery', 'getExecutor'].includes(member) ? member : null;
}

/** What makes a file a program, else the empty text. */
function interpreterLine(text: string): string {
  return /^#!.*\n/.exec(text)?.[0] ?? '';
}

const DECLARATIONS = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration'];

const STORED_JSON = ['payloadJson', 'resultJson', 'detailsJson'];

/** A member that is read, or taken out of an object by a pattern; one that an input is made of is neither. */
function storedJsonRead(node: SyntaxNode): string | null {
  if (node.type === 'MemberExpression' && STORED_JSON.includes(nameOf(field(node, 'property')))) return `a read of ${nameOf(field(node, 'property'))}`;
  if (node.type !== 'ObjectPattern') return null;
  const found = (node['properties'] as readonly SyntaxNode[]).map((property) => nameOf(field(property, 'key'))).find((name) => STORED_JSON.includes(name));
  return found === undefined ? null : `a pattern with ${found}`;
}

const RULES: readonly Rule[] = [
  {
    name: 'imports follow the table of layers',
    why: 'Arrows only point down, so that a folder can be understood, tested and replaced without what stands above it.',
    find: badImports,
    broken: { path: 'src/graphql/worker.ts', text: "import { createJobStore } from '../store/create-store.ts';" },
  },
  {
    name: 'a job, an event or an attempt is written in store/apply.ts only, by the statements that are its own',
    why: 'A second writer could change a job without recording the event that explains it.',
    find: nodesOutside(/^src\/store\/(apply(-statements)?\.ts|migrations\/)/, tableWrite),
    broken: { path: 'src/store/operations/claim.ts', text: "tx.updateTable('jobs').set({ state: 'running' });" },
  },
  {
    name: 'payloads, results and error details are shown by graphql/shown-json.ts only',
    why: 'Redaction rules hold at that one place: whatever showed stored JSON beside it would show what they hide.',
    find: (file) => (file.path.startsWith('src/graphql/') ? nodesOutside(/\/shown-json\.ts$/, storedJsonRead)(file) : []),
    broken: { path: 'src/graphql/types.ts', text: 'const { detailsJson } = job.lastError;' },
  },
  {
    name: 'the statements that write a job, an event or an attempt are run in store/apply.ts only, and for the new jobs that it hands on in store/new-rows.ts',
    why: 'They are the writer: whoever else ran them would be a second one.',
    find: nodesOutside(/^src\/store\/(apply|new-rows)\.ts$/, (node) =>
      node.type === 'ImportDeclaration' && importedFrom(node).endsWith('/apply-statements.ts') ? 'import of its statements' : null,
    ),
    broken: { path: 'src/store/operations/claim.ts', text: "import { INSERT_EVENT } from '../apply-statements.ts';" },
  },
  {
    name: 'only what is meant for all tenants at once goes through the door across them',
    why: `Everywhere else a statement without its tenant is an omission, which the guard refuses. Who may: ${Object.entries(ACROSS_TENANTS)
      .map(([path, reason]) => `${path}: ${reason}`)
      .join(' ')}`,
    find: (file) =>
      file.path in ACROSS_TENANTS
        ? []
        : file.imports.filter(({ values }) => values.includes('acrossTenants')).map(({ line }) => ({ line, what: 'import of acrossTenants' })),
    broken: { path: 'src/store/queries/jobs.ts', text: "import { acrossTenants } from '../tenant-guard.ts';" },
  },
  {
    name: 'nothing goes round the guard of tenants',
    why: 'A handle made elsewhere, or a statement that was never a tree, is one that nobody looked at.',
    find: nodesOutside(/^src\/store\/(tenant-guard\.ts$|engines\/)/, waysRoundTheGuard),
    broken: { path: 'src/store/queries/jobs.ts', text: "db.executeQuery(CompiledQuery.raw('select * from jobs'));" },
  },
  {
    name: 'a handle of the database is made by the guard of tenants only',
    why: 'So that no engine can forget it.',
    find: nodesOutside(/^src\/store\/tenant-guard\.ts$/, (node) => (waysRoundTheGuard(node) === 'new Kysely' ? 'new Kysely' : null)),
    broken: { path: 'src/store/engines/other.ts', text: 'const db = new Kysely({ dialect });' },
  },
  {
    name: 'the environment is read in runtime/environment.ts only',
    why: 'A setting read elsewhere is neither validated nor documented.',
    find: nodesOutside(/^src\/runtime\/environment\.ts$/, (node) => (memberText(node) === 'process.env' ? 'process.env' : null)),
    broken: { path: 'src/server/http.ts', text: 'const port = process.env.PORT;' },
  },
  {
    name: 'time and chance come from runtime/',
    why: 'Tests move the clock and choose the chance; a direct call cannot be moved.',
    find: nodesOutside(/^src\/runtime\//, clockOrChance),
    broken: { path: 'src/store/operations/claim.ts', text: 'const now = new Date();' },
  },
  {
    name: 'engine names occur in store/engines/, the composition roots and the configuration only',
    why: 'Everything else must work on every database; what differs is a field of Engine.',
    find: nodesOutside(
      /^src\/(store\/engines\/|server\/(app|run|main)\.ts$|testing\/inside\.ts$|demo\/main\.ts$|cli\/key-database\.ts$|runtime\/config\.ts$)/,
      (node) => {
        const text = nameOf(node) || literalText(node);
        return /sqlite|postgres/i.test(text) ? `'${text.trim()}'` : null;
      },
    ),
    broken: { path: 'src/store/queries.ts', text: "const lock = engine.name === 'sqlite' ? '' : 'for update';" },
  },
  {
    name: 'GraphQL errors are made in graphql/outcome.ts only',
    why: 'One place decides which code and which words leave the server, so that none of them leaks a secret or a value.',
    find: nodesOutside(/^src\/graphql\/outcome\.ts$/, graphqlErrorMade),
    broken: { path: 'src/graphql/worker.ts', text: "throw new GraphQLError('no');" },
  },
  {
    name: 'secrets are compared in runtime/digest.ts only',
    why: 'A comparison that ends at the first difference tells by its time how far a guess was right: compare digests with equalDigests.',
    find: nodesOutside(/^src\/runtime\/digest\.ts$/, comparesSecret),
    broken: { path: 'src/auth/key-ring.ts', text: 'if (stored.secretHash !== given) refuse();' },
  },
  {
    name: 'digests are made in runtime/digest.ts only',
    why: 'One place decides how secrets are hashed.',
    find: nodesOutside(/^src\/runtime\/digest\.ts$/, hashes),
    broken: { path: 'src/auth/api-key.ts', text: "import { createHash } from 'node:crypto';" },
  },
  {
    name: 'no any',
    why: 'It switches the type checker off for everything it touches.',
    find: nodesOutside(NOWHERE, (node) => (node.type === 'TSAnyKeyword' ? 'any' : null)),
    broken: { path: 'src/domain/job.ts', text: 'const job = row as any;' },
  },
  {
    name: 'no comment silences the type checker',
    why: 'The error it hides comes back at run time.',
    find: (file) =>
      file.comments
        .filter(({ value }) => /@ts-(ignore|expect-error|nocheck)/.test(value))
        .map((node) => ({ line: file.lineOf(node), what: node.value.trim() })),
    broken: { path: 'src/domain/job.ts', text: '// @ts-ignore\nexport const job = row;' },
  },
  {
    name: 'no re-exports but in the entries of the package',
    why: 'A name has one home; a barrel hides it and pulls in its neighbours.',
    find: nodesOutside(/^src\/(client|worker|testing)\/index\.ts$/, (node) =>
      /^Export(All|Named)Declaration$/.test(node.type) && field(node, 'source') !== null ? 'export … from' : null,
    ),
    broken: { path: 'src/domain/index.ts', text: "export * from './job.ts';" },
  },
  {
    name: 'named exports only',
    why: 'A default export gets another name in every file that imports it, and no search finds them all.',
    find: nodesOutside(NOWHERE, (node) => (node.type === 'ExportDefaultDeclaration' ? 'export default' : null)),
    broken: { path: 'src/domain/job.ts', text: 'export default 1;' },
  },
  {
    name: 'files are named in kebab case, for what they define',
    why: 'A bucket has no reason to refuse anything, so that it grows until nobody knows what it is for.',
    find: ({ path }) => {
      const name = posix.basename(path).replace(/\.tsx?$/, '');
      const isBucket = /^(utils?|common|helpers?|misc|shared|types)$/.test(name) && path !== 'src/graphql/types.ts';
      return isBucket || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) ? [{ line: 1, what: `the name '${name}'` }] : [];
    },
    broken: { path: 'src/domain/utils.ts', text: '' },
  },
  {
    name: 'types are named for what they are',
    why: 'Data, Info, Manager, Util and Helper say nothing that the type does not say itself.',
    find: nodesOutside(NOWHERE, (node) => {
      const name = DECLARATIONS.includes(node.type) ? nameOf(field(node, 'id')) : '';
      return /(Data|Info|Manager|Utils?|Helper)$/.test(name) && name !== 'PageInfo' ? name : null;
    }),
    broken: { path: 'src/store/rows.ts', text: 'interface JobData { readonly id: string }' },
  },
  {
    name: 'each file begins with a comment that says what lives in it',
    why: 'Whoever opens the file learns what belongs here before reading it.',
    find: (file) => (file.comments[0]?.start === interpreterLine(file.text).length ? [] : [{ line: 1, what: 'no header comment' }]),
    broken: { path: 'src/domain/job.ts', text: 'export const job = 1;' },
  },
  {
    name: `a file has at most ${FILE_LINES_MAX} lines`,
    why: 'A longer one does more than one thing.',
    find: ({ lines }) => (lines > FILE_LINES_MAX ? [{ line: lines, what: `${lines} lines` }] : []),
    broken: { path: 'src/domain/job.ts', text: '\n'.repeat(FILE_LINES_MAX + 1) },
  },
  {
    name: `a function has at most ${FUNCTION_LINES_MAX} lines`,
    why: 'A longer one cannot be read at a glance.',
    find: longFunctions,
    broken: { path: 'src/domain/decide.ts', text: `function decide() {${'\n'.repeat(FUNCTION_LINES_MAX)}}` },
  },
];

const sources = readSources('src');

describe('the source', () => {
  test('is there to be checked', () => {
    expect(sources.length).toBeGreaterThan(0);
  });

  test.each(RULES)('$name', ({ find, why }) => {
    const violations = sources.flatMap((file) => find(file).map(({ line, what }) => `${file.path}:${line}  ${what}`));
    expect(violations, `${why}\n${violations.join('\n')}\n`).toEqual([]);
  });
});

describe('a rule that sees nothing proves nothing, so each one finds', () => {
  test.each(RULES)('a break of: $name', ({ find, broken }) => {
    expect(find(parseSource(broken.path, broken.text))).not.toEqual([]);
  });
});
