/** Every limit of a document, at it and one beyond, on every way in. What is beyond has run nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { connectSocket, type TestSocket } from '../support/sockets.ts';

const apps: Record<'short' | 'long', TestApp | null> = { short: null, long: null };
let socket: TestSocket;
beforeAll(async () => {
  apps.short = await startApp();
  apps.long = await startApp({ shortWay: false });
  socket = await connectSocket(apps.short.wsUrl);
});
afterAll(async () => {
  for (const app of Object.values(apps)) await app?.app.stop();
});

function appOf(way: 'short' | 'long'): TestApp {
  const app = apps[way];
  if (app === null) throw new Error('not started yet');
  return app;
}

const repeated = (count: number, text: (index: number) => string): string => Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** A chain of fields `count` levels deep, the first being given. */
function nested(first: string, count: number): string {
  const steps = ['nodes', 'queue', 'jobs(first: 1)'];
  const path = Array.from({ length: count - 2 }, (_, index) => steps[index % steps.length]);
  return `{ ${[first, ...path].join(' { ')} { __typename ${'}'.repeat(count)}`;
}
/** The same below an event of a feed. */
function nestedFeed(count: number): string {
  const steps = ['job', 'queue', 'jobs(first: 1)', 'nodes', 'queue', 'jobs(first: 1)', 'nodes', 'queue', 'stats', 'counts', 'queued'];
  const path = ['jobEvents(maxBatch: 1)', '... on JobEventBatch', 'events', ...steps].slice(0, count);
  return `subscription { ${path.join(' { ')} { __typename ${'}'.repeat(count + 1)}`;
}

/** The kind of limit, its value, and documents that have exactly so much of it. */
const QUERIES: readonly (readonly [kind: string, max: number, document: (size: number) => string])[] = [
  // The rest of it are 24 tokens.
  ['tokens', LIMITS.documentTokensMax, (size) => `mutation { submitJob(input: {task: "t", payload: {a: [${'1 '.repeat(size - 24)}]}}) { __typename } }`],
  ['bytes', LIMITS.documentBytesMax, (size) => `{ __typename }`.padEnd(size)],
  ['depth', LIMITS.documentDepthMax, (size) => nested('jobs(first: 1)', size)],
  ['aliases', LIMITS.documentAliasesMax, (size) => `{ stats { ${repeated(size, (index) => `a${index}: ready`)} } }`],
  ['rootFields', LIMITS.documentRootFieldsMax, (size) => `{ ${repeated(size, () => 'latestEventCursor')} }`],
  ['directives', LIMITS.documentDirectivesMax, (size) => `{ ${repeated(size, () => '__typename @skip(if: false)')} }`],
];
const FEEDS: typeof QUERIES = [
  // The rest of it are 17 tokens. So long a list is refused where it is used, which is later.
  ['tokens', LIMITS.documentTokensMax, (size) => `subscription { jobEvents(filter: {jobIds: [${'"a" '.repeat(size - 17)}]}) { __typename } }`],
  ['bytes', LIMITS.documentBytesMax, (size) => 'subscription { stats { ready } }'.padEnd(size)],
  ['depth', LIMITS.documentDepthMax, (size) => nestedFeed(size)],
  ['aliases', LIMITS.documentAliasesMax, (size) => `subscription { stats { ${repeated(size, (index) => `a${index}: ready`)} } }`],
  ['directives', LIMITS.documentDirectivesMax, (size) => `subscription { stats { ${repeated(size, () => 'ready @skip(if: false)')} } }`],
];

const refusal = (kind: string, max: number) => ({ code: 'OPERATION_TOO_COMPLEX', kind, found: max + 1, max });

describe.each(['short', 'long'] as const)('a query by POST on the %s way', (way) => {
  test.each(QUERIES)('may have as many %s as the limit of %i, and not one more', async (kind, max, document) => {
    const { graphql } = appOf(way);
    const at = await graphql(document(max));
    expect([at.status, at.errors]).toEqual([200, []]);
    const beyond = await graphql(document(max + 1));
    expect([beyond.status, beyond.data, beyond.errors.map(({ extensions }) => extensions)]).toEqual([400, undefined, [refusal(kind, max)]]);
  });
});

describe('a query by GET', () => {
  // A document that is longer than an address may be does not get here.
  test.each(QUERIES.filter(([kind]) => kind !== 'bytes' && kind !== 'tokens'))(
    'may have as many %s as the limit of %i, and not one more',
    async (kind, max, document) => {
      const get = async (query: string) => {
        const response = await fetch(`${appOf('short').url}/graphql?${new URLSearchParams({ query })}`);
        return { status: response.status, body: await response.json() };
      };
      expect((await get(document(max))).body).toMatchObject({ data: expect.anything() });
      const { status, body } = await get(document(max + 1));
      expect([status, body]).toMatchObject([400, { errors: [{ extensions: refusal(kind, max) }] }]);
    },
  );
});

describe('an event stream', () => {
  test.each(FEEDS)('may have as many %s as the limit of %i, and not one more', async (kind, max, document) => {
    const { url } = appOf('short');
    const at = await openEventStream(url, document(max));
    expect(await at.next()).not.toMatchObject({ errors: [{ extensions: { kind } }] });
    at.abort();
    const beyond = await openEventStream(url, document(max + 1));
    expect(await beyond.next()).toMatchObject({ errors: [{ extensions: refusal(kind, max) }] });
    beyond.abort();
  });
});

describe('a subscription over a socket', () => {
  let id = 0;
  const ask = async (query: string) => {
    id += 1;
    socket.subscribe(String(id), query);
    const answer = await socket.nextOf(String(id));
    socket.send({ type: 'complete', id: String(id) });
    return answer;
  };

  test.each(FEEDS)('may have as many %s as the limit of %i, and not one more', async (kind, max, document) => {
    expect(await ask(document(max))).not.toMatchObject({ payload: [{ extensions: { kind } }] });
    expect(await ask(document(max + 1))).toMatchObject({ type: 'error', payload: [{ extensions: refusal(kind, max) }] });
  });
});

describe('a mutation beyond a limit', () => {
  const submit = (index: number) => `m${index}: submitJob(input: {task: "t"}) { __typename }`;
  test.each(['short', 'long'] as const)('changes nothing on the %s way', async (way) => {
    const { graphql } = appOf(way);
    const before = (await graphql('{ stats { counts { queued } } }')).data.stats.counts.queued;
    expect((await graphql(`mutation { ${repeated(LIMITS.documentRootFieldsMax + 1, submit)} }`)).status).toBe(400);
    expect((await graphql('{ stats { counts { queued } } }')).data.stats.counts.queued).toBe(before);
    expect((await graphql(`mutation { ${repeated(LIMITS.documentRootFieldsMax, submit)} }`)).status).toBe(200);
  });

  test('and a list of requests, one operation each, is not taken at all', async () => {
    const response = await fetch(`${appOf('short').url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ extensions: { code: 'BAD_REQUEST' } }] }]);
  });
});
