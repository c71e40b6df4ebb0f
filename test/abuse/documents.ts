/** GraphQL that is nearly valid: the documents of the clients and documents made from the schema, with pieces changed. */
import fc from 'fast-check';
import { schema } from '../../src/graphql/schema.ts';
import { operations } from '../support/documents.ts';
import { FRAGMENTS, PUBLISHED } from '../support/published-operations.ts';
import type { Chance } from './chance.ts';
import { get, post } from './requests.ts';

const CLIENTS = PUBLISHED.map(({ text }) => `${text}\n${FRAGMENTS}`);

const MADE_UP = 400;
const INTROSPECTION = '{ __schema { types { name fields { type { ofType { ofType { name } } } } } } }';

/** Texts of documents to begin with. */
export function validDocuments(seed: number): readonly string[] {
  const made = fc.sample(operations({ schema, texts: ['q', 't', 'x', ''] }), { seed, numRuns: MADE_UP }).map(({ query }) => query);
  return [...made, ...CLIENTS, INTROSPECTION, 'subscription { jobEvents { __typename } }', 'subscription { stats { ready } }', '{ __typename }'];
}

const STRANGE = [
  '"""',
  '"""\n  a\n """',
  '"\\u{110000}"',
  '"\\ud800"',
  '"\\u{',
  '"',
  '#',
  '# x\n',
  '...',
  '... on',
  '... on Query { __typename }',
  '...Cycle fragment Cycle on Query { ...Cycle }',
  'fragment A on Query { ...B } fragment B on Query { ...A } { ...A }',
  '@skip(if: $x)',
  '@include(if: true)',
  '@skip',
  '@deprecated @specifiedBy(url: "")',
  '@defer',
  '@oneOf',
  '$x',
  '$',
  '(a: $x)',
  '($x: Boolean! = null)',
  '($a: [[[[Int]]]])',
  '{',
  '}',
  '{ __typename }',
  '[',
  ']',
  ':',
  '!',
  '&',
  '|',
  '=',
  '-',
  '-0',
  '1e999',
  '9'.repeat(400),
  '0.0.0',
  '__proto__',
  'constructor',
  '__schema',
  '__type(name: "Job")',
  'null',
  'on',
  'query',
  'subscription',
  'mutation',
  'fragment',
  'extend type Query { x: Int }',
  'type A { b: C }',
  'schema { query: Query }',
  '\ufeff',
  '\u0000',
  '\u00e9',
  '\u{1F98A}',
  '\u2028',
  ',,,,',
  'n'.repeat(9_000),
  `"${'s'.repeat(9_000)}"`,
  `"""${'\n'.repeat(3_000)}"""`,
];
const TOKENS = /"""[^]*?"""|"[^"\n]*"|[A-Za-z_]\w*|\.\.\.|\s+|[^]/g;

/** A document with some of its tokens lost, doubled, exchanged or strange. */
function changed(chance: Chance, documents: readonly string[]): string {
  const tokens = chance.pick(documents).match(TOKENS) ?? [];
  const others = chance.pick(documents).match(TOKENS) ?? [''];
  for (let changes = 1 + chance.below(4); changes > 0; changes -= 1) {
    const place = chance.below(tokens.length + 1);
    chance.pick<() => void>([
      () => void tokens.splice(place, 1 + chance.below(3)),
      () => void tokens.splice(place, 0, tokens[place] ?? ''),
      () => void tokens.splice(place, 0, ` ${chance.pick(STRANGE)} `),
      () => void tokens.splice(place, 1, chance.pick(STRANGE)),
      () => void tokens.splice(place, 1, chance.pick(others)),
      () => void tokens.splice(place, 0, ...others.slice(chance.below(others.length), chance.below(others.length))),
      () => void tokens.splice(place),
    ])();
  }
  return tokens.join('');
}

/** A document that has too much of something. */
function excessive(chance: Chance): string {
  const count = chance.pick([5, 20, 40, 700, 5_000]);
  const each = (make: (index: number) => string): string => Array.from({ length: count }, (_, index) => make(index)).join(' ');
  return chance.pick<() => string>([
    () => '{ a '.repeat(count) + '}'.repeat(count),
    () => '{'.repeat(count),
    () => `{ jobs { ${'nodes { timeline { '.repeat(count)} id ${'} }'.repeat(count)} } }`,
    () => `{ ${each((index) => `a${index}: __typename`)} }`,
    () => `{ ${each(() => '__typename')} }`,
    () => `{ __typename ${'@skip(if: false)'.repeat(count)} }`,
    () => `query (${each((index) => `$v${index}: Int = ${index}`)}) { __typename }`,
    () => `${each((index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)} { ...F0 }`,
    () => each((index) => `query Q${index} { __typename }`),
    () => `{ jobs(filter: { queues: [${each((index) => `"q${index}"`)}] }) { nodes { id } } }`,
    () => `mutation { submitJob(input: {task: "t", payload: ${'{a:'.repeat(count)}1${'}'.repeat(count)}}) { __typename } }`,
    () => `{ __schema ${'{ types { fields { type '.repeat(count)} { name } ${'} } }'.repeat(count)} }`,
    () => `{ __typename } ${'#'.repeat(count)}`,
    () => `{ jobs { ${each(() => '... on JobPage { pageInfo { hasNextPage } }')} } }`,
  ])();
}

export const hostileDocument = (chance: Chance, documents: readonly string[]): string => (chance.percent(80) ? changed(chance, documents) : excessive(chance));

const ACCEPTED = [
  'application/json',
  'application/graphql-response+json',
  'text/event-stream',
  'text/event-stream, application/json',
  '*/*',
  'multipart/mixed',
];
const VARIABLES = [{}, { input: {} }, { input: { queue: 'q', workerId: 'w' }, ids: ['x'], id: 'x' }, { x: null, first: -1, filter: [] }];
const OPERATION_NAMES = [undefined, null, 'Made', 'Q1', '', 'nope', '__proto__'];

export function badDocument(chance: Chance, documents: readonly string[]): Buffer {
  const query = hostileDocument(chance, documents);
  const headers = [`accept: ${chance.pick(ACCEPTED)}`];
  if (chance.percent(15)) return get(`/graphql?query=${encodeURIComponent(query.toWellFormed()).slice(0, 8_000)}`, headers);
  return post({ body: JSON.stringify({ query, variables: chance.pick(VARIABLES), operationName: chance.pick(OPERATION_NAMES) }), headers });
}
