/** Every field that reaches data, with every kind of handle of another tenant, by every kind of key, on every way in. */
import { expect, test } from 'vitest';
import { SCOPES } from '../../src/domain/access.ts';
import { schema } from '../../src/graphql/schema.ts';
import { createTestKey } from '../support/keys.ts';
import { connectSocket, EVENTS } from '../support/sockets.ts';
import { claimOf, submission } from '../support/store.ts';
import { NOBODY, tenant } from '../support/tenants.ts';
import { compareAll, hasData, type Pair, pairsOf } from './compare.ts';
import { fieldsToCover, GENERATORS, type Own } from './generators.ts';
import { CANARY, cursorsOf, type Handles, namesWith, populate } from './handles.ts';
import { WAYS } from './ways.ts';
import { askers, ASKING, openWorld, rowsOf, type World } from './world.ts';

const OTHER = namesWith(CANARY);
const OTHER_TENANT = tenant(OTHER.tenantId);

interface Sides {
  readonly other: Handles;
  readonly own: Own;
  /** Text of a key with every scope of the other tenant. */
  readonly otherKey: string;
}

async function fill({ store }: World): Promise<Sides> {
  await store.createTenant({ id: OTHER_TENANT, name: OTHER.tenantName, quotas: {} });
  const key = await createTestKey(store, { tenant: OTHER.tenantId, name: OTHER.keyName, scopes: SCOPES });
  const another = await createTestKey(store, { tenant: OTHER.tenantId, name: `${OTHER.keyName}-2` });
  const theirs = await populate(store, OTHER.tenantId, CANARY);
  const mine = await populate(store, ASKING, 'own');
  const cursors = await cursorsOf(store, { owner: OTHER.tenantId, asking: ASKING }, OTHER, theirs.jobs.completed);
  return {
    other: { ...OTHER, ...theirs, ...cursors, keyId: another.id },
    own: { tenantId: ASKING, queue: namesWith('own').queue, jobId: mine.jobs.completed },
    otherKey: key.text,
  };
}

/** A feed and a claim of the other tenant that wait while somebody else is busy. */
async function openBeside({ store, clock, url }: World, key: string) {
  const feed = await connectSocket(`${url.replace('http', 'ws')}/graphql`, { authorization: `Bearer ${key}` });
  feed.subscribe('feed', EVENTS);
  await feed.nextOf('feed');
  await feed.echo();
  const answered: string[] = [];
  const wanted = claimOf({ queues: [OTHER.queue], workerId: OTHER.workerId, tasks: [OTHER.task], waitSeconds: 30 });
  const waiting = store.claim(OTHER_TENANT, NOBODY, wanted).then(({ leases }) => void answered.push(...leases.map(({ job }) => job.id)));
  const heardBefore = feed.received.length;
  return {
    answered,
    waiting,
    /** Messages that came since, the answers to pings aside. What a feed holds back for its pace, it lets go. */
    async heard(): Promise<readonly string[]> {
      clock.advance(1_000);
      await feed.echo();
      await feed.echo();
      return feed.received.slice(heardBefore).flatMap(({ type }) => (type === 'pong' ? [] : [type]));
    },
    close: () => feed.socket.terminate(),
  };
}

test('every field that reaches data has a generator, and no generator is for a field that is gone', () => {
  expect(Object.keys(GENERATORS).toSorted()).toEqual([...fieldsToCover(schema)].toSorted());
});

test('handles of another tenant are answered byte for byte as handles of nothing, and nothing of it is told or changed', { timeout: 120_000 }, async () => {
  await using world = await openWorld();
  const { store, engine, logs } = world;
  const { other, own, otherKey } = await fill(world);
  const beside = await openBeside(world, otherKey);
  const before = await rowsOf(engine, OTHER.tenantId);
  logs.length = 0;

  const { faults, fields, calls } = await compareAll(world, await askers(store, [own.queue]), other, own);

  expect(faults).toEqual([]);
  expect(fields.size).toBe(fieldsToCover(schema).length);
  expect(calls).toBeGreaterThan(10_000);
  expect(before.length).toBeGreaterThan(40);
  expect(await rowsOf(engine, OTHER.tenantId)).toEqual(before);
  expect(logs.filter((line) => line.includes(CANARY))).toEqual([]);
  expect([await beside.heard(), beside.answered]).toEqual([[], []]);

  // Both were there all the time: the first job of their own tenant reaches them.
  await store.submit(OTHER_TENANT, NOBODY, [submission({ queue: OTHER.queue, task: OTHER.task })], false);
  await beside.waiting;
  expect(beside.answered).toHaveLength(1);
  await expect.poll(beside.heard).toContain('next');
  beside.close();
});

test('the same calls reach data in the hands of the tenant whose handles they are', async () => {
  await using world = await openWorld();
  const { other, own, otherKey: key } = await fill(world);
  const reached = new Set<string>();
  const isChange = ({ foreign }: Pair): boolean => foreign.document.startsWith('mutation');
  const pairs = pairsOf(other, own);
  for (const { field, foreign } of [...pairs.filter((pair) => !isChange(pair)), ...pairs.filter(isChange)]) {
    const answer = await (foreign.document.startsWith('subscription') ? WAYS['event stream'] : WAYS['HTTP, the short way'])(world, { ...foreign, key });
    expect(answer).not.toContain('GRAPHQL_VALIDATION_FAILED');
    if (hasData(answer)) reached.add(field);
  }
  expect([...fieldsToCover(schema)].filter((field) => !reached.has(field))).toEqual([]);
});

/** Costs a thousand, and four thousand and some hundreds: of a full bucket of five thousand, the second finds too little after the first. */
const THOUSAND = `{ ${['a', 'b', 'c', 'd', 'e'].map((alias) => `${alias}: apiKeys { id }`).join(' ')} }`;
const TOO_MUCH = '{ jobs(first: 100) { nodes { queue { jobs(first: 35) { nodes { id } } } } } }';

test('a handle of another tenant costs as many statements and is charged as much as a handle of nothing', async () => {
  await using world = await openWorld();
  const { store, statements, clock } = world;
  const { other, own } = await fill(world);
  const { text: key } = await createTestKey(store, { tenant: ASKING });
  const send = WAYS['HTTP, the short way'];

  /** For how many milliseconds what is too much has to wait, at one unit a millisecond: grows with what was spent. */
  async function waitMs(): Promise<number> {
    const answer = await send(world, { document: TOO_MUCH, variables: {}, key });
    return Number(/"retryAfterMs":(\d+)/.exec(answer)?.[1]);
  }
  await store.updateTenant(tenant(ASKING), { quotas: { costPerSecond: 1_000 } }, 'system');
  await send(world, { document: '{ __typename }', variables: {}, key });

  async function effortOf(asked: { readonly document: string; readonly variables: object }): Promise<{ readonly statements: number; readonly cost: number }> {
    // What is kept in mind of the asking side's own settings is there each time.
    await send(world, { document: '{ tryRedaction(task: "t", value: 1) }', variables: {}, key });
    clock.advance(6_000);
    await send(world, { document: THOUSAND, variables: {}, key });
    const [cost, before] = [await waitMs(), statements.length];
    await send(world, { ...asked, key });
    const after = statements.length;
    return { statements: after - before, cost: (await waitMs()) - cost };
  }
  const faults: string[] = [];
  let executed = 0;
  for (const { field, foreign, unknown } of pairsOf(other, own).filter(({ foreign }) => foreign.tenant === undefined)) {
    const efforts = [await effortOf(unknown), await effortOf(foreign)];
    if (Object.values(efforts[0] ?? {}).every((effort) => effort > 0)) executed += 1;
    if (JSON.stringify(efforts[0]) !== JSON.stringify(efforts[1])) faults.push(`${field} ${JSON.stringify(foreign.variables)} ${JSON.stringify(efforts)}`);
  }
  expect(faults).toEqual([]);
  expect(executed).toBeGreaterThan(150);
}, 60_000);
