import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { StoreFault } from '../../src/store/store.ts';
import { type GraphqlAnswer, startApp, type TestApp } from '../support/app.ts';

const GRAPHQL_JSON = { accept: 'application/graphql-response+json' };
const code = ({ errors }: GraphqlAnswer): unknown => errors[0]?.extensions['code'];

/** What the store throws next, whatever is asked. */
const faults: { next: unknown } = { next: null };

function spoiled(store: LeaseRepository): LeaseRepository {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== 'stats' && name !== 'latestPosition') return member;
      return async (...given: unknown[]): Promise<unknown> => {
        if (faults.next !== null) throw faults.next;
        return Reflect.apply(member as () => Promise<unknown>, target, given);
      };
    },
  });
}

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ spoil: spoiled });
});
afterAll(() => server.app.stop());

/** As long as a token, and a name to GraphQL. */
const LONG = 's3cret_'.repeat(6) + 's';

describe('the status of an answer', () => {
  const deep = `{ job(by: {id: "x"}) { ${'queue { jobs { nodes { '.repeat(4)} id ${'} } } '.repeat(4)} } }`;
  const SUBMIT = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename } }';

  test.each([
    ['an answer', '{ __typename }', {}, undefined, 200, 200],
    ['broken text', '{ ', {}, 'GRAPHQL_PARSE_FAILED', 200, 400],
    ['an unknown field', '{ nope }', {}, 'GRAPHQL_VALIDATION_FAILED', 200, 400],
    ['a wrong variable', SUBMIT, { input: { task: 5 } }, 'BAD_USER_INPUT', 200, 400],
    ['a wrong value', SUBMIT, { input: { task: '' } }, 'BAD_USER_INPUT', 200, 400],
    ['a large payload', SUBMIT, { input: { task: 't', payload: { x: 'x'.repeat(65_536) } } }, 'PAYLOAD_TOO_LARGE', 200, 200],
    ['a bad cursor', '{ jobEvents(after: "x") { hasMore } }', {}, 'INVALID_CURSOR', 200, 200],
    ['too many aliases', `{ ${Array.from({ length: 31 }, (_, index) => `a${index}: __typename`).join(' ')} }`, {}, 'OPERATION_TOO_COMPLEX', 400, 400],
    ['too many tokens', `{ ${'__typename '.repeat(2_000)} }`, {}, 'OPERATION_TOO_COMPLEX', 400, 400],
    ['too deep', deep, {}, 'OPERATION_TOO_COMPLEX', 400, 400],
  ])('for %s', async (_name, query, variables, expected, plain, graphql) => {
    const [asJson, asGraphql] = [await server.graphql(query, variables), await server.graphql(query, variables, GRAPHQL_JSON)];
    expect([code(asJson), asJson.status, code(asGraphql), asGraphql.status]).toEqual([expected, plain, expected, graphql]);
    expect(asJson.text).not.toMatch(/"http"|"unexpected"|"stacktrace"/);
  });

  test('is 200 where one of several fields was answered', async () => {
    const answer = await server.graphql(
      'mutation { a: submitJob(input: {task: ""}) { __typename } b: submitJob(input: {task: "t"}) { __typename } }',
      {},
      GRAPHQL_JSON,
    );
    expect([answer.status, code(answer), answer.data]).toEqual([200, 'BAD_USER_INPUT', { a: null, b: { __typename: 'SubmitJobSuccess' } }]);
  });

  test.each(['busy', 'full', 'fatal', 'stopping'] as const)('is 503 where the store is %s, and says whether the outcome is known', async (kind) => {
    faults.next = new StoreFault(kind, 'SQLITE_SECRET: /var/lib/secret.db', { outcomeUnknown: kind === 'fatal' });
    const answer = await server.graphql('{ stats { ready } }');
    faults.next = null;
    expect([answer.status, code(answer), answer.errors[0]?.extensions['outcomeUnknown']]).toEqual([503, 'SERVICE_UNAVAILABLE', kind === 'fatal']);
    expect(answer.text).not.toMatch(/SQLITE|secret/);
    expect((await server.graphql('{ stats { ready } __typename }')).status).toBe(200);
  });
});

describe('an error that nobody expected (B134)', () => {
  const causes = [
    ['of the database', Object.assign(new Error('UNIQUE constraint failed: jobs.secret'), { code: 'SQLITE_CONSTRAINT_UNIQUE' })],
    ['that is a text', 'secret text'],
    ['that is nothing', undefined],
    ['that is an object', { secret: true }],
  ] as const;

  test.each(causes)('%s is masked, and logged once with the id that the client got and the operation', async (_name, cause) => {
    faults.next = cause;
    const from = server.logs.length;
    const answer = await server.graphql('query Figures { stats { ready } __typename }');
    faults.next = null;
    const [error] = answer.errors;
    expect([answer.status, answer.data, error?.message, error?.path]).toEqual([200, { stats: null, __typename: 'Query' }, 'Unexpected error.', ['stats']]);
    expect(Object.keys(error?.extensions ?? {})).toEqual(['code', 'requestId']);
    expect(answer.text).not.toMatch(/secret|constraint|\.ts|SQLITE/i);
    const logged = server.logs.slice(from).filter(({ level }) => level === 'error');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ requestId: error?.extensions['requestId'], operation: 'Figures', error: expect.anything() });
  });

  test('is masked on an event stream too, which ends', async () => {
    faults.next = new Error('secret');
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription Watch { jobEvents { __typename } }' }),
    });
    const text = await response.text();
    faults.next = null;
    expect(text).toContain('"code":"INTERNAL_SERVER_ERROR"');
    expect(text).not.toMatch(/secret/);
    expect(server.logs.filter(({ operation }) => operation === 'Watch')).toHaveLength(1);
    expect(server.app.followers()).toBe(0);
  });
});

describe('production', () => {
  test.each(['{ __schema { queryType { name } } }', '{ __type(name: "Job") { name } }'])('does not explain its schema to %s', async (query) => {
    expect(code(await server.graphql(query))).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('does not help to guess names', async () => {
    expect((await server.graphql('{ job2 { id } }')).errors[0]?.message).not.toMatch(/did you mean/i);
  });

  test('has no GraphiQL', async () => {
    const response = await fetch(`${server.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(406);
  });
});

describe('development', () => {
  test('has GraphiQL from this server alone, introspection, and the schema as text', async () => {
    await using dev = await startApp({ config: { environment: 'development' } });
    const page = await fetch(`${dev.url}/graphql`, { headers: { accept: 'text/html,application/xhtml+xml' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
    expect(page.headers.get('content-security-policy')).toMatch(/connect-src 'self'.*frame-ancestors 'none'/);
    expect(await page.text()).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="https?:/);
    expect((await dev.graphql('{ __schema { queryType { name } } }')).data).toEqual({ __schema: { queryType: { name: 'Query' } } });
    expect(await (await fetch(`${dev.url}/schema.graphql`)).text()).toContain('type Job {');
  });
});

describe('values that were sent', () => {
  test.each([
    ['the name of an operation that is not there', '{ __typename }', LONG],
    ['one of several', 'query A { __typename } query B { __typename }', LONG],
  ])('as %s do not come back', async (_name, query, operationName) => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, operationName }),
    });
    const text = await response.text();
    expect(text).toContain('GRAPHQL_VALIDATION_FAILED');
    expect(text).not.toContain(LONG);
  });

  test('as the name of an operation that fails are not logged', async () => {
    faults.next = new Error('s3cret');
    const from = server.logs.length;
    await server.graphql(`query ${LONG} { stats { ready } }`);
    faults.next = null;
    expect(server.logs.slice(from).filter(({ level }) => level === 'error')).toMatchObject([{ operation: 'stats' }]);
    expect(JSON.stringify(server.logs)).not.toContain('s3cret');
  });

  test.each([
    ['in a variable of the wrong type', 'mutation($i: SubmitJobInput!) { submitJob(input: $i) { __typename } }', { i: { task: { s3cret: 's3cret' } } }],
    ['as an unknown field of a variable', 'mutation($i: SubmitJobInput!) { submitJob(input: $i) { __typename } }', { i: { task: 't', 's3cret value': 1 } }],
    ['in the document', 'mutation { submitJob(input: {task: "t", priority: "s3cret"}) { __typename } }', {}],
    ['after a broken document', 'mutation { submitJob(input: {task: "t" payload} "s3cret") }', {}],
    ['as a token', 'mutation { completeJob(input: {jobId: "s3cret", leaseToken: 5}) { __typename } }', {}],
    ['as a token without quotes', `mutation { completeJob(input: {jobId: "1", leaseToken: ${LONG}}) { __typename } }`, {}],
    ['as a name where none can be', `mutation { completeJob(input: {jobId: "1" ${LONG}}) ${LONG} }`, {}],
    ['as a field', `{ ${LONG} }`, {}],
    ['as an argument', `{ stats(${LONG}: 1) { ready } }`, {}],
    ['as a variable that is not there', `{ job(by: {id: $${LONG}}) { id } }`, {}],
    ['as a type', `query ($x: ${LONG}) { __typename }`, {}],
    ['as a fragment', `{ ...${LONG} }`, {}],
    ['as a directive', `{ __typename @${LONG} }`, {}],
    ['as the field of an input', `{ job(by: {${LONG}: "1"}) { id } }`, {}],
    ['as the field of a variable', 'query($by: JobSelector!) { job(by: $by) { id } }', { by: { [LONG]: '1' } }],
  ])('%s do not come back, and are not logged', async (_name, query, variables) => {
    const answer = await server.graphql(query, variables);
    expect(answer.errors.length).toBeGreaterThan(0);
    expect(answer.text).not.toContain('s3cret');
    expect(JSON.stringify(server.logs)).not.toContain('s3cret');
  });
});

describe('tokens that are none (B131)', () => {
  const COMPLETE = 'mutation($t: String!, $id: ID!) { completeJob(input: {jobId: $id, leaseToken: $t}) { __typename ... on LeaseLost { reason } } }';

  test('are all answered alike, without an error or a line in the log', async () => {
    const id = await server.submit({ queue: 'b131' });
    const claim = await server.graphql('mutation { claimJobs(input: {queues: ["b131"], workerId: "w"}) { leases { leaseToken } } }');
    const token: string = claim.data.claimJobs.leases[0].leaseToken;
    const wrong = ['', token.slice(1), `${token}x`, 'é'.repeat(token.length), `${token} `, token.toUpperCase(), 'x'.repeat(60_000), '\u0000'.repeat(10), '🦊'];
    const answers = await Promise.all(wrong.map((t) => server.graphql(COMPLETE, { t, id })));
    for (const [index, answer] of answers.entries()) {
      const refusal = answer.errors[0]?.extensions['code'] ?? answer.data.completeJob;
      expect([answer.status, refusal], `token ${index}`).toEqual([200, expect.toSatisfy((told: unknown) => told === 'BAD_USER_INPUT' || isUnknownToken(told))]);
    }
    expect(JSON.stringify(server.logs)).not.toContain(token.slice(5, 30));
    const right = await server.graphql(COMPLETE, { t: token, id });
    expect(right.data.completeJob).toMatchObject({ __typename: 'CompleteJobSuccess' });
  });
});

function isUnknownToken(told: unknown): boolean {
  return JSON.stringify(told) === JSON.stringify({ __typename: 'LeaseLost', reason: 'UNKNOWN_TOKEN' });
}
