/** Values of variables against the library's own way of fitting them, for every input type of the API. */
import fc from 'fast-check';
import { coerceInputValue, GraphQLInputObjectType, type GraphQLInputType, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLString, isInputType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { coerceInput } from '../../src/graphql/coerce-input.ts';
import { parseJson } from '../../src/domain/json.ts';
import { schema } from '../../src/graphql/schema.ts';

const Nested: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'Nested',
  fields: () => ({
    needed: { type: new GraphQLNonNull(GraphQLInt) },
    usual: { type: GraphQLInt, default: { value: 7 } },
    usualList: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)), default: { value: ['a'] } },
    usualNull: { type: GraphQLString, default: { value: null } },
    neededUsual: { type: new GraphQLNonNull(GraphQLString), default: { value: 'x' } },
    more: { type: new GraphQLList(Nested) },
  }),
});

const TYPES: readonly GraphQLInputType[] = [
  ...Object.values(schema.getTypeMap()).filter((type) => isInputType(type)),
  ...[Nested, new GraphQLNonNull(Nested), new GraphQLList(Nested)],
];

/** By the names of the type's fields and of others, with values that fit and values that do not. */
function valuesFor(names: readonly string[]): fc.Arbitrary<unknown> {
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, true, 0, -1, 1.5, 2 ** 31, '', 'a', 'ASC', 'STORE_GOOD', '2026-03-01T12:00:00Z', [], {}, 'constructor'),
    fc.constant(parseJson('{"n":12345678901234567890}')),
    fc.constant(parseJson('12345678901234567890')),
  );
  const { tree } = fc.letrec<{ readonly tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, ...['needed', 'other', 'toString']), tie('tree'), { maxKeys: 5 }),
    ),
  }));
  return tree;
}

const plain = (value: unknown): unknown => (value === undefined ? 'does not fit' : JSON.parse(JSON.stringify({ value })));

describe('a value of a variable', () => {
  test.each(TYPES.map((type) => [String(type), type] as const))('of %s becomes what the library makes of it', (_name, type) => {
    const fields = 'getFields' in type ? Object.keys(type.getFields()) : ['needed', 'usual', 'usualList', 'usualNull', 'neededUsual', 'more'];
    fc.assert(
      fc.property(valuesFor(fields), (value) => {
        expect(plain(coerceInput(value, type))).toEqual(plain(coerceInputValue(value, type)));
      }),
      { numRuns: 300 },
    );
  });

  test('of a submission that says everything, or next to nothing, fits', () => {
    const type = schema.getType('SubmitJobsInput');
    if (!isInputType(type)) throw new Error('there is no such input');
    const whole = { queue: 'q', task: 't', payload: { a: [1] }, priority: 1, start: { inSeconds: 5 }, tags: [{ key: 'k', value: 'v' }], idempotencyKey: null };
    const given = { jobs: [{ task: 't' }, whole], onFailure: 'ALL_OR_NOTHING' };
    expect(coerceInput(given, type)).toEqual(coerceInputValue(given, type));
    expect(coerceInput({ jobs: [{ task: 't', shape: 1 }] }, type)).toBeUndefined();
  });

  test('takes nothing from what every object inherits', () => {
    const coerced = coerceInput({ needed: 1 }, Nested) as object;
    expect('toString' in coerced || 'constructor' in coerced).toBe(false);
  });
});
