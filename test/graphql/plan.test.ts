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
import { planOperation } from '../../src/graphql/plan.ts';
import { schema as served } from '../../src/graphql/schema.ts';

const later = async <Value>(turns: number, value: Value): Promise<Value> => {
  for (let turn = 0; turn < turns; turn++) await null;
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

function fieldsOf(wrap: (type: GraphQLOutputType) => GraphQLOutputType, suffix: string) {
  const leaves = Object.entries(LEAVES).map(([name, resolve]) => [`${name}${suffix}`, { type: wrap(GraphQLInt), resolve }] as const);
  const object = { type: wrap(Thing), resolve: () => ({ here: 1 }) };
  return Object.fromEntries<object>([
    ...leaves,
    [`picky${suffix}`, { type: wrap(Picky), resolve: () => 1 }],
    [`thing${suffix}`, object],
    [`thingLater${suffix}`, { ...object, resolve: () => later(2, { here: () => 3 }) }],
    [
      `list${suffix}`,
      { type: wrap(new GraphQLList(wrap(GraphQLInt))), resolve: () => [1, null, later(1, 2), new Error('item'), fails(3, new Error('late item'))] },
    ],
    [`good${suffix}`, { type: wrap(new GraphQLList(wrap(Thing))), resolve: () => [{ here: 1 }, later(1, { here: later(1, 2) })] }],
    [`noList${suffix}`, { type: wrap(new GraphQLList(GraphQLInt)), resolve: () => 1 }],
    [`node${suffix}`, { type: wrap(Node), resolve: () => ({ kind: 'Thing', here: 1 }) }],
    [`lost${suffix}`, { type: wrap(Node), resolve: () => ({ kind: 'Nothing' }) }],
  ]);
}

const Thing: GraphQLObjectType = new GraphQLObjectType({
  name: 'Thing',
  interfaces: [Node],
  fields: () => ({
    here: { type: GraphQLInt },
    ...fieldsOf((type) => type, ''),
    ...fieldsOf((type) => new GraphQLNonNull(type), 'Always'),
  }),
});
const schema = new GraphQLSchema({ query: Thing, mutation: Thing, types: [Thing] });
const { execute } = createYoga({ schema, logging: false, maskedErrors: false }).getEnveloped();

function shown({ data, errors, ...rest }: ExecutionResult): string {
  return JSON.stringify({ ...rest, ...(errors !== undefined && { errors }), data });
}

const below = fc.letrec<{ fields: string; field: string }>((tie) => ({
  fields: fc.array(tie('field'), { minLength: 1, maxLength: 5 }).map((fields) => `{ ${fields.join(' ')} }`),
  field: fc.oneof(
    { maxDepth: 4, weight: 1 },
    fc.constantFrom('here', '__typename', 'value', ...Object.keys(LEAVES), 'picky', 'list', 'noList', 'listAlways'),
    fc.constantFrom('laterAlways', 'noneAlways', 'throwsAlways', 'rejectsAlways', 'rejectsLateAlways', 'pickyAlways', 'unfitAlways', 'throwsManyAlways'),
    fc
      .tuple(fc.constantFrom('thing', 'thingLater', 'good', 'node', 'lost', 'thingAlways', 'thingLaterAlways', 'goodAlways', 'nodeAlways'), tie('fields'))
      .map(([name, fields]) => (name.startsWith('node') || name.startsWith('lost') ? `${name} { __typename ... on Thing ${fields} }` : `${name} ${fields}`)),
  ),
})).fields;

describe('a plan', () => {
  test.each(['query', 'mutation'])('answers a %s as the executor does, key by key and error by error', async (kind) => {
    await fc.assert(
      fc.asyncProperty(below, async (fields) => {
        const document = parse(`${kind} ${fields}`);
        const plan = planOperation(schema, document, null);
        if (plan === null) throw new Error('there is no plan');
        const [planned, executed] = await Promise.all([executePlan(plan, {}), execute({ schema, document, contextValue: {} })]);
        expect(planned === null ? null : shown(planned)).toBe(shown(executed as ExecutionResult));
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
