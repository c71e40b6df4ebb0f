/** Scopes, hidden schema and cost at the gate: refused alike on every way in, before anything runs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scope, SCOPES } from '../../src/domain/access.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { keyWith } from '../support/rights.ts';
import { connectSocket, EVENTS, openSocket } from '../support/sockets.ts';
import { tenant } from '../support/tenants.ts';

const SUBMIT = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { ... on SubmitJobSuccess { job { id payload payloadRedacted } } } }';
const job = (change: object = {}) => ({ input: { queue: 'q', task: 't', payload: { secret: 1 }, ...change } });
const NESTED = '{ jobs(first: 100) { nodes { queue { jobs(first: 100) { nodes { id } } } } } }';
const NESTED_FEED =
  'subscription ($n: Int! = 1000) { jobEvents(maxBatch: $n) { ... on JobEventBatch { events { job { tags { key } lastError { at } lease { renewals } progress { note } } } } } }';
const INTROSPECTION = '{ __schema { queryType { name } } }';
const MISSPELT = '{ job2 { id } }';

const waiting = async ({ store }: TestApp): Promise<number> => (await store.stats(tenant('default'))).counts.queued;
/** Exactly so many bytes, most of them in a comment of letters that take two. */
const sized = (text: string, bytes: number): string => `${text} #${bytes % 2 === text.length % 2 ? '' : 'x'}${'ü'.repeat((bytes - text.length - 2) >> 1)}`;

describe.each([
  ['the short way', true],
  ['the long way', false],
])('%s', (_name, shortWay) => {
  const apps: Record<string, TestApp> = {};
  const start = async (name: string, ...scopes: readonly Scope[]): Promise<void> => {
    apps[name] = await startApp({ shortWay, rights: keyWith(...scopes) });
  };
  const app = (name: string): TestApp => {
    const found = apps[name];
    if (found === undefined) throw new Error(`no server for a ${name}`);
    return found;
  };
  beforeAll(async () => {
    await Promise.all([start('producer', 'SUBMIT'), start('observer', 'READ'), start('administrator', ...SCOPES)]);
  });
  afterAll(async () => {
    await Promise.all(Object.values(apps).map(({ app: running }) => running.stop()));
  });

  test('refuses the whole request where one field needs a scope that is missing, and nothing has run', async () => {
    const both = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename } pauseQueue(input: {name: "q"}) { __typename } }';
    for (let time = 0; time < 3; time++) {
      const answer = await app('producer').graphql(both, job());
      expect([answer.status, answer.data, answer.errors]).toEqual([
        403,
        undefined,
        [
          {
            message:
              'Mutation.pauseQueue needs the scope OPERATE, which this key does not have. Nothing was run: leave the field out, or use a key with the scope.',
            extensions: { code: 'FORBIDDEN', field: 'Mutation.pauseQueue', scopes: ['OPERATE'] },
          },
        ],
      ]);
    }
    expect(await waiting(app('producer'))).toBe(0);
  });

  test('lets a producer submit and read what it submitted, and not walk on from there', async () => {
    const { data } = await app('producer').graphql(SUBMIT, job());
    expect(await waiting(app('producer'))).toBe(1);
    expect(data.submitJob.job).toMatchObject({ payload: null, payloadRedacted: true });
    const walking = SUBMIT.replace('payload ', 'queue { name } ');
    expect((await app('producer').graphql(walking, job())).errors[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', field: 'Job.queue' });
    expect((await app('producer').graphql('{ stats { ready } }')).status).toBe(403);
    expect((await app('observer').graphql('{ stats { ready } }')).status).toBe(200);
    expect((await app('observer').graphql(SUBMIT, job())).status).toBe(403);
  });

  test('answers 403 to whatever media type was asked for, and to GET', async () => {
    for (const accept of ['application/json', 'application/graphql-response+json', 'text/event-stream']) {
      const response = await fetch(`${app('producer').url}/graphql?${new URLSearchParams({ query: '{ stats { ready } }' })}`, { headers: { accept } });
      expect([response.status, await response.text()], accept).toEqual([403, expect.stringContaining('"code":"FORBIDDEN"')]);
    }
  });

  test('cannot be passed by a name that tells no operation', async () => {
    const query = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename } } ';
    for (const operationName of ['', 'X', null, undefined]) {
      const response = await fetch(`${app('observer').url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: job(), operationName }),
      });
      expect(await response.json()).toEqual({ errors: [expect.objectContaining({ message: expect.any(String) })] });
    }
    expect(await waiting(app('observer'))).toBe(0);
  });

  test('is judged before the variables are', async () => {
    expect((await app('observer').graphql(SUBMIT, { input: { task: 5 } })).errors[0]?.extensions['code']).toBe('FORBIDDEN');
    expect((await app('producer').graphql(SUBMIT, { input: { task: 5 } })).errors[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });

  test('refuses what costs too much', async () => {
    const answer = await app('observer').graphql(NESTED);
    expect([answer.status, answer.data, answer.errors[0]?.extensions]).toEqual([
      400,
      undefined,
      { code: 'OPERATION_TOO_COMPLEX', kind: 'cost', found: 11_210, max: LIMITS.operationCostMax },
    ]);
  });

  test(`takes a document of ${LIMITS.documentBytesMax} bytes, and not one more`, async () => {
    const asked = async (bytes: number) => app('observer').graphql(sized('{ stats { ready } }', bytes));
    expect((await asked(LIMITS.documentBytesMax)).data).toEqual({ stats: { ready: 0 } });
    const beyond = await asked(LIMITS.documentBytesMax + 1);
    expect([beyond.status, beyond.errors[0]?.extensions]).toEqual([
      400,
      { code: 'OPERATION_TOO_COMPLEX', kind: 'bytes', found: LIMITS.documentBytesMax + 1, max: LIMITS.documentBytesMax },
    ]);
  });

  test('leaves a page that is too large to the check of its argument', async () => {
    const documents: Readonly<Record<string, string>> = {
      'Query.jobs': 'query ($n: Int) { jobs(first: $n) { nodes { id } } }',
      'Query.jobs from the end': 'query ($n: Int) { jobs(last: $n) { nodes { id } } }',
      'Query.jobEvents': 'query ($n: Int) { jobEvents(first: $n) { nodes { kind } } }',
      'Query.queues': 'query ($n: Int) { queues(first: $n) { nodes { name } } }',
      'Queue.jobs': 'query ($n: Int) { queue(name: "pages") { jobs(first: $n) { nodes { id } } } }',
      'Job.attempts': 'query ($n: Int) { jobs(first: 1) { nodes { attempts(first: $n) { nodes { fence } } } } }',
      'Job.events': 'query ($n: Int) { jobs(first: 1) { nodes { events(first: $n) { nodes { kind } } } } }',
    };
    await app('administrator').submit({ queue: 'pages' });
    for (const [name, query] of Object.entries(documents)) {
      const codes = async (n: number) => (await app('administrator').graphql(query, { n })).errors.map(({ extensions }) => extensions['code']);
      expect(await codes(LIMITS.pageItemsMax), name).toEqual([]);
      expect(await codes(LIMITS.pageItemsMax + 1), name).toEqual(['BAD_USER_INPUT']);
      expect(await codes(2_000_000_000), name).toEqual(['BAD_USER_INPUT']);
    }
  });

  test('shows the schema in production to ADMIN only, whoever asked the same before', async () => {
    for (let time = 0; time < 2; time++) {
      const hidden = await app('observer').graphql(INTROSPECTION);
      expect([hidden.status, hidden.data, hidden.errors[0]?.message, hidden.errors[0]?.extensions]).toEqual([
        200,
        undefined,
        'GraphQL introspection has been disabled, but the requested query contained the field "__schema".',
        { code: 'GRAPHQL_VALIDATION_FAILED' },
      ]);
      expect((await app('administrator').graphql(INTROSPECTION)).data).toEqual({ __schema: { queryType: { name: 'Query' } } });
    }
  });

  test.each([
    ['a field', MISSPELT, {}],
    ['an argument', '{ jobs(frist: 1) { nodes { id } } }', {}],
    ['a type', 'query ($f: JobFiltre) { jobs(filter: $f) { nodes { id } } }', {}],
    ['an enum value', '{ jobs(orderBy: NEWEST_FRIST) { nodes { id } } }', {}],
    ['a field of an input', 'mutation { submitJob(input: {taks: "t", task: "t"}) { __typename } }', {}],
    ['a field of a variable', SUBMIT, { input: { taks: 't', task: 't' } }],
    ['an enum value of a variable', 'query ($o: JobOrder) { jobs(orderBy: $o) { nodes { id } } }', { o: 'NEWEST_FRIST' }],
    ['a directive', '{ __typename @skp(if: true) }', {}],
  ])('helps nobody but ADMIN to guess %s', async (_what, query, variables) => {
    for (const who of ['producer', 'observer']) {
      const { text, errors } = await app(who).graphql(query, variables);
      expect(errors.length, text).toBeGreaterThan(0);
      expect(text).not.toMatch(/did you mean/i);
    }
  });

  test('helps ADMIN, whoever asked the same before', async () => {
    for (let time = 0; time < 2; time++) {
      expect((await app('administrator').graphql(MISSPELT)).errors[0]?.message).toBe(
        'Cannot query field "job2" on type "Query". Did you mean "job" or "jobs"?',
      );
    }
  });
});

test('one server gives each principal the hints that are theirs, from one cache', async () => {
  const rights = { current: keyWith('READ') };
  await using app = await startApp({
    rights: {
      get key() {
        return rights.current.key;
      },
      get scopes() {
        return rights.current.scopes;
      },
    },
  });
  for (const [scope, hints] of [
    ['READ', false],
    ['ADMIN', true],
    ['READ', false],
    ['ADMIN', true],
  ] as const) {
    rights.current = keyWith(scope);
    expect(/did you mean/i.test((await app.graphql(MISSPELT)).text), scope).toBe(hints);
    expect((await app.graphql(INTROSPECTION)).data !== undefined, scope).toBe(hints);
  }
});

describe('an event stream', () => {
  test('is refused where the scope is missing or it costs too much, and follows nothing', async () => {
    await using producer = await startApp({ rights: keyWith('SUBMIT') });
    await using observer = await startApp({ rights: keyWith('READ') });
    const forbidden = await openEventStream(producer.url, EVENTS);
    expect([forbidden.status, await forbidden.next()]).toEqual([
      403,
      { errors: [expect.objectContaining({ extensions: { code: 'FORBIDDEN', field: 'Subscription.jobEvents', scopes: ['READ'] } })] },
    ]);
    const costly = await openEventStream(observer.url, NESTED_FEED);
    expect([costly.status, await costly.next()]).toEqual([
      400,
      { errors: [expect.objectContaining({ extensions: { code: 'OPERATION_TOO_COMPLEX', kind: 'cost', found: 6_001, max: LIMITS.operationCostMax } })] },
    ]);
    expect(await forbidden.next()).toBeNull();
    expect([producer.app.followers(), observer.app.followers()]).toEqual([0, 0]);
    const affordable = await openEventStream(observer.url, NESTED_FEED, { n: 800 });
    expect(affordable.status).toBe(200);
    affordable.abort();
  });
});

describe('a socket', () => {
  test('of a key without the scope is closed with the reason', async () => {
    await using app = await startApp({ rights: keyWith('SUBMIT') });
    const socket = await openSocket(app.wsUrl);
    socket.send({ type: 'connection_init' });
    expect(await socket.closed).toEqual({ code: 4403, reason: expect.stringMatching(/lacks the scope READ/) });
    expect(app.app.followers()).toBe(0);
  });

  test('stays open where an operation costs too much, and tells no names', async () => {
    await using app = await startApp({ rights: keyWith('READ') });
    const socket = await connectSocket(app.wsUrl);
    socket.subscribe('1', NESTED_FEED);
    expect(await socket.nextOf('1')).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'OPERATION_TOO_COMPLEX', kind: 'cost', found: 6_001 } }] });
    socket.subscribe('2', 'subscription { jobEvent { __typename } }');
    const { payload } = await socket.nextOf('2');
    expect(payload).toMatchObject([{ message: 'Cannot query field "jobEvent" on type "Subscription".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    socket.subscribe('4', sized(EVENTS, LIMITS.documentBytesMax + 1));
    expect(await socket.nextOf('4')).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'OPERATION_TOO_COMPLEX', kind: 'bytes' } }] });
    socket.subscribe('5', sized(EVENTS, LIMITS.documentBytesMax));
    expect(await socket.nextOf('5')).toMatchObject({ type: 'next' });
    socket.subscribe('3', NESTED_FEED, { n: 800 });
    expect(await socket.nextOf('3')).toMatchObject({ type: 'next' });
    socket.socket.close();
  });
});
