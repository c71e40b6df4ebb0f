/** Every operation once, against the real schema: the answer is the one that the types promise. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFailure, LeaseQueue, LeaseQueueError, unwrap } from '../../src/client/index.ts';
import { Operations } from '../../src/client/operations.ts';
import { startApp, type TestApp } from '../support/app.ts';

let server: TestApp;
let lq: LeaseQueue;
const called = new Set<PropertyKey>();
beforeAll(async () => {
  server = await startApp();
  const real = new LeaseQueue({ url: server.url });
  lq = new Proxy(real, {
    get(_, name) {
      called.add(name);
      const value: unknown = Reflect.get(real, name, real);
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
});
afterAll(() => server.app.stop());

const submit = async (queue: string) => unwrap(await lq.submitJob({ queue, task: 't', payload: { n: 1 } })).job;
async function claim(queue: string) {
  const { leases, idle } = await lq.claimJobs({ queues: [queue], workerId: 'w', max: 10 });
  return { idle, held: leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken })) };
}
async function claimNew(queue: string): Promise<{ readonly jobId: string; readonly leaseToken: string }> {
  await submit(queue);
  const [lease] = (await claim(queue)).held;
  if (lease === undefined) throw new Error('nothing to claim');
  return lease;
}

describe('every operation', () => {
  test('of a producer', async () => {
    expect(await submit('p')).toMatchObject({ queueName: 'p', task: 't', state: 'QUEUED' });
    const { results } = await lq.submitJobs({ jobs: [{ task: 'a' }, { task: 'b' }] });
    expect(results.map((result) => unwrap(result).deduplicated)).toEqual([false, false]);
    expect(unwrap(await lq.submitJob({ queue: 'p', task: 't', payload: { big: 2 ** 50, text: 'ü\u{1F600}' } })).job.state).toBe('QUEUED');
  });

  test('of a worker', async () => {
    expect((await claim('empty')).idle).toBe('NO_READY_JOB');
    const done = await claimNew('w');
    expect(unwrap(await lq.heartbeat(done))).toMatchObject({ jobId: done.jobId, cancelRequested: false });
    expect(unwrap(await lq.completeJob({ ...done, result: [1, null] }))).toMatchObject({ replayed: false, job: { state: 'COMPLETED' } });
    const held = await claimNew('w');
    expect(await lq.leases()).toMatchObject({
      nodes: [{ id: held.jobId, lease: { workerId: 'w', leaseSeconds: 60, lastHeartbeatAt: null, startedAt: expect.any(String) } }],
      isCutShort: false,
    });
    expect(unwrap(await lq.completeJob(held))).toMatchObject({ replayed: false });
    const failed = await claimNew('w');
    expect(unwrap(await lq.failJob({ ...failed, error: { message: 'no' } }))).toMatchObject({ job: { state: 'RETRY' } });
    const released = await claimNew('w');
    expect(unwrap(await lq.releaseJob(released))).toMatchObject({ job: { state: 'QUEUED' } });
  });

  test('of an operator', async () => {
    const { id: first } = await submit('o');
    expect(unwrap(await lq.rescheduleJob({ id: first, priority: 5 }))).toMatchObject({ job: { priority: 5 } });
    expect(unwrap(await lq.cancelJob({ id: first }))).toMatchObject({ job: { state: 'CANCELLED' } });
    expect(await lq.purgeJobs({ target: { ids: [first] } })).toMatchObject({ changed: 1 });
    await submit('o');
    expect(await lq.cancelJobs({ target: { filter: { queues: ['o'] } } })).toMatchObject({ changed: 1 });
    for (let round = 0; round < 2; round++) {
      const lease = await claimNew('o');
      unwrap(await lq.failJob({ ...lease, error: { message: 'no' }, retry: { never: true } }));
      if (round === 0) expect(unwrap(await lq.redriveJob({ id: lease.jobId }))).toMatchObject({ job: { state: 'QUEUED' } });
      else expect(await lq.redriveJobs({ target: { ids: [lease.jobId] } })).toMatchObject({ changed: 1 });
      await lq.cancelJobs({ target: { filter: { queues: ['o'] } } });
    }
    const lease = await claimNew('o');
    unwrap(await lq.failJob({ ...lease, error: { type: 'Timeout', message: 'after 30 s' }, retry: { never: true } }));
    const [group] = (await lq.deadLetterGroups({ queues: ['o'] })).nodes;
    expect(group).toMatchObject({ queueName: 'o', task: 't', errorType: 'Timeout', message: 'after 30 s', count: 1 });
    expect(group?.trend.map(({ died }) => died)).toEqual([...Array(23).fill(0), 1]);
    const id = group?.id ?? '';
    expect((await lq.jobs({ filter: { deadLetterGroups: [id] } })).nodes).toMatchObject([{ id: lease.jobId, deadLetterGroupId: id }]);
    expect(await lq.deadLetterGroup(id)).toEqual(group);
    expect(await lq.redriveJobs({ target: { filter: { deadLetterGroups: [id] } }, limit: 1 })).toMatchObject({ changed: 1 });
    expect(await lq.deadLetterGroup(id)).toBeNull();
    await lq.cancelJobs({ target: { filter: { queues: ['o'] } } });
    expect(unwrap(await lq.pauseQueue({ name: 'o', reason: 'rest' }))).toMatchObject({ queue: { paused: true } });
    expect(unwrap(await lq.resumeQueue({ name: 'o' }))).toMatchObject({ queue: { paused: false } });
    expect(unwrap(await lq.configureQueue({ name: 'o', defaults: { maxAttempts: 7 } }))).toMatchObject({ queue: { defaults: { maxAttempts: 7 } } });
  });

  test('of an observer', async () => {
    const { id } = await submit('r');
    expect(await lq.job({ id })).toMatchObject({ id, payload: { n: 1 } });
    expect(await lq.job({ id }, { attempts: 1, events: 1 })).toMatchObject({ events: { nodes: [{ kind: 'SUBMITTED' }] } });
    expect(await lq.job({ id: 'none' })).toBeNull();
    expect((await lq.jobs({ filter: { queues: ['r'] } })).nodes).toMatchObject([{ id }]);
    expect((await lq.jobDetails({ first: 1 })).nodes[0]).toHaveProperty('payload');
    expect(await lq.countJobs({ queues: ['r'] })).toEqual({ value: 1, exact: true });
    expect(await lq.queue('r')).toMatchObject({ name: 'r' });
    expect(await lq.queue('none')).toBeNull();
    expect((await lq.queues()).nodes.map(({ name }) => name)).toContain('r');
    expect((await lq.queues({ namePrefix: 'r' })).nodes.map(({ name }) => name)).toEqual(['r']);
    expect((await lq.queuesByTrouble()).map(({ name }) => name)).toContain('r');
    expect(await lq.series()).toMatchObject({ period: 'HOUR', stepSeconds: 60 });
    expect((await lq.series({ queue: 'r', period: 'WEEK' }))?.points.at(-1)).toMatchObject({ submitted: 1, ready: 1, waitP95Seconds: null });
    expect(await lq.series({ queue: 'none' })).toBeNull();
    expect(await lq.stats()).toMatchObject({ counts: { queued: expect.any(Number) } });
    expect(await lq.workers()).toMatchObject([{ id: 'w', state: 'IDLE', tasks: null, soonestLeaseExpiresAt: null, firstSeenAt: expect.any(String) }]);
    expect(await lq.workers({ states: ['SILENT'], first: 10 })).toEqual([]);
    expect(await lq.jobs({ filter: { tasks: ['none'] }, lookThroughMax: 1 })).toMatchObject({ nodes: [], lookedThrough: 1, isCutShort: true });
    expect(await lq.countJobs({ tasks: ['none'] }, { lookThroughMax: 1 })).toEqual({ value: 0, exact: false });
    expect((await lq.eventPage({ filter: { queues: ['r'] } })).nodes).toMatchObject([{ jobId: id, kind: 'SUBMITTED' }]);
    expect(await lq.latestEventCursor()).toEqual(expect.any(String));
  });

  test('of an administrator', async () => {
    expect((await lq.viewer()).tenant.id).toBe('default');
    const { apiKey, secret } = unwrap(await lq.createApiKey({ name: 'reader', scopes: ['READ'] }));
    expect(secret).toMatch(/^lq_default_/);
    expect(await lq.apiKeys()).toMatchObject([{ id: apiKey.id, revokedAt: null }]);
    expect(unwrap(await lq.revokeApiKey({ id: apiKey.id })).apiKey.revokedAt).toEqual(expect.any(String));
    expect(unwrap(await lq.createTenant({ id: 'acme', name: 'Acme' }))).toMatchObject({ tenant: { id: 'acme' } });
    expect(unwrap(await lq.updateTenant({ id: 'acme', name: 'Acme & Co' }))).toMatchObject({ tenant: { name: 'Acme & Co' } });
    const rules = [{ task: 'secret.*', path: 'pin' }];
    expect(unwrap(await lq.setRedactionRules({ rules, expectedVersion: 0 })).redactionRules).toEqual({ rules, version: 1 });
    expect(await lq.redactionRules()).toEqual({ rules, version: 1 });
    expect(await lq.tryRedaction({ task: 'secret.x', value: { pin: 1 } })).toEqual({ pin: '[redacted]' });
    expect(await lq.tryRedaction({ task: 'x', value: [1], rules: [{ task: '*', path: '0' }] })).toEqual(['[redacted]']);
    expect((await lq.auditLog({ actions: ['CREATE_API_KEY', 'SET_REDACTION_RULES'] })).nodes).toMatchObject([
      { action: 'SET_REDACTION_RULES', target: { rules: 1, version: 1 } },
      { action: 'CREATE_API_KEY', target: { name: 'reader' }, changed: 1 },
    ]);
    expect(await lq.tenant('acme')).toMatchObject({ name: 'Acme & Co' });
    expect((await lq.tenants()).nodes.map(({ id }) => id)).toContain('acme');
  });

  test('was called', () => {
    const methods = Object.getOwnPropertyNames(Operations.prototype).filter((name) => name !== 'constructor');
    expect(methods.filter((name) => !called.has(name))).toEqual([]);
  });
});

describe('a failure', () => {
  test('is a member of the union, which a program reads by its type', async () => {
    const result = await lq.cancelJob({ id: 'none' });
    expect(result).toMatchObject({ __typename: 'JobNotFound', code: 'JOB_NOT_FOUND', retryable: false });
    expect(isFailure(result)).toBe(true);
  });

  test('is thrown by unwrap, with the failure as its details', async () => {
    const lost = await lq.completeJob({ jobId: (await submit('lost')).id, leaseToken: 'no-such-token' });
    expect(() => unwrap(lost)).toThrow(LeaseQueueError);
    const error = await Promise.reject(lost).catch((failure) => {
      try {
        return unwrap(failure);
      } catch (thrown) {
        return thrown;
      }
    });
    expect(error).toMatchObject({
      code: 'LEASE_LOST',
      isRetryable: false,
      isOutcomeUnknown: false,
      details: { __typename: 'LeaseLost', reason: 'UNKNOWN_TOKEN' },
    });
  });

  test('that the client does not know of is thrown as well', () => {
    const unknown = { __typename: 'Brand' as string, code: 'BRAND_NEW' as never, message: 'later version', retryable: true };
    expect(() => unwrap(unknown)).toThrow('later version');
  });
});
