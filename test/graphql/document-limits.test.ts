/** How large a document may be, at each limit and one beyond. */
import { getIntrospectionQuery, type GraphQLError, parse, specifiedRules, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { DocumentLimitsRule, parseDocument, refusalOverSocket } from '../../src/graphql/document-limits.ts';
import { schema } from '../../src/graphql/schema.ts';

const measured = (document: string): readonly unknown[] => validate(schema, parse(document), [DocumentLimitsRule]).map(({ extensions }) => extensions);
const tooComplex = (kind: string, max: number, found = max + 1) => ({ code: 'OPERATION_TOO_COMPLEX', kind, found, max, http: { status: 400 } });
const many = (count: number, item: (index: number) => string): string => Array.from({ length: count }, (_none, index) => item(index)).join(' ');

/** `queue { jobs { nodes { queue … } } }`, so many fields deep. */
function deep(fields: number): string {
  const path = Array.from({ length: fields - 1 }, (_none, index) => ['queue(name: "q")', 'jobs', 'nodes', 'queue'][index === 0 ? 0 : 1 + ((index - 1) % 3)]);
  return `{ ${path.join(' { ')} { __typename ${'}'.repeat(fields)}`;
}

const CASES: readonly (readonly [string, string, number, (count: number) => string])[] = [
  ['fields deep', 'depth', LIMITS.documentDepthMax, deep],
  ['aliases', 'aliases', LIMITS.documentAliasesMax, (count) => `{ stats { ${many(count, (index) => `a${index}: ready`)} } }`],
  ['root fields', 'rootFields', LIMITS.documentRootFieldsMax, (count) => `{ ${many(count, () => '__typename')} }`],
  ['root fields of a fragment', 'rootFields', LIMITS.documentRootFieldsMax, (count) => `{ ...A } fragment A on Query { ${many(count, () => '__typename')} }`],
  ['directives', 'directives', LIMITS.documentDirectivesMax, (count) => `{ stats { ready ${many(count, () => '@skip(if: false)')} } }`],
  ['directives of an operation', 'directives', LIMITS.documentDirectivesMax, (count) => `query Q ${many(count, () => '@skip(if: false)')} { stats { ready } }`],
];

describe.each(CASES)('%s', (_what, kind, max, document) => {
  test(`may be ${max}, and not one more`, () => {
    expect(measured(document(max))).toEqual([]);
    expect(measured(document(max + 1))).toEqual([tooComplex(kind, max)]);
  });
});

describe('tokens', () => {
  /** `{`, then names, then `}`. */
  const sized = (tokens: number): string => `{ ${many(tokens - 2, () => 'a')} }`;

  test(`may be ${LIMITS.documentTokensMax}, and not one more`, () => {
    expect(() => parseDocument(sized(LIMITS.documentTokensMax))).not.toThrow();
    expect(() => parseDocument(sized(LIMITS.documentTokensMax + 1))).toThrow(
      expect.objectContaining({ extensions: tooComplex('tokens', LIMITS.documentTokensMax) }),
    );
  });

  test('are not counted by what the document says', () => {
    expect(() => parseDocument('{ "Document contains more than 2000 tokens" }')).toThrow(
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'GRAPHQL_PARSE_FAILED' }) as unknown }),
    );
  });

  test('of a value are not repeated by a syntax error', () => {
    for (const bad of ['{ "hunter2" }', '{ """hunter2 "x" """ }', '{ a(b: 7 8 }']) {
      const error = caught(() => parseDocument(bad));
      expect(error.message).toMatch(/^Syntax Error: /);
      expect(error.message).not.toMatch(/hunter2|8/);
      expect(error.extensions).toEqual({ code: 'GRAPHQL_PARSE_FAILED', http: { spec: true, status: 400 } });
      expect(error.locations).toHaveLength(1);
    }
  });
});

function caught(run: () => unknown): GraphQLError {
  try {
    run();
  } catch (error) {
    return error as GraphQLError;
  }
  throw new Error('nothing was thrown');
}

describe('fragments', () => {
  test('count as often as they are spread', () => {
    const document = `{ stats { ...A } again: stats { ...A } } fragment A on Stats { ${many(15, (index) => `a${index}: ready`)} }`;
    expect(measured(document)).toEqual([tooComplex('aliases', LIMITS.documentAliasesMax, 31)]);
  });

  test('that double at every step are measured at once', () => {
    const bomb = `{ stats { ...F0 } } ${many(100, (index) => `fragment F${index} on Stats { ...F${index + 1} ...F${index + 1} }`)} fragment F100 on Stats { a: ready }`;
    expect(measured(bomb)).toEqual([tooComplex('aliases', LIMITS.documentAliasesMax, Number.MAX_SAFE_INTEGER)]);
  });

  test('in a circle do not hang', () => {
    expect(measured('{ stats { ...A } } fragment A on Stats { ...B } fragment B on Stats { ...A }')).toEqual([]);
  });
});

describe('introspection', () => {
  test('as tools ask it is within the limits', () => {
    const query = getIntrospectionQuery({
      inputValueDeprecation: true,
      specifiedByUrl: true,
      oneOf: true,
      schemaDescription: true,
      directiveIsRepeatable: true,
    });
    expect(validate(schema, parseDocument(query), [...specifiedRules, DocumentLimitsRule])).toEqual([]);
  });

  test('that goes in circles is refused by its own rule', () => {
    const bomb = `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} }'.repeat(4)} } } }`;
    expect(validate(schema, parse(bomb), [...specifiedRules, DocumentLimitsRule])).not.toEqual([]);
  });
});

describe('a WebSocket', () => {
  const both = parse('query Q { stats { ready } } subscription S { stats { ready } } mutation M { __typename }');

  test('carries subscriptions', () => {
    expect(refusalOverSocket(both, 'S')).toBeNull();
    expect(refusalOverSocket(parse('subscription { stats { ready } }'))).toBeNull();
  });

  test.each(['Q', 'M'])('does not carry %s', (name) => {
    expect(refusalOverSocket(both, name)?.message).toContain('Queries and mutations go over HTTP');
    expect(refusalOverSocket(both, name)?.extensions['code']).toBe('BAD_USER_INPUT');
  });

  test('leaves an operation that cannot be told to the executor', () => {
    expect(refusalOverSocket(both)).toBeNull();
    expect(refusalOverSocket(both, 'X')).toBeNull();
  });
});
