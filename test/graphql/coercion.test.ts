/** Values that do not fit their types: where and why, and never what. Judged through the executor that serves requests. */
import { type GraphQLError, parse, validate } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/domain/json.ts';
import { variableIssues, withoutLiteralValues, withoutVariableValues } from '../../src/graphql/coercion.ts';
import { toPublicError } from '../../src/graphql/outcome.ts';
import { schema } from '../../src/graphql/schema.ts';

const SECRET = 'hunter2';

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

const rewriting: Plugin = {
  onExecute: ({ args }) => ({
    onExecuteDone: ({ result, setResult }) => {
      if ('errors' in result && result.errors !== undefined) setResult({ ...result, errors: [...withoutVariableValues(result.errors, args)] });
    },
  }),
};
const yoga = createYoga({ schema, logging: false, maskedErrors: { maskError: (error) => toPublicError(error, () => 'r1') }, plugins: [rewriting] });

async function ask(
  query: string,
  variables: unknown,
  accept = 'application/json',
): Promise<{ readonly status: number; readonly text: string; readonly answer: Answer }> {
  const body = JSON.stringify({ query, variables });
  const response = await yoga.fetch('http://localhost/graphql', { method: 'POST', body, headers: { 'content-type': 'application/json', accept } });
  const text = await response.text();
  return { status: response.status, text, answer: JSON.parse(text) as Answer };
}

const SUBMIT = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename } }';

describe('variables', () => {
  const CASES: readonly (readonly [string, unknown, string, string])[] = [
    ['a text for a number', { task: 't', maxAttempts: SECRET }, 'input.maxAttempts', 'must be a whole number between -2147483648 and 2147483647'],
    ['a fraction for a whole number', { task: 't', priority: 1.5 }, 'input.priority', 'must be a whole number between -2147483648 and 2147483647'],
    ['a number for a text', { task: 7 }, 'input.task', 'must be text'],
    ['null for what is needed', { task: null }, 'input.task', 'must not be null'],
    ['nothing for what is needed', {}, 'input.task', 'is required'],
    ['null for a payload', { task: 't', payload: null }, 'input.payload', 'must not be null'],
    ['a list for an object', { task: 't', payload: [SECRET] }, 'input.payload', 'must be a JSON object'],
    ['a time without a zone', { task: 't', start: { at: '2026-03-01T12:00:00' } }, 'input.start.at', expect.stringContaining('RFC 3339 instant with a zone')],
    [
      'two of one',
      { task: 't', start: { at: '2026-03-01T12:00:00Z', inSeconds: 1 } },
      'input.start',
      expect.stringContaining('exactly one of the fields at, inSeconds'),
    ],
    ['none of one', { task: 't', start: {} }, 'input.start', expect.stringContaining('exactly one of')],
    ['null of one', { task: 't', start: { at: null } }, 'input.start', expect.stringContaining('exactly one of')],
    ['an unknown field', { task: 't', maxAttempt: SECRET }, 'input.maxAttempt', 'is not a field of SubmitJobInput'],
    ['a value where a field is expected', { task: 't', [`${SECRET} ${SECRET}`]: 1 }, 'input', 'has a field that SubmitJobInput does not have'],
    ['a text for an object', SECRET, 'input', 'must be an object of type SubmitJobInput'],
    [
      'a fault inside a list',
      {
        task: 't',
        tags: [
          { key: 'a', value: 'b' },
          { key: SECRET, value: 7 },
        ],
      },
      'input.tags.1.value',
      'must be text',
    ],
  ];

  test.each(CASES)('with %s are bad input with the place', async (_what, input, path, message) => {
    const { status, text, answer } = await ask(SUBMIT, { input });
    expect(status).toBe(200);
    expect(answer.errors?.map(({ extensions }) => extensions['code'])).toEqual(['BAD_USER_INPUT']);
    const issues = answer.errors?.[0]?.extensions['issues'] as readonly { readonly path: readonly string[]; readonly message: string }[];
    expect(issues.map((issue) => ({ ...issue, path: issue.path.join('.') }))).toEqual([{ path, message }]);
    expect(text).not.toContain(SECRET);
  });

  test('that are missing are bad input', async () => {
    const { answer } = await ask(SUBMIT, {});
    expect(answer.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', issues: [{ path: ['input'], message: 'is required' }] });
  });

  test('with several faults are refused for all of them in one error', async () => {
    const { answer } = await ask(SUBMIT, { input: { task: 7, priority: SECRET, tags: [SECRET] } });
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors?.[0]?.extensions['issues']).toHaveLength(3);
  });

  test('of the media type for GraphQL answers 400', async () => {
    expect((await ask(SUBMIT, {}, 'application/graphql-response+json')).status).toBe(400);
  });

  test('name the values of an enum', () => {
    const document = parse('query ($order: JobOrder) { jobs(orderBy: $order) { count { value } } }');
    expect(variableIssues({ schema, document, variableValues: { order: SECRET } })).toEqual([
      { path: ['order'], message: 'must be one of LEASE_EXPIRY, NEWEST_FIRST, NEXT_TO_RUN, OLDEST_FIRST, RECENTLY_FINISHED' },
    ]);
  });

  test('that hold a number past 2^53 where an Int or an ID is expected are refused, not rounded', () => {
    const document = parse(
      'mutation ($input: SubmitJobInput!, $id: ID!) { submitJob(input: $input) { __typename } cancelJob(input: {id: $id}) { __typename } }',
    );
    const variableValues = parseJson('{"input": {"task": "t", "priority": 9007199254740993}, "id": 9007199254740993}') as Record<string, unknown>;
    expect(variableIssues({ schema, document, variableValues }).map(({ path }) => path)).toEqual([['input', 'priority'], ['id']]);
  });

  test('that leave a field null which may not be are bad input of the argument', async () => {
    const query = `mutation ($payload: JSONObject) { submitJob(input: {task: "${SECRET}", payload: $payload}) { __typename } }`;
    const { status, text, answer } = await ask(query, { payload: null });
    expect(status).toBe(200);
    expect(answer.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['input'] }] });
    expect(answer.data).toEqual({ submitJob: null });
    expect(text).not.toContain(SECRET);
  });

  test('leave errors that are not about them alone', () => {
    const errors: readonly GraphQLError[] = [toPublicError(new Error('x'), () => 'r1')];
    expect(withoutVariableValues(errors, { schema, document: parse('{ stats { ready } }') })).toBe(errors);
  });
});

describe('values in the document', () => {
  test.each([
    ['priority: "hunter2"', 'Int!'],
    ['task: 7', 'String'],
    ['payload: ["hunter2"]', 'JSONObject'],
    ['payload: null', 'JSONObject!'],
    ['start: {at: "hunter2"}', 'DateTime'],
    ['start: "hunter2"', 'StartInput'],
    ['start: {at: "2026-03-01T12:00:00Z", inSeconds: 7}', ''],
    ['hunter2: "hunter2 hunter2"', 'SubmitJobInput'],
  ])('such as {%s} fail validation without being repeated', (field) => {
    const task = field.startsWith('task') ? '' : 'task: "t", ';
    const errors = withoutLiteralValues(validate(schema, parse(`mutation { submitJob(input: {${task}${field}}) { __typename } }`)));
    expect(errors.length).toBeGreaterThan(0);
    for (const { message, extensions, locations } of errors) {
      expect(message).toMatch(/^A value in the document does not fit its type/);
      expect(extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED', http: { spec: true, status: 400 } });
      expect(locations).toHaveLength(1);
    }
  });

  test('say what would fit', () => {
    const [error] = withoutLiteralValues(validate(schema, parse('mutation { cancelJob(input: {id: "j", force: "hunter2"}) { __typename } }')));
    expect(error?.message).toBe('A value in the document does not fit its type Boolean: it must be true or false.');
  });

  test('say so again where the result comes out of a cache', () => {
    const once = withoutLiteralValues(validate(schema, parse('mutation { cancelJob(input: {id: "j", force: "hunter2"}) { __typename } }')));
    expect(withoutLiteralValues(once)).toEqual(once);
  });

  test('leave other errors of validation as they are', () => {
    const errors = validate(schema, parse('{ nothing }'));
    expect(withoutLiteralValues(errors)).toEqual(errors);
  });
});
