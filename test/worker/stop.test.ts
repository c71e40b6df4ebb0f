/** How a worker stops: what it still does, in which order, and what it hands back. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { JobContext } from '../../src/worker/index.ts';
import { watch } from '../support/turns.ts';
import { echo, QUEUE, startStage } from '../support/worker-stage.ts';

const untilAborted = ({ signal }: JobContext): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

describe('a worker that is stopped', () => {
  test('claims nothing more, keeps leases alive while handlers end, and resolves when all is done (B143)', async () => {
    await using stage = await startStage();
    const end = Promise.withResolvers<void>();
    const [first = '', second = ''] = await stage.submit(1, 2);
    const worker = stage.worker({ lease: '9s', grace: '60s' }).on(echo, () => end.promise);
    worker.start();
    await stage.heard('job-started');
    const stopped = watch(worker.stop());
    const claims = stage.wire.of('WorkerClaim').length;
    await stage.pass(30_000);
    expect(stopped.isOver()).toBe(false);
    expect(await stage.lq.job({ id: first })).toMatchObject({ state: 'RUNNING', attempt: 1 });
    end.resolve();
    expect(await stopped.promise).toEqual({ error: null, abandoned: 0, unsettled: 0 });
    expect(await stage.kinds(first)).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
    expect(await stage.kinds(second)).toEqual(['SUBMITTED']);
    expect(stage.wire.of('WorkerClaim').length).toBe(claims);
  });

  test('tells handlers that outlast the grace, and hands their jobs back with their attempts', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    const worker = stage.worker({ grace: '10s' }).on(echo, untilAborted);
    worker.start();
    await stage.heard('job-started');
    const stopped = watch(worker.stop());
    await stage.pass(9_000);
    expect(stage.events.some(({ type }) => type === 'job-aborted')).toBe(false);
    await stage.pass(2_000);
    expect(await stopped.promise).toMatchObject({ abandoned: 0 });
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'QUEUED', attempt: 0 });
    expect(await stage.kinds(id)).toEqual(['SUBMITTED', 'CLAIMED', 'RELEASED']);
  });

  test('hands back at the end what handlers hold that do not listen, and says that they still run', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    const worker = stage.worker({ grace: '1s', abortGrace: '1s' }).on(echo, () => new Promise<never>(() => {}));
    worker.start();
    await stage.heard('job-started');
    const stopped = worker.stop();
    await stage.pass(3_000);
    expect(await stopped).toEqual({ error: null, abandoned: 1, unsettled: 0 });
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'QUEUED', attempt: 0 });
  });

  test('in a hurry tells handlers at once and waits for none', async () => {
    await using stage = await startStage();
    const [first = '', second = ''] = await stage.submit(1, 2);
    const worker = stage.worker({ concurrency: 2 }).on(echo, (context) => (context.input.n === 1 ? untilAborted(context) : new Promise<never>(() => {})));
    worker.start();
    await stage.heard('job-started', ({ job }) => job.payload['n'] === 2);
    const stopped = worker.stop();
    expect(await worker.stopNow()).toMatchObject({ abandoned: 1 });
    await stopped;
    expect(stage.events.filter(({ type }) => type === 'handler-stuck')).toEqual([]);
    expect([await stage.state(first), await stage.state(second)]).toEqual(['QUEUED', 'QUEUED']);
  });

  test('in a hurry hands a job back only after its handler has stopped, where that stops as soon as it is told', async () => {
    await using stage = await startStage();
    await stage.submit(1, 2);
    const happened: string[] = [];
    const worker = stage.worker({ concurrency: 2 }).on(echo, async ({ signal }) => {
      try {
        await pause(600_000, undefined, { signal });
      } finally {
        happened.push('stopped');
      }
    });
    stage.wire.spoil = (sent, pass) => {
      if (sent.query.includes('releaseJob')) happened.push('handed back');
      return pass();
    };
    worker.start();
    await stage.heard('job-started', ({ job }) => job.payload['n'] === 2);
    void worker.stop();
    await worker.stopNow();
    expect(happened).toEqual(['stopped', 'stopped', 'handed back', 'handed back']);
  });

  test('while its claim waits is over at once', async () => {
    await using stage = await startStage();
    const worker = stage.worker().on(echo, () => null);
    worker.start();
    await stage.pass(1_000);
    expect(await worker.stop()).toEqual({ error: null, abandoned: 0, unsettled: 0 });
  });

  test('hands back at once what waits in it, and nobody had begun', async () => {
    await using stage = await startStage();
    const ids = await stage.submit(1, 2, 3);
    const end = Promise.withResolvers<void>();
    const worker = stage.worker({ prefetch: 2 }).on(echo, () => end.promise);
    worker.start();
    await stage.heard('job-started');
    expect((await stage.lq.queue(QUEUE))?.stats.counts.running).toBe(3);
    const stopped = worker.stop();
    await stage.wire.quiet();
    expect(await Promise.all(ids.map((id) => stage.state(id)))).toEqual(['RUNNING', 'QUEUED', 'QUEUED']);
    end.resolve();
    await stopped;
    expect(stage.events.filter(({ type }) => type === 'job-started')).toHaveLength(1);
  });

  test('ends at once where the server was not there to give it anything', async () => {
    await using stage = await startStage();
    stage.wire.spoil = () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }));
    const worker = stage.worker().on(echo, () => null);
    worker.start();
    await stage.heard('server-unreachable');
    const sent = stage.wire.sent.length;
    // No time passes, so that it can wait for nothing.
    expect(await worker.stop()).toEqual({ error: null, abandoned: 0, unsettled: 0 });
    expect(stage.wire.sent).toHaveLength(sent);
  });

  test('finds and hands back leases whose answer was lost just then', async () => {
    await using stage = await startStage();
    const worker = stage.worker().on(echo, () => null);
    const lost = Promise.withResolvers<void>();
    stage.wire.spoil = async (sent, pass) => {
      const answer = await pass();
      if (!sent.isWaiting) return answer;
      lost.resolve();
      // The server gave the lease, and its answer did not arrive before the stop.
      return new Promise<Response>((_, reject) => void stopping.promise.then(() => reject(new TypeError('cut off'))));
    };
    const stopping = Promise.withResolvers<void>();
    worker.start();
    await stage.wire.quiet();
    const [id = ''] = await stage.submit(1);
    await lost.promise;
    expect(await stage.state(id)).toBe('RUNNING');
    const stopped = worker.stop();
    stopping.resolve();
    await stopped;
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'QUEUED', attempt: 0 });
    expect(stage.events.some(({ type }) => type === 'job-started')).toBe(false);
  });
});

describe('a worker whose server', () => {
  test('loses the answers to claims and results does each job once all the same', async () => {
    await using stage = await startStage();
    const ids = await stage.submit(...Array.from({ length: 40 }, (_, n) => n));
    let turn = 0;
    stage.wire.spoil = async (sent, pass) => {
      const isLost = /Worker|CompleteJobs/.test(sent.query) && ++turn % 3 === 0;
      const answer = await pass();
      if (isLost) throw new TypeError('the answer is lost');
      return answer;
    };
    const runs = new Map<number, number>();
    stage
      .worker({ concurrency: 4 })
      .on(echo, ({ input }) => void runs.set(input.n, (runs.get(input.n) ?? 0) + 1))
      .start();
    for (let n = 0; n < 300 && stage.events.filter(({ type }) => type === 'job-completed').length < 40; n++) await stage.pass(1_000);
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
    expect(runs.size).toBe(40);
    for (const id of ids) expect(await stage.kinds(id)).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
  });

  test('answers a result with a final no says so once, and the slot goes on (B149)', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    stage
      .worker()
      .on(echo, async ({ input }) => {
        if (input.n !== 1) return;
        await stage.lq.cancelJob({ id, force: true });
        await stage.lq.purgeJobs({ target: { ids: [id] } });
      })
      .start();
    const { message } = await stage.heard('lease-lost');
    expect(message).toContain('No job of this tenant has this id');
    await stage.submit(2);
    await stage.heard('job-completed', ({ job }) => job.payload['n'] === 2);
    expect(stage.events.filter(({ type }) => type === 'lease-lost')).toHaveLength(1);
  });

  test('is busy for a while repeats a result while the lease can be alive (B149)', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    let refusals = 0;
    stage.wire.spoil = async (sent, pass) => {
      const settles = /completing|FailJob/.test(JSON.stringify(sent.variables)) || sent.query.includes('FailJob') || sent.query.includes('CompleteJobs');
      if (!settles || refusals >= 6) return pass();
      refusals += 1;
      return Response.json({ errors: [{ message: 'busy', extensions: { code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false } }] }, { status: 503 });
    };
    stage
      .worker()
      .on(echo, () => 'done')
      .start();
    for (let n = 0; n < 30 && !stage.events.some(({ type }) => type === 'job-completed'); n++) await stage.pass(1_000);
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'COMPLETED', attempt: 1 });
    expect(refusals).toBe(6);
  });

  test('refuses its key stops it, and says why', async () => {
    await using stage = await startStage({ config: { auth: 'required' } }, { apiKey: 'lq_nobody_at_all', retryFor: 0 });
    const worker = stage.worker().on(echo, () => null);
    await expect(worker.run()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(stage.wire.sent.length).toBeLessThanOrEqual(2);
  });

  test('gives a bad answer waits longer and longer, and does not ask without pause', async () => {
    await using stage = await startStage();
    stage.wire.spoil = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    stage
      .worker()
      .on(echo, () => null)
      .start();
    await stage.pass(60_000);
    expect(stage.wire.sent.length).toBeLessThan(40);
    expect(stage.events.filter(({ type }) => type === 'server-unreachable')).toHaveLength(1);
  });
});
