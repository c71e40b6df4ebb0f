/** Plans against yoga's executor, over a schema of everything that a resolver can do. */
import fc from 'fast-check';
import {
  type ExecutionResult,
  GraphQLError,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  parse,
} from 'graphql';
import { createYoga } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { executePlan } from '../../src/graphql/execute-plan.ts';
import { toPublicError } from '../../src/graphql/outcome.ts';
import { planOperation } from '../../src/graphql/plan.ts';
import { schema as served } from '../../src/graphql/schema.ts';

const later = async <Value>(turns: number, value: Value): Promise<Value> => {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  return value;
};
const fails = async (turns: number, error: unknown): Promise<never> => {
  await later(turns, null);
  throw error;
};

/** What a resolver of a leaf does, by name. */
const LEAVES = {
  value: () => 1,
  none: () => null,
  missing: () => undefined,
  throws: () => {
    throw new Error('thrown');
  },
  returnsError: () => new Error('returned'),
  throwsText: () => {
    throw 'a text';
  },
  throwsMany: () => {
    throw new AggregateError([new Error('one'), new Error('two')]);
  },
  throwsGraphql: () => {
    throw new GraphQLError('ours', { extensions: { code: 'OURS' } });
  },
  unfit: () => 'x',
  later: () => later(1, 2),
  laterNone: () => later(2, null),
  rejects: () => fails(1, new Error('rejected')),
  rejectsLate: () => fails(5, new Error('rejected late')),
  rejectsNothing: () => fails(2, undefined),
} as const;

const Picky = new GraphQLScalarType({ name: 'Picky', coerceOutputValue: (value) => (value === 1 ? null : value) });

const Node: GraphQLInterfaceType = new GraphQLInterfaceType({
  name: 'Node',
  fields: () => ({ here: { type: GraphQLInt } }),
  resolveType: (value: { readonly kind: string }) => value.kind,
});

type Nullable = GraphQLScalarType | GraphQLObjectType | GraphQLInterfaceType | GraphQLList<GraphQLOutputType>;

function fieldsOf(wrap: (type: Nullable) => GraphQLOutputType, suffix: string) {
  const leaves = Object.entries(LEAVES).map(([name, resolve]) => [`${name}${suffix}`, { type: wrap(GraphQLInt), resolve }] as const);
  const object = { type: wrap(Thing), resolve: () => ({ here: 1 }) };
  return Object.fromEntries<object>([
    ...leaves,
    [`picky${suffix}`, { type: wrap(Picky), resolve: () => 1 }],
    [`thing${suffix}`, object],
    [`thingLater${suffix}`, { ...object, resolve: () => later(2, { here: () => 3 }) }],
    [`list${suffix}`, { type: wrap(new GraphQLList(GraphQLInt)), resolve: () => [1, null, later(1, 2), new Error('item'), fails(3, new Error('late item'))] }],
    [`strict${suffix}`, { type: wrap(new GraphQLList(new GraphQLNonNull(GraphQLInt))), resolve: () => [1, new Error('item'), null] }],
    [`good${suffix}`, { type: wrap(new GraphQLList(wrap(Thing))), resolve: () => [{ here: 1 }, later(1, { here: later(1, 2) })] }],
    [`noList${suffix}`, { type: wrap(new GraphQLList(GraphQLInt)), resolve: () => 1 }],
    [`node${suffix}`, { type: wrap(Node), resolve: () => ({ kind: 'Thing', here: 1 }) }],
    [`lost${suffix}`, { type: wrap(Node), resolve: () => ({ kind: 'Nothing' }) }],
  ]);
}

const everything = () => ({ here: { type: GraphQLInt }, ...fieldsOf((type) => type, ''), ...fieldsOf((type) => new GraphQLNonNull(type), 'Always') });
const Thing: GraphQLObjectType = new GraphQLObjectType({ name: 'Thing', interfaces: [Node], fields: everything });
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: everything }),
  mutation: new GraphQLObjectType({ name: 'Mutation', fields: everything }),
  types: [Thing],
});
/** At the moment when the pipeline sees it: errors of what another error took away may still come. */
const seen = {
  onExecute: () => ({
    onExecuteDone: ({ result, setResult }: { readonly result: unknown; readonly setResult: (result: { data: { shown: string } }) => void }) =>
      setResult({ data: { shown: shown(result as ExecutionResult) } }),
  }),
};
const { execute } = createYoga({ schema, logging: false, maskedErrors: false, plugins: [seen] }).getEnveloped();

/** As a client would see it; where defects are to be told apart, their places do. */
function shown(result: ExecutionResult): string {
  return JSON.stringify(result.errors === undefined ? result : { ...result, errors: result.errors.map((error) => toPublicError(error, () => 'r1')) });
}

const { fields: selections } = fc.letrec<{ fields: string; field: string }>((tie) => ({
  fields: fc.array(tie('field'), { minLength: 1, maxLength: 5 }).map((fields) => `{ ${fields.join(' ')} }`),
  field: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('here', '__typename', 'value', ...Object.keys(LEAVES), 'picky', 'list', 'strict', 'noList', 'listAlways', 'strictAlways'),
    fc.constantFrom('laterAlways', 'noneAlways', 'throwsAlways', 'rejectsAlways', 'rejectsLateAlways', 'pickyAlways', 'unfitAlways', 'throwsManyAlways'),
    fc
      .tuple(fc.constantFrom('thing', 'thingLater', 'good', 'node', 'lost', 'thingAlways', 'thingLaterAlways', 'goodAlways', 'nodeAlways'), tie('fields'))
      .map(([name, fields]) => (name.startsWith('node') || name.startsWith('lost') ? `${name} { __typename ... on Thing ${fields} }` : `${name} ${fields}`)),
  ),
}));

describe('a plan', () => {
  test.each(['query', 'mutation'])('answers a %s as the executor does, key by key and error by error', async (kind) => {
    await fc.assert(
      fc.asyncProperty(selections, async (fields) => {
        const document = parse(`${kind} ${fields}`);
        const plan = planOperation(schema, document, null);
        if (plan === null) throw new Error('there is no plan');
        const planned = async () => await executePlan(plan, {});
        const { data } = (await execute({ schema, document, contextValue: {} })) as { data: { shown: string } };
        expect(await planned().then((result) => (result === null ? null : shown(result)))).toBe(data.shown);
      }),
      { numRuns: 1_000, seed: 3 },
    );
  });

  test.each([
    ['a subscription', 'subscription { queueStats(name: "q") { __typename } }'],
    ['introspection', '{ __schema { queryType { name } } }'],
    ['a directive', '{ __typename @include(if: true) }'],
    ['a default of a variable', 'query ($n: Int = 1) { jobs(first: $n) { hasMore } }'],
    ['no operation', 'fragment F on Query { __typename }'],
  ])('leaves %s to the executor', (_name, query) => {
    expect(planOperation(served, parse(query), null)).toBeNull();
  });

  test.each([
    ['of the wrong type', { n: 'x' }],
    ['that is missing', {}],
    ['that is null', { n: null }],
  ])('leaves a variable %s to the executor, and runs nothing', (_name, variableValues) => {
    const plan = planOperation(served, parse('query ($n: Int!) { jobs(first: $n) { hasMore } }'), null);
    if (plan === null) throw new Error('there is no plan');
    expect(executePlan(plan, { contextValue: null, variableValues })).toBeNull();
  });
});
