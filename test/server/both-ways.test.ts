/** The short way and the long way, side by side over equal stores: whatever is asked, both answer with the same bytes. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { StoreFault } from '../../src/store/store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { operations } from '../support/documents.ts';
import { openConnection, readToEnd } from '../support/raw-http.ts';
import { leaveTheWire } from '../support/secret-watch.ts';

/** What the store throws for a tenant of this name, from any method or from one. */
const FAULTS: Readonly<Record<string, { readonly cause: () => unknown; readonly method?: string }>> = {
  'fault-busy': { cause: () => new StoreFault('busy', 'SQLITE_BUSY', { outcomeUnknown: false }) },
  'fault-fatal': { cause: () => new StoreFault('fatal', 'gone', { outcomeUnknown: true }) },
  'fault-bug': { cause: () => new TypeError('a defect') },
  'fault-text': { cause: () => 'a text' },
  'fault-nothing': { cause: () => undefined },
  'fault-many': { cause: () => new AggregateError([new Error('one'), new Error('two')]) },
  'fault-queue': { cause: () => new Error('no queue'), method: 'queue' },
  'fault-events': { cause: () => new StoreFault('busy', 'SQLITE_BUSY', { outcomeUnknown: false }), method: 'jobEvents' },
};

function spoiled(store: LeaseRepository): LeaseRepository {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        const fault = typeof given[0] === 'string' ? FAULTS[given[0]] : undefined;
        if (fault === undefined || (fault.method !== undefined && fault.method !== name)) return Reflect.apply(member, target, given);
        return Promise.reject(fault.cause());
      };
    },
  });
}

let apps: { readonly short: TestApp; readonly long: TestApp };
let texts: readonly string[];
beforeAll(async () => {
  leaveTheWire('leaseToken');
  const [short, long] = await Promise.all([true, false].map((shortWay) => startApp({ shortWay, spoil: spoiled })));
  if (short === undefined || long === undefined) throw new Error('two servers were expected');
  apps = { short, long };
  texts = await fill();
});
afterAll(async () => {
  for (const app of [apps.short, apps.long]) {
    expect(app.fatal).toEqual([]);
    await app.app.stop();
  }
});

const JOB = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { ... on SubmitJobSuccess { job { id } } } }';
const CLAIM = 'mutation { claimJobs(input: {queues: ["q"], workerId: "w", max: 2}) { leases { leaseToken job { id } } } }';

/** Some jobs, two of them running, in both. The texts are what a client may name them by. */
async function fill(): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const tenant of ['default', ...Object.keys(FAULTS)]) {
    for (let index = 0; index < 4; index++) {
      const text = await same(post({ query: JOB, variables: { input: { queue: 'q', task: 't', payload: { n: index } } } }, { 'x-leasequeue-tenant': tenant }));
      ids.push(...(text.match(/"id":"([^"]+)"/)?.slice(1) ?? []));
    }
  }
  const claimed = await same(post({ query: CLAIM }));
  const tokens = [...claimed.matchAll(/"leaseToken":"([^"]+)"/g)].flatMap(([, token]) => (token === undefined ? [] : [token]));
  expect([ids.length > 4, tokens.length]).toEqual([true, 2]);
  return [...ids.slice(0, 4), ...tokens, 'q', 'q', 't', 'w', 'unknown', ''];
}

type Headers = Readonly<Record<string, string>>;

function head(headers: Headers): string {
  const all = { host: 'localhost', connection: 'close', 'content-type': 'application/json', ...headers };
  return `POST /graphql HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
}

function post(body: unknown, headers: Headers = {}): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return Buffer.concat([Buffer.from(head({ 'content-length': String(bytes.length), ...headers })), bytes]);
}

async function answerOf(app: TestApp, request: Buffer): Promise<string> {
  const socket = await openConnection(app.url);
  const answer = readToEnd(socket);
  socket.write(request);
  return (await answer).replace(/^Date: .*$/m, 'Date: then');
}

/** What both answer. */
async function same(request: Buffer): Promise<string> {
  const [short, long] = await Promise.all([answerOf(apps.short, request), answerOf(apps.long, request)]);
  expect(short, request.toString('utf8', 0, 4_000)).toBe(long);
  expect(short).toMatch(/^HTTP\/1\.1 /);
  return short;
}

/** A text is known to the server from its second time on. */
async function sameEachTime(request: Buffer): Promise<void> {
  for (let time = 0; time < 4; time++) await same(request);
}

const TYPENAME = { query: '{ __typename }' };
const SUBMIT = 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename ... on Failure { code message } } }';
const submitting = (input: unknown) => ({ query: SUBMIT, variables: { input } });
const SEVERAL = 'query A { __typename } query B { stats { ready } } mutation C { __typename } subscription D { jobEvents { __typename } }';

describe('both ways answer alike', () => {
  test.each<readonly [string, unknown]>([
    ['a name', TYPENAME],
    ['broken text', { query: '{ ' }],
    ['no text', { query: '' }],
    ['a comment', { query: '# nothing' }],
    ['an unknown field', { query: '{ nope }' }],
    ['several faults', { query: '{ nope stats { nope } jobs(first: "x") { nodes { id } } }' }],
    ['an unknown directive', { query: '{ __typename @defer }' }],
    ['only a fragment', { query: 'fragment F on Query { __typename }' }],
    ['a schema', { query: 'type X { a: Int }' }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a subscription', { query: 'subscription { jobEvents { __typename } }' }],
    ['a large document', { query: `{ ${'__typename '.repeat(900)} }` }],
    ['too many tokens', { query: `{ ${'__typename '.repeat(2_000)} }` }],
    ['too many aliases', { query: `{ ${Array.from({ length: 31 }, (_, index) => `a${index}: __typename`).join(' ')} }` }],
    ['a known name', { query: SEVERAL, operationName: 'A' }],
    ['another known name', { query: SEVERAL, operationName: 'B' }],
    ['a named mutation', { query: SEVERAL, operationName: 'C' }],
    ['a named subscription', { query: SEVERAL, operationName: 'D' }],
    ['an unknown name', { query: SEVERAL, operationName: 'E' }],
    ['no name', { query: SEVERAL }],
    ['an empty name', { query: SEVERAL, operationName: '' }],
    ['a name that is null', { query: SEVERAL, operationName: null }],
    ['a name that is a number', { query: SEVERAL, operationName: 1 }],
    ['nothing', {}],
    ['null for a query', { query: null }],
    ['a number for a query', { query: 1 }],
    ['null for all the rest', { query: '{ __typename }', variables: null, operationName: null, extensions: null }],
    ['a list of variables', { query: '{ __typename }', variables: [] }],
    ['a text of variables', { query: '{ __typename }', variables: '{}' }],
    ['a list of extensions', { query: '{ __typename }', extensions: [] }],
    ['a persisted document', { extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } }],
    ['a persisted document with its text', { query: '{ __typename }', extensions: { persistedQuery: { version: 1, sha256Hash: 'abc' } } }],
    ['an id of a document', { documentId: 'abc' }],
    ['an unknown parameter', { query: '{ __typename }', more: 1 }],
    ['an unknown parameter that is null', { query: '{ __typename }', more: null }],
    ['a right submission', submitting({ task: 't', payload: { a: [1, { b: null }] } })],
    ['a task that is none', submitting({ task: '' })],
    ['a variable of the wrong type', submitting({ task: 5, priority: 'x', nope: 1 })],
    ['a variable that is missing', { query: SUBMIT }],
    ['a variable that is null', submitting(null)],
    ['a variable that is a list', submitting([])],
    ['more variables than declared', { query: '{ __typename }', variables: { a: 1 } }],
    ['a variable named like a prototype', { query: SUBMIT, variables: { toString: 1 } }],
    ['a large payload', submitting({ task: 't', payload: { x: 'x'.repeat(65_536) } })],
    ['a choice of none', submitting({ task: 't', start: {} })],
    ['a choice of two', submitting({ task: 't', start: { inSeconds: 1, at: '2026-03-01T00:00:00Z' } })],
    ['a choice that is null', submitting({ task: 't', start: { at: null } })],
    ['a bad cursor', { query: '{ jobEvents(after: "x") { hasMore } stats { ready } }' }],
    ['a default of a variable', { query: 'query ($n: Int = 2) { jobs(first: $n) { nodes { task } } }' }],
    ['a default that null replaces', { query: 'query ($n: Int! = 2) { jobs(first: $n) { nodes { task } } }', variables: { n: null } }],
    ['a nullable variable where null is refused', { query: 'query ($by: JobBy) { job(by: $by) { id } }', variables: { by: null } }],
    ['a variable inside a value', { query: 'mutation ($t: String!) { submitJob(input: {task: $t}) { __typename } }', variables: { t: 't' } }],
    [
      'null inside a value',
      { query: 'mutation ($t: String) { submitJob(input: {task: "t", tags: [{key: $t, value: "x"}]}) { __typename } }', variables: { t: null } },
    ],
    [
      'no variable inside a value',
      {
        query:
          'mutation ($q: String) { submitJob(input: {task: "t", idempotencyKey: $q}) { ... on SubmitJobSuccess { job { idempotencyKey queue { name } } } } }',
      },
    ],
    ['a variable inside JSON', { query: 'mutation ($p: JSON) { submitJob(input: {task: "t", payload: {p: $p}}) { __typename } }', variables: { p: [1] } }],
    ['a field left out', { query: 'query ($no: Boolean!) { __typename @skip(if: $no) stats @include(if: $no) { ready } }', variables: { no: true } }],
    ['a field kept', { query: 'query ($no: Boolean!) { __typename @skip(if: $no) stats @include(if: $no) { ready } }', variables: { no: false } }],
    [
      'fields that merge',
      {
        query:
          '{ a: jobs(first: 1) { nodes { id } } stats { ready } a: jobs(first: 1) { hasMore nodes { state } } ...F } fragment F on Query { stats { delayed ready } }',
      },
    ],
    [
      'a fragment in a fragment',
      { query: '{ ...F ...F } fragment F on Query { jobs { nodes { ...J } } } fragment J on Job { queue { name } ... { id } ... on Job { task } }' },
    ],
    [
      'one mutation after the other',
      {
        query:
          'mutation { a: submitJob(input: {task: "t"}) { ...R } b: submitJob(input: {task: ""}) { ...R } c: __typename d: submitJob(input: {task: "t"}) { ...R } } fragment R on SubmitJobResult { ... on SubmitJobSuccess { job { id queue { name } } } }',
      },
    ],
    [
      'an interface',
      {
        query:
          'mutation { completeJob(input: {jobId: "x", leaseToken: "y"}) { __typename ... on Failure { __typename code message retryable } ... on JobNotFound { jobId } } }',
      },
    ],
  ])('%s', async (_name, body) => {
    await sameEachTime(post(body, { accept: 'application/json' }));
    await sameEachTime(post(body, { accept: 'application/graphql-response+json' }));
  });

  test.each([
    'application/json',
    'application/graphql-response+json',
    'application/graphql-response+json, application/json;q=0.9',
    '*/*',
    'application/*',
    'text/html, application/json',
    'text/event-stream, application/json',
    'multipart/mixed, application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'text/html',
    'nonsense',
    '',
  ])('who accepts %s', async (accept) => {
    for (const query of ['{ __typename }', '{ ', '{ nope }', 'mutation { submitJob(input: {task: ""}) { __typename } }', 'subscription { jobs { name } }']) {
      await sameEachTime(post({ query }, { accept }));
    }
  });

  test.each<readonly [string, Buffer]>([
    ['empty', post('')],
    ['not JSON', post('{"query": ')],
    ['a list', post([TYPENAME])],
    ['null', post('null')],
    ['not UTF-8', post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))],
    ['with a mark of its byte order', post(Buffer.from('\uFEFF{"query":"{ __typename }"}'))],
    ['with a key twice', post('{"query":"{ nope }","query":"{ __typename }"}')],
    ['with a key of the prototype', post('{"__proto__":{"query":"{ __typename }"}}')],
    ['with a number of many digits for variables', post('{"query":"{ __typename }","variables":12345678901234567890}')],
    ['with a number of many digits', post('{"query":"query($n: Int) { jobs(first: $n) { hasMore } }","variables":{"n":12345678901234567890}}')],
    ['with a payload of many digits', post(`{"query":${JSON.stringify(SUBMIT)},"variables":{"input":{"task":"t","payload":{"n":12345678901234567890}}}}`)],
    ['at the limit', post(`{"query":"{ __typename }"}${' '.repeat(131_072 - 26)}`)],
    ['of text', post('{"query":"{ __typename }"}', { 'content-type': 'text/plain' })],
    ['of a form', post('query=%7B__typename%7D', { 'content-type': 'application/x-www-form-urlencoded' })],
    ['of GraphQL', post('{ __typename }', { 'content-type': 'application/graphql' })],
    ['in another character set', post('{"query":"{ __typename }"}', { 'content-type': 'application/json; charset=latin1' })],
    ['compressed', post('{}', { 'content-encoding': 'gzip' })],
    ['of a tenant that is none', post(TYPENAME, { 'x-leasequeue-tenant': '!' })],
    ['of another origin', post(TYPENAME, { origin: 'http://evil.example' })],
    ['in chunks', Buffer.from(`${head({ 'transfer-encoding': 'chunked' })}1a\r\n{"query":"{ __typename }"}\r\n0\r\n\r\n`)],
    ['without keeping alive, of HTTP/1.0', Buffer.from(post(TYPENAME).toString().replace('HTTP/1.1', 'HTTP/1.0'))],
  ])('a body that is %s', async (_name, request) => {
    await sameEachTime(request);
  });

  test.each(Object.keys(FAULTS))('a store with a %s', async (tenant) => {
    const queries = [
      '{ stats { ready } }',
      '{ stats { ready } __typename jobs { nodes { id } } }',
      '{ jobs(first: 2) { nodes { id queue { name stats { ready } } } } }',
      '{ a: jobs(first: 2) { nodes { queue { name } } } b: jobEvents(first: 2) { nodes { kind } } stats { ready } }',
      'mutation { a: submitJob(input: {task: "t"}) { ...R } b: pauseQueue(input: {name: "q"}) { __typename } } fragment R on SubmitJobResult { ... on SubmitJobSuccess { job { queue { name } } } }',
      'mutation { claimJobs(input: {queues: ["q"], workerId: "w"}) { leases { job { id queue { name } } } } }',
    ];
    for (const query of queries) {
      await sameEachTime(post({ query }, { 'x-leasequeue-tenant': tenant }));
      await sameEachTime(post({ query }, { 'x-leasequeue-tenant': tenant, accept: 'application/graphql-response+json' }));
    }
  });

  test('any operation of the schema', { timeout: 120_000 }, async () => {
    const tenants = fc.constantFrom('default', 'default', 'default', ...Object.keys(FAULTS));
    await fc.assert(
      fc.asyncProperty(operations({ schema, texts }), tenants, async (operation, tenant) => {
        const request = post(operation, { 'x-leasequeue-tenant': tenant });
        for (let time = 0; time < 2; time++) await same(request);
      }),
      { numRuns: 400, seed: 7, endOnFailure: true },
    );
  });
});
