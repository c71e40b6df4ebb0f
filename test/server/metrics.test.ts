import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { METRICS } from '../../src/server/metric-table.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { StoreFault } from '../../src/store/store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ManualClock, T0_MS } from '../support/manual-clock.ts';
import { CALLER, claimOf, submission, temporaryFolder } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

const pageOf = async ({ url }: TestApp): Promise<string> => (await fetch(`${url}/metrics`)).text();
const statusOf = async ({ url }: TestApp, path: string): Promise<number> => (await fetch(url + path)).status;

describe('the metrics page', () => {
  test('has every metric that is declared, as it is declared', async () => {
    await using server = await startApp();
    await server.submit();
    await server.graphql('mutation { claimJobs(input: {queues: ["q"], workerId: "w"}) { idle } }');
    const page = await pageOf(server);
    for (const { name, type, help } of Object.values(METRICS)) {
      expect(page).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`);
      expect(name).toMatch(/^leasequeue_[a-z]+(_[a-z]+)*$/);
    }
    expect(page).toMatch(/^process_cpu_seconds_total /m);
    expect(page).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });

  test('counts what happened since the start, and not what was there before (B103)', async () => {
    using folder = temporaryFolder();
    const path = folder.file('x.db');
    const before = await startApp({ path });
    await before.store.submit(
      tenant('default'),
      CALLER,
      Array.from({ length: 100 }, () => submission()),
      false,
    );
    expect(await before.metric('leasequeue_transitions_total{kind="SUBMITTED",queue="q"}')).toBe(100);
    await before.app.stop();
    await using server = await startApp({ path, clock: new ManualClock(T0_MS + 3_600_000) });
    expect(await server.metric('leasequeue_transitions_total{kind="SUBMITTED",queue="q"}')).toBeUndefined();
    expect(await server.metric('leasequeue_jobs{queue="q",state="queued"}')).toBe(100);
    await server.submit();
    expect(await server.metric('leasequeue_transitions_total{kind="SUBMITTED",queue="q"}')).toBe(1);
  });

  test('follows a job through its life', async () => {
    await using server = await startApp();
    const id = await server.submit({ idempotencyKey: 'k' });
    await server.submit({ idempotencyKey: 'k' });
    server.clock.advance(30_000);
    expect(await server.metric('leasequeue_oldest_ready_age_seconds{queue="q"}')).toBe(30);
    expect(await server.metric('leasequeue_ready_jobs{queue="q"}')).toBe(1);
    const claim = await server.graphql('mutation { claimJobs(input: {queues: ["q"], workerId: "w"}) { leases { leaseToken } } }');
    expect(await server.metric('leasequeue_oldest_ready_age_seconds{queue="q"}')).toBeUndefined();
    expect(await server.metric('leasequeue_claim_wait_seconds_sum')).toBe(30);
    server.clock.advance(2_000);
    const complete = 'mutation($id: ID!, $t: String!) { completeJob(input: {jobId: $id, leaseToken: $t}) { __typename } }';
    await server.graphql(complete, { id, t: claim.data.claimJobs.leases[0].leaseToken });
    await server.graphql(complete, { id, t: 'another token' });
    expect(await server.metric('leasequeue_run_seconds_sum')).toBe(2);
    expect(await server.metric('leasequeue_jobs{queue="q",state="completed"}')).toBe(1);
    expect(await server.metric('leasequeue_deduplicated_total')).toBe(1);
    expect(await server.metric('leasequeue_failures_total{code="LEASE_LOST"}')).toBe(1);
    expect(await server.metric('leasequeue_failures_total{code="JOB_NOT_FOUND"}')).toBe(0);
    expect(await server.metric('leasequeue_commit_operations_count')).toBeGreaterThan(0);
  });

  test('counts failures of batches one by one, and leases that lapse', async () => {
    await using server = await startApp();
    await server.submit({ maxAttempts: 1 });
    await server.graphql('mutation { claimJobs(input: {queues: ["q"], workerId: "w", leaseSeconds: 5}) { idle } }');
    await server.graphql('mutation { heartbeat(input: {leases: [{jobId: "a", leaseToken: "x"}, {jobId: "b", leaseToken: "x"}]}) { serverTime } }');
    await server.graphql('mutation { claimJobs(input: {queues: ["q"], workerId: "w", completing: [{jobId: "c", leaseToken: "x"}]}) { idle } }');
    expect(await server.metric('leasequeue_failures_total{code="JOB_NOT_FOUND"}')).toBe(3);
    server.clock.advance(6_000);
    await expect.poll(() => server.metric('leasequeue_lease_expiries_total{queue="q"}')).toBe(1);
    expect(await server.metric('leasequeue_transitions_total{kind="DEAD_LETTERED",queue="q"}')).toBe(1);
  });

  test('stays small and holds no name that it should not, whatever is used (B101)', async () => {
    await using server = await startApp({ logLevel: 'error' });
    const names = Array.from({ length: 2_000 }, (_, index) => index);
    for (let from = 0; from < names.length; from += 500) {
      const requests = names
        .slice(from, from + 500)
        .map((index) => submission({ queue: `queue-${index}`, task: `task-${index}`, idempotencyKey: `key-${index}` }));
      await server.store.submit(tenant(`tenant-${from}`), CALLER, requests, false);
    }
    for (const index of names.slice(0, 100))
      await server.store.claim(tenant('tenant-0'), CALLER, claimOf({ queues: [`queue-${index}`], workerId: `worker-${index}` }));
    const [first, second] = [await pageOf(server), await pageOf(server)];
    expect(first).not.toMatch(/worker-|task-|key-|tenant-/);
    expect(first.length).toBeLessThan(1_048_576);
    expect(second.split('\n').length).toBeLessThanOrEqual(first.split('\n').length);
    const queues = new Set([...first.matchAll(/queue="([^"]*)"/g)].map(([, queue]) => queue));
    expect(queues.has('other')).toBe(true);
    const transitions = new Set([...first.matchAll(/leasequeue_transitions_total\{kind="\w+",queue="([^"]*)"/g)].map(([, queue]) => queue));
    expect(transitions.size).toBe(201);
    const sum = [...first.matchAll(/^leasequeue_jobs\{queue="[^"]*",state="\w+"\} (\d+)$/gm)].reduce((total, [, count]) => total + Number(count), 0);
    expect(sum).toBe(2_000);
  });
});

describe('tenants', () => {
  test('are named with their quotas and what they use of them where the settings ask for it, as many as they say', async () => {
    await using server = await startApp({ config: { metricTenantsMax: 2 } });
    for (const name of ['c', 'b', 'a']) await server.submit({ payload: { text: 'x'.repeat(1_000) } }, name);
    await server.store.updateTenant(tenant('a'), { quotas: { maxWaitingJobs: 7 } }, 'system');
    const page = await pageOf(server);
    const valueOf = (series: string) =>
      Number(
        page
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    expect(valueOf('leasequeue_tenant_quota{tenant="a",quota="maxWaitingJobs"}')).toBe(7);
    expect(valueOf('leasequeue_tenant_use{tenant="a",quota="maxWaitingJobs"}')).toBe(1);
    expect(valueOf('leasequeue_tenant_use{tenant="b",quota="maxStoredMebibytes"}')).toBeCloseTo(1_011 / 1_048_576, 9);
    expect(page).toContain('leasequeue_tenant_quota{tenant="b",quota="requestsPerSecond"}');
    expect(page).not.toMatch(/tenant_use\{tenant="b",quota="requestsPerSecond"|tenant="c"/);
  });
});

describe('a store that does not answer (B104)', () => {
  const trouble: { kind: 'none' | 'fails' | 'hangs' } = { kind: 'none' };
  afterEach(() => {
    trouble.kind = 'none';
  });
  const spoil = (store: LeaseRepository): LeaseRepository =>
    new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (name !== 'gauges' && name !== 'probe') return member;
        return async (...given: unknown[]): Promise<unknown> => {
          if (trouble.kind === 'fails') throw new StoreFault('busy', 'locked', { outcomeUnknown: false });
          if (trouble.kind === 'hangs') await new Promise((resolve) => void setInterval(() => trouble.kind !== 'hangs' && resolve(null), 20).unref());
          return Reflect.apply(member as () => Promise<unknown>, target, given);
        };
      },
    });

  test.each(['fails', 'hangs'] as const)(
    'and %s leaves its figures out, makes the server not ready but alive, and is read again when it is back',
    async (kind) => {
      await using server = await startApp({ spoil });
      await server.submit();
      expect(await pageOf(server)).toContain('leasequeue_jobs{queue="q"');
      trouble.kind = kind;
      const startedAt = performance.now();
      const [page, other] = await Promise.all([pageOf(server), pageOf(server)]);
      expect(performance.now() - startedAt).toBeLessThan(2_000);
      for (const each of [page, other]) {
        expect(each).toMatch(/^leasequeue_up 0$/m);
        expect(each).not.toMatch(/^leasequeue_(jobs|ready_jobs|delayed_jobs|oldest_ready_age_seconds)\{/m);
        expect(each).toMatch(/^process_resident_memory_bytes /m);
      }
      const ready = await fetch(`${server.url}/health/ready`);
      expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', reason: expect.stringMatching(/database/) }]);
      expect(await statusOf(server, '/health/live')).toBe(200);
      trouble.kind = 'none';
      await expect.poll(() => server.metric('leasequeue_up')).toBe(1);
      expect(await server.metric('leasequeue_jobs{queue="q",state="queued"}')).toBe(1);
      await expect.poll(() => statusOf(server, '/health/ready')).toBe(200);
    },
  );
});

describe('two servers in one process (B106)', () => {
  test('have a registry each, also after one was stopped', async () => {
    const gone = await startApp();
    await gone.submit({ queue: 'gone' });
    await gone.app.stop();
    await using one = await startApp();
    await using two = await startApp();
    await one.submit({ queue: 'one' });
    await two.submit({ queue: 'two' });
    const [first, second] = [await pageOf(one), await pageOf(two)];
    expect([first.includes('"one"'), first.includes('"two"'), first.includes('"gone"')]).toEqual([true, false, false]);
    expect([second.includes('"one"'), second.includes('"two"'), second.includes('"gone"')]).toEqual([false, true, false]);
  });

  test('leave nothing that keeps the process', () => {
    const script = fileURLToPath(new URL('../support/two-apps.ts', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { timeout: 10_000, encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, 'stopped\n', '']);
  });
});
