/** Values that rules hide: from every reader, by every way to a job, on every way in, as soon as the rules are set. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { createRedaction, REDACTED, type RedactionRule, withoutHidden } from '../../src/domain/redaction.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openSqliteBriefly } from '../../src/store/engines/sqlite.ts';
import { createJobStore } from '../../src/store/create-store.ts';
import { type JobStore, StoreFault } from '../../src/store/store.ts';
import { openWorld, ASKING } from '../isolation/world.ts';
import { WAYS } from '../isolation/ways.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openEventStream } from '../support/event-stream.ts';
import { createTestKey } from '../support/keys.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { connectSocket } from '../support/sockets.ts';
import { CALLER, temporaryFolder, TEST_RETENTION } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

const JOB = 'id payload payloadRedacted redactedPaths result lastError { message details }';
const WHOLE_JOB = `${JOB} attempts(first: 3) { nodes { error { details } } edges { node { error { details } } } }`;
const input = (name: string, answer: string): string =>
  `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${answer} } }`;
const IN_ANY = (types: string): string =>
  types
    .split(' ')
    .map((type) => `... on ${type} { job { ${WHOLE_JOB} } }`)
    .join(' ');
const SUBMIT = input('submitJob', `${IN_ANY('SubmitJobSuccess')} ... on IdempotencyConflict { existingJob { ${WHOLE_JOB} } }`);
const SUBMIT_MANY = input('submitJobs', `results { ${IN_ANY('SubmitJobSuccess')} }`);
const SETTLED = `... on CompleteJobSuccess { job { ${WHOLE_JOB} } }`;
const CLAIM = input('claimJobs', `leases { leaseToken job { ${WHOLE_JOB} } } completed { ${SETTLED} }`);
const CLAIM_SETTLING = input('claimJobs', `leases { job { id } } completed { ${SETTLED} }`);
const COMPLETE = input('completeJob', SETTLED);
const COMPLETE_MANY = input('completeJobs', `results { ${SETTLED} }`);
const FAIL = input('failJob', IN_ANY('FailJobSuccess'));
const RELEASE = input('releaseJob', IN_ANY('ReleaseJobSuccess'));
const REDRIVE = input('redriveJob', IN_ANY('RedriveJobSuccess'));
const RESCHEDULE = input('rescheduleJob', IN_ANY('RescheduleJobSuccess'));
const CANCEL = input('cancelJob', IN_ANY('CancelJobSuccess'));
const SET = input(
  'setRedactionRules',
  '__typename ... on SetRedactionRulesSuccess { redactionRules { rules { task path } version } } ... on VersionConflict { currentVersion }',
);
const BY_ID = `query ($id: ID!) { job(by: {id: $id}) { ${WHOLE_JOB} queue { jobs { nodes { ${JOB} } } } events { nodes { detail job { ${JOB} } } } } }`;
const BY_KEY = `query ($key: String!) { job(by: {idempotencyKey: {queue: "q", key: $key}}) { ${WHOLE_JOB} } }`;
const LISTS = `{ jobs(first: 10) { nodes { ${WHOLE_JOB} } edges { node { ${JOB} } } } queue(name: "q") { jobs(first: 10) { nodes { ${JOB} } } } queues(first: 3) { nodes { jobs(first: 10) { edges { node { ${JOB} } } } } } }`;
const LOG = `{ jobEvents(first: 50) { nodes { job { ${WHOLE_JOB} } } } }`;
/** No plan takes a directive. */
const UNPLANNED = `query ($is: Boolean!) { jobs { nodes { ... @include(if: $is) { ${JOB} } } } }`;
const FEED = `subscription { jobEvents { ... on JobEventBatch { events { jobId job { ${JOB} } } } } }`;
const DEAD = { retry: { never: true } };

const key = fc.constantFrom('card', 'number', 'list', 'x');
const rule = fc.record({
  task: fc.constantFrom('*', 't', 't*', 'u'),
  path: fc.constantFrom('card', '*.number', '**.number', 'list.*.x', '**.list', 'x.*', 'card.*.x', '*', '**', 'number', '**.x.*'),
});
let leaf = 0;
const leaves = fc.constant(null).map(() => `leaf-${(leaf += 1)}-`);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaves, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
}));
const payload = fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 });

const leavesIn = (of: unknown): readonly string[] => JSON.stringify(of).match(/leaf-\d+-/g) ?? [];
function hiddenLeaves(of: unknown, rules: readonly RedactionRule[]): readonly string[] {
  const hidden = createRedaction(rules)?.hiddenIn('t') ?? null;
  const shown = new Set(leavesIn(hidden === null ? of : withoutHidden(structuredClone(of), hidden)));
  return leavesIn(of).filter((text) => !shown.has(text));
}

describe.each([
  ['the short way', true],
  ['the long way', false],
])('over %s', (_name, shortWay) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp({ shortWay });
  });
  afterAll(() => server.app.stop());

  /** Every way to a job, on a tenant of its own; what each answered, but for the payloads of claims. */
  async function everyAnswer(owner: string, rules: readonly RedactionRule[], [submitted, result, details]: readonly [unknown, unknown, unknown]) {
    const headers = { 'x-leasequeue-tenant': owner };
    const answers: string[] = [];
    const ask = async (query: string, variables: object = {}) => {
      const answer = await server.graphql(query, variables, headers);
      expect([answer.status, answer.errors], query).toEqual([200, []]);
      answers.push(answer.text);
      return answer.data;
    };
    await ask(SET, { input: { rules } });
    const stream = await openEventStream(server.url, FEED, {}, headers);
    const socket = await connectSocket(server.wsUrl, headers);
    socket.subscribe('feed', FEED);
    await Promise.all([stream.next(), socket.nextOf('feed')]);
    const job = { queue: 'q', task: 't', payload: submitted };
    const { submitJob } = await ask(SUBMIT, { input: { ...job, idempotencyKey: 'k' } });
    await ask(SUBMIT, { input: { ...job, task: 'other', idempotencyKey: 'k' } });
    await ask(SUBMIT_MANY, { input: { jobs: [job, job, job, job] } });
    const claimed = await server.graphql(CLAIM, { input: { queues: ['q'], workerId: 'w', max: 5 } }, headers);
    const held = claimed.data.claimJobs.leases.map((lease: { leaseToken: string; job: { id: string } }) => ({
      jobId: lease.job.id,
      leaseToken: lease.leaseToken,
    }));
    for (const lease of claimed.data.claimJobs.leases) expect([lease.job.payload, lease.job.redactedPaths]).toEqual([submitted, []]);
    await ask(COMPLETE, { input: { ...held[1], result } });
    await ask(COMPLETE, { input: { ...held[1], result } });
    await ask(COMPLETE_MANY, { input: { jobs: [{ ...held[2], result }] } });
    await ask(CLAIM_SETTLING, { input: { queues: ['q'], workerId: 'w', completing: [{ ...held[3], result }] } });
    await ask(RELEASE, { input: held[4] });
    await ask(RESCHEDULE, { input: { id: held[4].jobId, priority: 5 } });
    const { id } = submitJob.job;
    await ask(FAIL, { input: { ...held[0], error: { message: 'no', details }, ...DEAD } });
    for (const query of [LISTS, LOG]) await ask(query);
    await ask(UNPLANNED, { is: true });
    await ask(BY_ID, { id });
    await ask(BY_KEY, { key: 'k' });
    await ask(REDRIVE, { input: { id, payload: submitted } });
    const again = await server.graphql(CLAIM, { input: { queues: ['q'], workerId: 'w', tasks: ['t'], max: 5 } }, headers);
    for (const lease of again.data.claimJobs.leases) answers.push(JSON.stringify([lease.job.result, lease.job.lastError, lease.job.attempts]));
    await ask(CANCEL, { input: { id, force: true } });
    server.clock.advance(1_000);
    answers.push(JSON.stringify(await stream.next()), JSON.stringify((await socket.nextOf('feed')).payload));
    const get = await fetch(`${server.url}/graphql?query=${encodeURIComponent(LISTS)}`, { headers });
    answers.push(await get.text());
    stream.abort();
    socket.socket.terminate();
    return answers;
  }

  test('no hidden value is in any answer by any way to a job, and a claim shows its payload whole', { timeout: 120_000 }, async () => {
    let [tenants, hiddenOnes] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 4 }), payload, value, payload, async (rules, submitted, result, details) => {
        tenants += 1;
        const hidden = [submitted, result, details].flatMap((of) => hiddenLeaves(of, rules));
        hiddenOnes += hidden.length;
        const answers = await everyAnswer(`tenant-${tenants}`, rules, [submitted, result, details]);
        const all = answers.join('\n');
        expect(hidden.filter((text) => all.includes(text))).toEqual([]);
        const shown = leavesIn(submitted).filter((text) => !hidden.includes(text));
        expect(shown.filter((text) => !all.includes(text))).toEqual([]);
      }),
      { numRuns: 25 },
    );
    expect(hiddenOnes).toBeGreaterThan(20);
  });
});

describe('rules', () => {
  let server: TestApp;
  const set = async (rules: readonly object[], more: object = {}) => (await server.graphql(SET, { input: { rules, ...more } })).data.setRedactionRules;
  const payloadOf = async (id: string) => (await server.graphql('query ($id: ID!) { job(by: {id: $id}) { payload redactedPaths } }', { id })).data.job;
  beforeAll(async () => {
    server = await startApp();
  });
  afterAll(() => server.app.stop());

  test('hold at once for what is read and followed here, and end as soon', async () => {
    const stream = await openEventStream(server.url, FEED);
    await stream.next();
    const follow = async () => {
      const id = await server.submit({ payload: { pin: 1234, n: 1 } });
      server.clock.advance(1_000);
      return [id, await stream.next()] as const;
    };
    const [id, before] = await follow();
    expect(before).toMatchObject({ data: { jobEvents: { events: [{ job: { payload: { pin: 1234 } } }] } } });
    expect(await payloadOf(id)).toEqual({ payload: { pin: 1234, n: 1 }, redactedPaths: [] });
    await set([{ task: 't', path: 'pin' }]);
    expect(await payloadOf(id)).toEqual({ payload: { pin: REDACTED, n: 1 }, redactedPaths: ['pin'] });
    expect((await follow())[1]).toMatchObject({ data: { jobEvents: { events: [{ job: { payload: { pin: REDACTED, n: 1 } } }] } } });
    await set([]);
    expect(await payloadOf(id)).toEqual({ payload: { pin: 1234, n: 1 }, redactedPaths: [] });
    stream.abort();
  });

  test('are versioned as settings of a queue are, and setting the same again changes nothing', async () => {
    const { redactionRules } = (await server.graphql('{ redactionRules { version } }')).data;
    const rules = [{ task: 'v.*', path: 'a.*.b' }];
    expect(await set(rules, { expectedVersion: redactionRules.version + 1 })).toEqual({
      __typename: 'VersionConflict',
      currentVersion: redactionRules.version,
    });
    expect(await set(rules, { expectedVersion: redactionRules.version })).toMatchObject({ redactionRules: { rules, version: redactionRules.version + 1 } });
    expect(await set(rules)).toMatchObject({ redactionRules: { version: redactionRules.version + 1 } });
    expect((await server.graphql('{ redactionRules { rules { task path } } }')).data.redactionRules.rules).toEqual(rules);
  });

  test.each([
    [[{ task: 't', path: 'a..b' }], ['input', 'rules', 0, 'path']],
    [[{ task: 't', path: '**.a.**' }], ['input', 'rules', 0, 'path']],
    [[{ task: 'no spaces', path: 'a' }], ['input', 'rules', 0, 'task']],
    [[{ task: '', path: 'a' }], ['input', 'rules', 0, 'task']],
    [[{ task: '.t', path: 'a' }], ['input', 'rules', 0, 'task']],
    [Array.from({ length: LIMITS.redactionRulesMax + 1 }, () => ({ task: 't', path: 'a' })), ['input', 'rules']],
  ])('that cannot be followed are refused, by the place', async (rules, path) => {
    const { errors } = await server.graphql(SET, { input: { rules } });
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path }] });
  });

  test('are tried before they are set, and those that are set where none are given', async () => {
    const TRY = 'query ($task: String!, $value: JSON!, $rules: [RedactionRuleInput!]) { tryRedaction(task: $task, value: $value, rules: $rules) }';
    const attempt = async (variables: object) => (await server.graphql(TRY, variables)).data.tryRedaction;
    const given = { a: [{ b: 12345678901234567890n.toString() }, 1], c: null };
    await set([{ task: 'set', path: 'c' }]);
    expect(await attempt({ task: 'x', value: given, rules: [{ task: 'x', path: 'a.*.b' }] })).toEqual({ a: [{ b: REDACTED }, 1], c: null });
    expect(await attempt({ task: 'x', value: given, rules: [] })).toEqual(given);
    expect(await attempt({ task: 'set', value: given })).toEqual({ ...given, c: REDACTED });
    expect(await attempt({ task: 'x', value: 'text', rules: [{ task: '*', path: '**' }] })).toBe(REDACTED);
    expect((await server.graphql(TRY, { task: 'x', value: 'x'.repeat(70_000) })).errors[0]?.extensions['code']).toBe('PAYLOAD_TOO_LARGE');
  });

  test('of one tenant are nothing to another', async () => {
    await set([{ task: '*', path: 'pin' }]);
    const other = await server.graphql(SUBMIT, { input: { queue: 'q', task: 't', payload: { pin: 1 } } }, { 'x-leasequeue-tenant': 'other' });
    expect(other.data.submitJob.job).toMatchObject({ payload: { pin: 1 }, redactedPaths: [] });
  });

  test('keep numbers as they were sent', async () => {
    await set([{ task: 't', path: 'pin' }]);
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"query":${JSON.stringify(SUBMIT)},"variables":{"input":{"queue":"q","task":"t","payload":{"pin":12345678901234567890,"n":98765432109876543210}}}}`,
    });
    expect(await response.text()).toContain('"payload":{"n":98765432109876543210,"pin":"[redacted]"}');
  });
});

test('rules that another process set hold within half a second', async () => {
  using folder = temporaryFolder();
  const path = folder.file('x.db');
  await using server = await startApp({ path });
  const id = await server.submit({ payload: { pin: 1 } });
  const read = async () => (await server.graphql('query ($id: ID!) { job(by: {id: $id}) { payload } }', { id })).data.job.payload;
  expect(await read()).toEqual({ pin: 1 });
  const engine = openSqliteBriefly({ path });
  const guest = await createJobStore({ engine, clock: systemClock, entropy: seededEntropy(), retention: TEST_RETENTION, onFatal: () => {} });
  await guest.setRedactionRules(tenant('default'), CALLER, { rules: [{ task: '*', path: 'pin' }], expectedVersion: 0 });
  await guest.close();
  server.clock.advance(LIMITS.accessEndsMsMax / 2);
  await expect.poll(read).toEqual({ pin: REDACTED });
});

test('what is hidden from a key that lacks PAYLOADS is hidden as a whole, and says nothing of its keys', async () => {
  await using server = await startApp({ config: { auth: 'required' } });
  const admin = await createTestKey(server.store);
  const blind = await createTestKey(server.store, { scopes: ['READ'] });
  await server.graphql(SET, { input: { rules: [{ task: '*', path: '*' }] } }, admin.headers);
  const { data } = await server.graphql(SUBMIT, { input: { queue: 'q', task: 't', payload: { pin: 1 } } }, admin.headers);
  const read = await server.graphql(BY_ID, { id: data.submitJob.job.id }, blind.headers);
  expect(read.data.job).toMatchObject({ payload: null, payloadRedacted: true, redactedPaths: [] });
  expect((await server.graphql(SET, { input: { rules: [] } }, blind.headers)).status).toBe(403);
});

test('a key that is restricted to queues is not told the rules of all, and is shown what they leave', async () => {
  await using server = await startApp({ config: { auth: 'required' } });
  const admin = await createTestKey(server.store);
  const narrow = await createTestKey(server.store, { scopes: ['READ', 'PAYLOADS', 'SUBMIT'], queues: ['q'] });
  await server.graphql(SET, { input: { rules: [{ task: 't', path: 'pin' }] } }, admin.headers);
  const { data } = await server.graphql(SUBMIT, { input: { queue: 'q', task: 't', payload: { pin: 1 } } }, narrow.headers);
  expect(data.submitJob.job.payload).toEqual({ pin: REDACTED });
  expect((await server.graphql('{ redactionRules { version } }', {}, narrow.headers)).errors[0]?.extensions['code']).toBe('FORBIDDEN');
});

test('nothing is shown while the rules cannot be read', async () => {
  let isDown = false;
  const fault = () => Promise.reject(new StoreFault('busy', 'no', { outcomeUnknown: false }));
  await using server = await startApp({
    spoil: (store) => new Proxy(store, { get: (target, name) => (name === 'redactionRules' && isDown ? fault : Reflect.get(target, name, target)) }),
  });
  const id = await server.submit({ payload: { pin: 1 } });
  isDown = true;
  await server.graphql(SET, { input: { rules: [{ task: '*', path: 'pin' }] } });
  const { data, errors } = await server.graphql('query ($id: ID!) { job(by: {id: $id}) { id payload } }', { id });
  expect([data.job, errors[0]?.extensions['code']]).toEqual([{ id, payload: null }, 'SERVICE_UNAVAILABLE']);
});

test('a read of a payload takes no more statements than one without, with rules or without', async () => {
  await using world = await openWorld();
  const { store, statements } = world;
  const { text } = await createTestKey(store, { tenant: ASKING });
  const effort = async (fields: string): Promise<number> => {
    const before = statements.length;
    await WAYS['HTTP, the short way'](world, { document: `{ jobs { nodes { ${fields} } } }`, variables: {}, key: text });
    return statements.length - before;
  };
  for (const rules of [[], [{ task: '*', path: 'pin' }]]) {
    await store.setRedactionRules(tenant(ASKING), CALLER, { rules, expectedVersion: null });
    await store.submit(tenant(ASKING), CALLER, [{ ...SUBMISSION, payloadJson: '{"pin":1}' }], false);
    await effort('payload');
    expect(await effort('payload redactedPaths result lastError { details }')).toBe(await effort('id'));
  }
});

const SUBMISSION: Parameters<JobStore['submit']>[2][number] = {
  ...{ queue: 'q', task: 't', payloadJson: '{}', priority: null, maxAttempts: null, retryBaseSeconds: null, retryMaxSeconds: null },
  ...{ start: null, concurrencyKey: null, tags: [], idempotencyKey: null },
};

describe('a redrive with a payload that was read', () => {
  let server: TestApp;
  const STORED = { card: { number: '4111', name: 'A' }, items: [{ iban: 'DE1' }, { iban: 'DE2' }], note: 'wrong' };
  const RULES = ['card.number', 'items.*.iban', '**.big'].map((path) => ({ task: 't', path }));
  beforeAll(async () => {
    server = await startApp();
    await server.graphql(SET, { input: { rules: RULES } });
  });
  afterAll(() => server.app.stop());

  async function deadOne(stored: object = STORED): Promise<{ readonly id: string; readonly payload: typeof STORED }> {
    const id = await server.submit({ payload: stored });
    const { data } = await server.graphql(CLAIM, { input: { queues: ['q'], workerId: 'w' } });
    const [lease] = data.claimJobs.leases;
    const failed = await server.graphql(FAIL, { input: { jobId: id, leaseToken: lease.leaseToken, error: { message: 'no' }, ...DEAD } });
    return { id, payload: failed.data.failJob.job.payload };
  }
  const redrive = (id: string, edited: object) => server.graphql(REDRIVE, { input: { id, payload: edited } });
  const stored = async (id: string): Promise<unknown> => JSON.parse((await server.store.jobById(tenant('default'), id))?.payloadJson ?? '');

  test('changes the rest, and keeps what it could not see', async () => {
    const { id, payload: read } = await deadOne();
    expect(read).toEqual({ card: { number: REDACTED, name: 'A' }, items: [{ iban: REDACTED }, { iban: REDACTED }], note: 'wrong' });
    const { data } = await redrive(id, { ...read, note: 'right' });
    expect(data.redriveJob.job.payload).toEqual({ ...read, note: 'right' });
    expect(await stored(id)).toEqual({ ...STORED, note: 'right' });
    await server.graphql(CANCEL, { input: { id } });
  });

  test.each<readonly [string, (read: typeof STORED) => object, readonly unknown[]]>([
    ['an item less', (read) => ({ ...read, items: read.items.slice(1) }), ['input', 'payload', 'items', '0', 'iban']],
    ['no card any more', ({ card: _card, ...read }) => ({ ...read, more: { big: REDACTED } }), ['input', 'payload', 'more', 'big']],
  ])('is refused where nobody can tell what is meant, and changes nothing: %s', async (_name, edit, path) => {
    const { id, payload: read } = await deadOne();
    const { errors } = await redrive(id, edit(read));
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: expect.arrayContaining([expect.objectContaining({ path })]) });
    expect(JSON.stringify(errors)).not.toMatch(/4111|DE1|DE2/);
    expect(await server.store.jobById(tenant('default'), id)).toMatchObject({ state: 'dead' });
    expect(await stored(id)).toEqual(STORED);
  });

  test('is as large as it is with what it could not see', async () => {
    const { id } = await deadOne({ big: 'x'.repeat(40_000) });
    const { errors } = await redrive(id, { big: REDACTED, more: 'y'.repeat(40_000) });
    expect(errors[0]).toMatchObject({
      message: expect.stringMatching(/bytes as JSON with its hidden values, the limit is 65536/),
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });
});

describe('the audit log', () => {
  const AUDIT = '{ auditLog { nodes { id actor action target changed skipped reason at } pageInfo { hasNextPage } } }';

  test('tells an administrator what was done, also by a key of another tenant', async () => {
    await using server = await startApp({ config: { auth: 'required' } });
    const admin = await createTestKey(server.store, { tenant: 'acme', name: 'acme admin' });
    const system = await createTestKey(server.store, { tenant: 'root', name: 'root', scopes: ['SYSTEM', 'OPERATE', 'ADMIN'] });
    await server.graphql(
      'mutation { pauseQueue(input: {name: "q", reason: "rest"}) { __typename } }',
      {},
      { ...system.headers, 'x-leasequeue-tenant': 'acme' },
    );
    await server.graphql('mutation { createApiKey(input: {tenantId: "acme", name: "made", scopes: [READ]}) { __typename } }', {}, system.headers);
    await server.graphql('mutation { updateTenant(input: {id: "acme", name: "Acme"}) { __typename } }', {}, system.headers);
    const { data } = await server.graphql(AUDIT, {}, admin.headers);
    expect(data.auditLog.nodes).toMatchObject([
      { id: '4', actor: 'root', action: 'UPDATE_TENANT', target: { tenantId: 'acme', name: 'Acme' } },
      { id: '3', actor: 'root', action: 'CREATE_API_KEY', target: { name: 'made' } },
      { id: '2', actor: 'root', action: 'PAUSE_QUEUE', target: { queue: 'q' }, changed: 1, skipped: 0, reason: 'rest' },
      { id: '1', actor: null, action: 'CREATE_API_KEY', target: { name: 'acme admin' } },
    ]);
    expect((await server.graphql(AUDIT, {}, system.headers)).data.auditLog.nodes).toMatchObject([{ action: 'CREATE_API_KEY', target: { name: 'root' } }]);
    const reader = await createTestKey(server.store, { tenant: 'acme', scopes: ['READ', 'OPERATE'] });
    expect((await server.graphql(AUDIT, {}, reader.headers)).status).toBe(403);
  });

  test('is read page by page, of some actions or of all', async () => {
    await using server = await startApp();
    for (let round = 0; round < 3; round++)
      await server.graphql('mutation { pauseQueue(input: {name: "q"}) { __typename } resumeQueue(input: {name: "q"}) { __typename } }');
    const PAGE =
      'query ($after: String, $actions: [OperatorActionKind!]) { auditLog(first: 2, after: $after, actions: $actions) { nodes { id } pageInfo { hasNextPage endCursor } } }';
    const page = async (variables: object) => (await server.graphql(PAGE, variables)).data.auditLog;
    const first = await page({ actions: ['PAUSE_QUEUE'] });
    expect([first.nodes, first.pageInfo.hasNextPage]).toEqual([[{ id: '5' }, { id: '3' }], true]);
    const second = await page({ actions: ['PAUSE_QUEUE'], after: first.pageInfo.endCursor });
    expect([second.nodes, second.pageInfo.hasNextPage]).toEqual([[{ id: '1' }], false]);
    expect((await page({ actions: [] })).nodes).toEqual([]);
  });
});
