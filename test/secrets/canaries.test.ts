/** Secrets stay where they belong, whatever goes right or wrong (B131, B133, B134): a server in this process, at the most talkative level. */
import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/domain/access.ts';
import { schema } from '../../src/graphql/schema.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { StoreFault } from '../../src/store/store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { createTestKey } from '../support/keys.ts';
import { leaveTheWire } from '../support/secret-watch.ts';
import { EVENTS } from '../support/sockets.ts';
import { CALLS, LAST_CALL } from './calls.ts';
import { CANARIES, kindsIn, newSecrets } from './canaries.ts';
import { Visit } from './visit.ts';

// A visit sends each secret in the place of each other, and looks at every answer itself.
leaveTheWire('idempotencyKey', 'requestId', 'leaseToken');

const NARROW = ['READ', 'SUBMIT', 'OPERATE', 'WORK', 'ADMIN'] as const;

async function visit(server: TestApp): Promise<Visit> {
  const { text: key } = await createTestKey(server.store, { tenant: 'acme', scopes: SCOPES });
  const { text: narrowKey } = await createTestKey(server.store, { tenant: 'acme', scopes: NARROW });
  return new Visit({ url: server.url, wsUrl: server.wsUrl, key, narrowKey }, newSecrets());
}

/** What is thrown in front of the store, once it is set. */
const thrown: { cause: (() => unknown) | null } = { cause: null };
const OF_ACCESS: ReadonlySet<string | symbol> = new Set(['findKey', 'hasTenant', 'accessVersion', 'onAccessChanged', 'noteKeyUses', 'quotas', 'close', 'stop']);

const spoil = (store: LeaseRepository): LeaseRepository =>
  new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || OF_ACCESS.has(name)) return member;
      return (...given: unknown[]): unknown => {
        const { cause } = thrown;
        if (cause === null || name === 'nowMs') return Reflect.apply(member, target, given);
        return Promise.reject(cause());
      };
    },
  });

test('every root field of the schema is called', () => {
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) => Object.keys(type?.getFields() ?? {}));
  expect(new Set([...CALLS, LAST_CALL].map(({ field }) => field))).toEqual(new Set(fields));
});

describe.each([
  ['in production', { environment: 'production', auth: 'required' }, true],
  ['in production, the long way', { environment: 'production', auth: 'required' }, false],
  ['in development', { environment: 'development', auth: 'required' }, true],
] as const)('%s', (_name, config, shortWay) => {
  test('everything that can be asked is answered, and no secret is anywhere but in its place', async () => {
    await using server = await startApp({ config, shortWay, logLevel: 'debug' });
    const visited = await visit(server);
    await visited.everything();
    await visited.failures();
    await visited.pages();
    await visited.end();
    visited.silent('the log', JSON.stringify(server.logs));
    expect([...new Set(visited.leaks)]).toEqual([]);
    expect(server.fatal).toEqual([]);
    expect([...visited.seen]).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^payload in data\.job\.payload/),
        expect.stringMatching(/^result in/),
        expect.stringMatching(/^details in/),
      ]),
    );
    for (const code of [
      'IDEMPOTENCY_CONFLICT',
      'LEASE_LOST',
      'QUOTA_EXCEEDED',
      'BAD_USER_INPUT',
      'PAYLOAD_TOO_LARGE',
      'GRAPHQL_PARSE_FAILED',
      'GRAPHQL_VALIDATION_FAILED',
      'INVALID_CURSOR',
      'UNAUTHENTICATED',
      'REQUEST_ENTITY_TOO_LARGE',
      'BATCH_ROLLED_BACK',
    ])
      expect([...visited.codes], code).toContain(code);
  }, 120_000);

  test('an error of the store that holds every secret is masked, and logged without them', async () => {
    await using server = await startApp({ config, shortWay, logLevel: 'debug', spoil });
    const visited = await visit(server);
    const everything = [...visited.secrets.keys()].join(' ');
    const causes: readonly (() => unknown)[] = [
      () => new Error(`failed with ${everything}\n    at ${everything}`),
      () => everything,
      () => ({ message: everything }),
      () => new Error('outer', { cause: new Error(everything, { cause: everything }) }),
      () => new AggregateError([new Error(everything)], everything),
      () => new StoreFault('busy', 'Try again.', { outcomeUnknown: false, cause: new Error(`${everything} UNIQUE constraint failed: jobs.${everything}`) }),
      () => Object.assign(new Error(everything), { issues: [everything], secret: everything }),
    ];
    // A feed that cannot read tries again after a while.
    const driving = setInterval(() => server.clock.advance(50), 5);
    const subscribed = await visited.socket();
    for (const [index, cause] of causes.entries()) {
      thrown.cause = cause;
      await visited.calls();
      visited.silent('a request that failed', await visited.post('a failure', JSON.stringify({ query: '{ stats { ready } jobs { nodes { id } } }' })));
      visited.silent(
        'a change that failed',
        await visited.post(
          'a failure',
          JSON.stringify({ query: `mutation { submitJob(input: {task: "t", idempotencyKey: "${CANARIES.idempotencyKey}"}) { __typename } }` }),
        ),
      );
      const stream = await openEventStream(server.url, EVENTS, {}, { authorization: visited.authorization });
      visited.silent('a stream that failed', JSON.stringify(await stream.next()));
      stream.abort();
      visited.silent('a socket that was not let in', JSON.stringify(await (await visited.socket()).closed));
      subscribed.subscribe(String(index), EVENTS);
      visited.silent('a subscription that failed', JSON.stringify(await subscribed.nextOf(String(index))));
      visited.silent('the health', await (await fetch(`${server.url}/health/ready`)).text());
    }
    subscribed.socket.close();
    clearInterval(driving);
    thrown.cause = null;
    visited.silent('the log', JSON.stringify(server.logs));
    expect([...new Set(visited.leaks)]).toEqual([]);
    expect(server.logs.filter(({ message }) => message === 'an operation failed').length).toBeGreaterThan(causes.length);
  }, 60_000);
});

test.each(['plain', 'base64', 'base64url', 'hex', 'percent'] as const)('a secret is found as %s', (spelling) => {
  const secret = 'lq_acme/+?_x yz~12345';
  const secrets = new Map([[secret, 'apiKey' as const]]);
  const bytes = Buffer.from(`ab ${secret} cd`);
  const texts = {
    plain: `x${secret}x`,
    base64: bytes.toString('base64'),
    base64url: bytes.toString('base64url'),
    hex: bytes.toString('hex'),
    percent: encodeURIComponent(bytes.toString()),
  };
  expect(kindsIn(texts[spelling], secrets)).toEqual(['apiKey']);
});
