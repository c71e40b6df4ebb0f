/** How a worker keeps its leases, and what it does when it loses one. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTask } from '../../src/client/index.ts';
import { abortReasonOf, type AbortReason, type JobContext } from '../../src/worker/index.ts';
import { echo, QUEUE, type Stage, startStage } from '../support/worker-stage.ts';

/** Ends when its signal aborts, as a handler should. */
const untilAborted = ({ signal }: JobContext): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

describe('a lease', () => {
  test('is kept alive for as long as the handler runs, in requests that are few (B16)', async () => {
    await using stage = await startStage();
    const end = Promise.withResolvers<void>();
    const ids = await stage.submit(1, 2, 3, 4, 5);
    stage
      .worker({ concurrency: 5, lease: '30s' })
      .on(echo, () => end.promise)
      .start();
    await stage.heard('job-started', ({ job }) => job.payload['n'] === 5);
    await stage.pass(600_000);
    const beats = stage.wire.of('WorkerBeat').length;
    expect(beats).toBeGreaterThanOrEqual(600 / 10 - 5);
    expect(beats).toBeLessThanOrEqual(600 / 10 + 5);
    expect(await stage.lq.job({ id: ids[0] ?? '' })).toMatchObject({ state: 'RUNNING', attempt: 1 });
    end.resolve();
    await stage.heard('job-completed', ({ job }) => job.payload['n'] === 5);
    expect(await stage.kinds(ids[4] ?? '')).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
  });

  test('counts from when its claim was sent: one that came late in a long wait is renewed at once', async () => {
    await using stage = await startStage();
    stage.worker({ lease: '60s', wait: '20s' }).on(echo, untilAborted).start();
    await stage.pass(19_000);
    await stage.submit(1);
    await stage.heard('job-started');
    await stage.pass(2_000);
    expect(stage.wire.of('WorkerBeat').length).toBe(1);
  });

  test('of a task that asks for a longer one is extended to that', async () => {
    await using stage = await startStage();
    const long = defineTask({ name: 'long', input: z.object({}), lease: '10m' });
    const { job } = await stage.lq.submit(long, {}, { queue: QUEUE });
    stage.worker({ concurrency: 2, lease: '30s' }).on(echo, untilAborted).on(long, untilAborted).start();
    await stage.heard('job-started');
    await stage.pass(2_000);
    const { lease } = (await stage.lq.job({ id: job.id })) ?? {};
    expect(Date.parse(lease?.expiresAt ?? '') - stage.clock.nowMs()).toBeGreaterThan(590_000);
  });

  test('carries what the handler says of its progress, the latest word, within about a second', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    const end = Promise.withResolvers<void>();
    stage
      .worker()
      .on(echo, async ({ progress }) => {
        for (let percent = 0; percent <= 50; percent++) progress({ percent, note: `${percent} done` });
        progress({ percent: 1_000, note: `\ud800${'n'.repeat(2_000)}` });
        await end.promise;
      })
      .start();
    await stage.heard('job-started');
    await stage.pass(2_000);
    const { progress } = (await stage.lq.job({ id })) ?? {};
    expect(progress).toMatchObject({ percent: 100 });
    expect(progress?.note?.length).toBe(1_000);
    expect(stage.wire.of('WorkerBeat').length).toBe(1);
    end.resolve();
  });
});

describe('a worker that loses a lease', () => {
  async function lossOf(
    stage: Stage,
    lose: (id: string) => Promise<unknown>,
    options: { readonly passMs: number } = { passMs: 30_000 },
  ): Promise<AbortReason | null> {
    const [id = ''] = await stage.submit(1);
    let reason: AbortReason | null = null;
    stage
      .worker({ lease: '15s' })
      .on(echo, async (context) => {
        if (context.input.n !== 1) return;
        await untilAborted(context).catch(() => (reason = abortReasonOf(context.signal)));
        throw new Error('stopped');
      })
      .start();
    await stage.heard('job-started');
    await lose(id);
    await stage.pass(options.passMs);
    return reason;
  }

  test('because an operator took it away tells the handler, and says nothing more about it (B146)', async () => {
    await using stage = await startStage();
    expect(await lossOf(stage, (id) => stage.lq.cancelJob({ id, force: true }))).toBe('lease-lost');
    expect(stage.wire.of('FailJob').length + stage.wire.of('CompleteJobs').length).toBe(0);
    expect(stage.events.filter(({ type }) => type === 'lease-lost')).toHaveLength(1);
    await stage.submit(2);
    await stage.heard('job-completed', ({ job }) => job.payload['n'] === 2);
  });

  test('by its own clock while the server is silent tells the handler before the lease is over, and goes on once it is back', async () => {
    await using stage = await startStage();
    const sent = stage.clock.monotonicMs();
    let lostAtMs = 0;
    const [id = ''] = await stage.submit(1);
    stage
      .worker({ lease: '15s' })
      .on(echo, async (context) => {
        if (context.job.attempt > 1) return 'second';
        await untilAborted(context).catch(() => (lostAtMs = stage.clock.monotonicMs()));
        throw new Error('stopped');
      })
      .start();
    await stage.heard('job-started');
    stage.wire.isSilent = true;
    await stage.pass(20_000);
    expect(lostAtMs - sent).toBeGreaterThan(10_000);
    expect(lostAtMs - sent).toBeLessThan(15_000);
    expect(stage.wire.of('FailJob').length + stage.wire.of('CompleteJobs').length).toBe(0);
    stage.wire.isSilent = false;
    await stage.pass(40_000);
    await stage.heard('job-completed');
    expect(stage.events.filter(({ type }) => type === 'server-unreachable' || type === 'server-reachable').map(({ type }) => type)).toEqual([
      'server-unreachable',
      'server-reachable',
    ]);
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'COMPLETED', attempt: 2, result: 'second' });
  });

  test('because its event loop stood still notices by itself, and does not report', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    let runs = 0;
    stage
      .worker({ lease: '15s' })
      .on(echo, () => {
        // A long calculation, as the clock sees it.
        if (++runs === 1) stage.clock.advance(40_000);
        return runs;
      })
      .start();
    await stage.heard('lease-lost');
    await stage.heard('job-completed');
    expect(stage.events.some((event) => event.type === 'event-loop-blocked' && event.blockedMs > 30_000)).toBe(true);
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'COMPLETED', attempt: 2, result: 2 });
  });

  test('before it could begin, since the answer to its claim came too late, does not begin', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    let isLate = true;
    stage.wire.spoil = async (_sent, pass) => {
      const answer = await pass();
      if (isLate) await stage.clock.sleep(16_000);
      isLate = false;
      return answer;
    };
    stage
      .worker({ lease: '15s', wait: '5s' })
      .on(echo, () => 'done')
      .start();
    await stage.pass(20_000);
    await stage.heard('lease-lost', ({ job }) => job.fence === 1);
    await stage.heard('job-completed');
    expect(stage.events.filter(({ type }) => type === 'job-started')).toHaveLength(1);
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'COMPLETED', attempt: 2 });
  });

  test('to an operator who asks for it lets the handler stop, and the job is cancelled', async () => {
    await using stage = await startStage();
    let id = '';
    expect(await lossOf(stage, async (lost) => stage.lq.cancelJob({ id: (id = lost), reason: 'not needed' }))).toBe('cancelled');
    expect(await stage.state(id)).toBe('CANCELLED');
  });

  test('to an operator, but ends its work first, completes it', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    const end = Promise.withResolvers<void>();
    stage
      .worker()
      .on(echo, () => end.promise)
      .start();
    await stage.heard('job-started');
    await stage.lq.cancelJob({ id });
    end.resolve();
    await stage.heard('job-completed');
    expect(await stage.state(id)).toBe('COMPLETED');
  });
});

describe('a handler that takes too long', () => {
  const hasty = defineTask({ name: 'hasty', input: z.object({}), timeout: '5s', retry: { attempts: 2 } });

  test('is told, and its attempt fails as a timeout', async () => {
    await using stage = await startStage();
    const { job } = await stage.lq.submit(hasty, {}, { queue: QUEUE });
    stage.worker().on(hasty, untilAborted).start();
    await stage.heard('job-started');
    await stage.pass(6_000);
    expect(await stage.lq.job({ id: job.id })).toMatchObject({ state: 'RETRY', attempt: 1, lastError: { type: 'Timeout' } });
  });

  test('and never returns keeps its slot, while its job goes its way and other slots go on', async () => {
    await using stage = await startStage();
    const { job } = await stage.lq.submit(hasty, {}, { queue: QUEUE });
    stage
      .worker({ concurrency: 2, abortGrace: '3s' })
      .on(hasty, () => new Promise<never>(() => {}))
      .on(echo, () => null)
      .start();
    await stage.heard('job-started');
    await stage.pass(9_000);
    await stage.heard('handler-stuck', ({ job: stuck }) => stuck.id === job.id);
    expect(await stage.lq.job({ id: job.id })).toMatchObject({ state: 'RETRY', lastError: { type: 'Timeout' } });
    await stage.submit(1, 2, 3);
    for (const n of [1, 2, 3]) await stage.heard('job-completed', ({ job: { payload } }) => payload['n'] === n);
    for (const { variables } of stage.wire.of('WorkerClaim').slice(-2)) expect(variables.claim.max).toBe(1);
  });
});
