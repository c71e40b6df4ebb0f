/** The inspection of a store: silent about what a store does, and telling about each thing that it never does. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/store/engines/engine.ts';
import { BREACHES_MAX, inspect, sentenceOf } from '../../src/store/inspection/inspect.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { ALICE, BOB, CALLER, claimOf, claimOne, openTestStore, submission, submitOne, type TestStore } from '../support/store.ts';

/** Jobs in every state, of two tenants, with tags, results, redrives and a purge. */
async function busyStore(): Promise<TestStore> {
  const test = await openTestStore();
  const { store, clock } = test;
  for (const tenant of [ALICE, BOB]) {
    await submitOne(store, tenant, { queue: 'late', start: { inSeconds: 60 }, tags: [{ key: 'a', value: 'b' }] });
    for (let count = 0; count < 6; count++) await submitOne(store, tenant, { tags: [{ key: 'n', value: String(count) }], maxAttempts: 1 });
    const done = await claimOne(store, tenant);
    await store.complete(tenant, CALLER, [{ jobId: done.job.id, leaseToken: done.leaseToken, resultJson: '{"ö":1}' }]);
    await claimOne(store, tenant, { leaseSeconds: 5 });
    clock.advance(6_000);
    await store.sweep();
    await claimOne(store, tenant);
  }
  return test;
}

async function breachesIn({ db }: Engine): Promise<Readonly<Record<string, readonly string[]>>> {
  const verdicts = await inspect({ db, replays: true });
  return Object.fromEntries(verdicts.filter(({ breaches }) => breaches.length > 0).map(({ name, breaches }) => [name, breaches.map(sentenceOf)]));
}

async function plant({ db }: Engine, statement: string): Promise<void> {
  await sql.raw(statement).execute(acrossTenants(db));
}

test('a store that was worked with agrees with itself', async () => {
  const { store, engine } = await busyStore();
  expect(await breachesIn(engine)).toEqual({});
  expect((await store.stats(ALICE)).counts).toMatchObject({ completed: 1, dead: 1, running: 1 });
  await store.close();
});

const ONE = '(select min(seq) from jobs where state = ';

describe('the inspection finds', () => {
  test.each([
    [
      'half a lease',
      `update jobs set lease_seconds = null where state = 'running' and tenant_id = 'alice'`,
      'leases',
      /^job .* of the tenant alice runs, and its lease is not whole$/,
    ],
    ['a part of a lease where none is', `update jobs set lease_worker_id = 'x' where seq = ${ONE}'queued')`, 'leases', /does not run/],
    [
      'a counter that is off',
      `update queue_counters set queued = queued + 1, ready = 0 where tenant_id = 'bob' and queue_name = 'q'`,
      'counters',
      /^queue q of the tenant bob counts 4 queued, of which there are 3; 0 ready, of which there are 3;$/,
    ],
    ['a queue without counters', `delete from queue_counters where tenant_id = 'bob'`, 'counters', /has jobs and no counters/],
    ['a worker that holds less than is said', `update workers set running = 7 where tenant_id = 'alice'`, 'workers', /is said to hold 7 leases, and holds 1/],
    ['a worker that is not known', `delete from workers where tenant_id = 'alice'`, 'workers', /holds leases, and is not known/],
    ['a worker that was seen last before first', `update workers set first_seen_at_ms = last_seen_at_ms + 1 where tenant_id = 'alice'`, 'signs', /^worker w /],
    [
      'usage that is off by a byte',
      `update tenant_usage set stored_bytes = stored_bytes + 1 where tenant_id = 'alice'`,
      'usage',
      /^the usage of the tenant alice says/,
    ],
    ['a job without its queue', `delete from queues where tenant_id = 'alice' and name = 'q'`, 'owners', /which is not there/],
    ['a tenant that is gone', `delete from tenants where tenant_id = 'alice'`, 'owners', /queue q of the tenant alice belongs to a tenant that is not there/],
    ['a tag that leads nowhere', `delete from job_tags where job_seq = ${ONE}'queued')`, 'tags', /has 1 tags, and is found by 0/],
    [
      'an attempt that is missing',
      `delete from attempts where job_seq = ${ONE}'completed')`,
      'ledger',
      /was claimed and let go 1 times, and its ledger has 0 lines/,
    ],
    [
      'a ledger without its job',
      `insert into attempts select tenant_id, 9999, fence, number, worker_id, token_hash, started_at_ms, heartbeat_at_ms, finished_at_ms, outcome, settled_by, settled_to, retry_at_ms, error, error_group from attempts limit 1`,
      'ledger',
      /job number 9999/,
    ],
    [
      'a group that counts wrong',
      `update dead_groups set count = 3 where tenant_id = 'alice'`,
      'groups',
      /^group [0-9a-f]{24} of the tenant alice counts 3 dead letters, and has 1$/,
    ],
    ['a group that is not known', `delete from dead_groups where tenant_id = 'alice'`, 'groups', /has dead letters, and is not known/],
    [
      'a group of nobody',
      `update dead_groups set id = 'x' where tenant_id = 'alice'`,
      'groups',
      /^group x of the tenant alice counts 1 dead letters, and has 0$/,
    ],
    ['a group of another queue', `update dead_groups set queue_name = 'late'`, 'groups', /is in a group of another queue or task/],
    ['a dead letter without a group', `update jobs set dead_group = null where tenant_id = 'bob'`, 'groups', /^job .* is dead, and in no group$/],
    [
      'an event of no job',
      `update events set job_seq = 9999 where seq = 1 and tenant_id = 'alice'`,
      'log',
      /^event 1 of the tenant alice is of job number 9999/,
    ],
    ['a log that ends too early', `update event_logs set last_seq = 3 where tenant_id = 'bob'`, 'log', /past the end of the log/],
    [
      'a minute of a tenant that is more than its queues',
      `insert into queue_series (tenant_id, queue_name, step_seconds, bucket_ms, claimed) values ('bob', '', 60, 60000, 1)`,
      'series',
      /^minute 60000 of the tenant bob is not the sum of its queues$/,
    ],
    ['a figure below zero', `update queue_activity set claimed = -1 where tenant_id = 'alice'`, 'series', /below zero/],
    [
      'a state that no event tells',
      `update jobs set state = 'dead' where state = 'completed' and tenant_id = 'alice'`,
      'replay',
      /state is dead, and should be completed/,
    ],
    ['a priority that no event tells', `update jobs set priority = 5 where seq = ${ONE}'queued')`, 'replay', /priority is 5, and should be 0/],
    [
      'an id that names another place',
      `update jobs set id = substr(id, 1, 24) || '0000000000ff' where seq = ${ONE}'queued')`,
      'replay',
      /which its id does not name/,
    ],
    [
      'a chain that is broken',
      `update events set previous_seq = null where kind = 'CLAIMED' and tenant_id = 'bob'`,
      'replay',
      /chain does not lead to its submission/,
    ],
    [
      'an event that no chain reaches',
      `insert into events (tenant_id, seq, job_seq, kind, attempt, fence, at_ms) values ('alice', 0, ${ONE}'queued'), 'RELEASED', 0, 0, 0)`,
      'replay',
      /the chains of the jobs reach/,
    ],
    [
      'an entry of the audit log that cannot be read',
      `insert into operator_actions (tenant_id, seq, at_ms, action, target, changed, skipped) values ('alice', 1, 0, 'pause_queue', '{', 1, 0)`,
      'audit',
      /^operator action 1 of the tenant alice has a target that cannot be read$/,
    ],
    [
      'an audit log of nobody',
      `insert into operator_actions (tenant_id, seq, at_ms, action, target, changed, skipped) values ('carol', 1, 0, 'pause_queue', '{}', 1, 0)`,
      'audit',
      /^operator action 1 of the tenant carol belongs to a tenant that is not there$/,
    ],
    [
      'more entries than are kept',
      `insert into operator_actions (tenant_id, seq, at_ms, action, target, changed, skipped) with recursive n(i) as (select 1 union all select i + 1 from n where i < 10001) select 'alice', i, 0, 'pause_queue', '{}', 1, 0 from n`,
      'audit',
      /^the audit log of the tenant alice has 10001 entries$/,
    ],
    [
      'redaction rules that cannot be read',
      `insert into redaction_rules values ('bob', 1, '[')`,
      'audit',
      /^the redaction rules of the tenant bob cannot be read$/,
    ],
  ])('%s', async (_what, statement, check, message) => {
    const { store, engine } = await busyStore();
    await plant(engine, statement);
    const found = await breachesIn(engine);
    expect(
      found[check]?.some((text) => message.test(text)),
      JSON.stringify(found),
    ).toBe(true);
    await store.close();
  });
});

test('what is wrong everywhere is told a bounded number of times', async () => {
  const { store, engine } = await openTestStore();
  await store.submit(
    ALICE,
    CALLER,
    Array.from({ length: BREACHES_MAX + 5 }, () => submission()),
    false,
  );
  await plant(engine, `update jobs set priority = 9, lease_worker_id = 'x'`);
  const verdicts = await inspect({ db: engine.db, replays: true });
  const told = verdicts.filter(({ name }) => name === 'leases' || name === 'replay').map(({ breaches, hasMore }) => [breaches.length, hasMore]);
  expect(told).toEqual([
    [BREACHES_MAX, true],
    [BREACHES_MAX, true],
  ]);
  await store.close();
});

test('a purged job leaves its last event, whose number may be that of another job since', async () => {
  const { store, engine } = await openTestStore();
  const id = await submitOne(store, ALICE);
  await store.cancel(ALICE, CALLER, { jobId: id, reason: null, force: false });
  await store.bulk(ALICE, CALLER, { target: { ids: [id] }, action: { name: 'purge' }, limit: 10, dryRun: false });
  await submitOne(store, ALICE);
  expect((await store.claim(ALICE, CALLER, claimOf())).leases).toHaveLength(1);
  expect(await breachesIn(engine)).toEqual({});
  await store.close();
});
