/** A worker that ends by itself or sooner than it meant to, and what it says of jobs that end badly. */
import { describe, expect, test } from 'vitest';
import type { JobContext } from '../../src/worker/index.ts';
import { NonRetryable } from '../../src/worker/index.ts';
import { watch } from '../support/turns.ts';
import { echo, startStage } from '../support/worker-stage.ts';

const untilAborted = ({ signal }: JobContext): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

describe('a worker', () => {
  test('begins no more jobs than it may, and is over once the last of them has ended, however long that takes', async () => {
    await using stage = await startStage();
    const ids = await stage.submit(1, 2, 3, 4, 5);
    const slow = Promise.withResolvers<void>();
    const worker = stage.worker({ maxJobs: 3, concurrency: 2, grace: '1s' }).on(echo, ({ input }) => (input.n === 1 ? slow.promise : undefined));
    worker.start();
    const ended = watch(worker.ended);
    await stage.pass(30_000);
    expect(ended.isOver()).toBe(false);
    slow.resolve();
    expect(await ended.promise).toMatchObject({ error: null, abandoned: 0 });
    const states = await Promise.all(ids.map((id) => stage.state(id)));
    expect(states).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'QUEUED', 'QUEUED']);
  });

  test('says that there is no work when a claim waited for nothing', async () => {
    await using stage = await startStage();
    stage
      .worker({ wait: '1s' })
      .on(echo, () => null)
      .start();
    await stage.submit(1);
    await stage.heard('job-completed');
    expect(stage.events.some(({ type }) => type === 'no-work')).toBe(false);
    await stage.pass(3_000);
    await stage.heard('no-work');
  });

  test('ends its grace when it is told to, and leaves handlers the time to end', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    const gone = Promise.withResolvers<void>();
    const worker = stage.worker({ grace: '1h', abortGrace: '1h' }).on(echo, async (context) => {
      await untilAborted(context).catch(() => gone.promise);
      context.signal.throwIfAborted();
    });
    worker.start();
    await stage.heard('job-started');
    const stopped = watch(worker.stop());
    await stage.pass(60_000);
    expect(stage.events.some(({ type }) => type === 'job-aborted')).toBe(false);
    void worker.stopSoon();
    await stage.heard('job-aborted', ({ reason }) => reason === 'shutdown');
    await stage.pass(60_000);
    expect([stopped.isOver(), await stage.state(id)]).toEqual([false, 'RUNNING']);
    gone.resolve();
    expect(await stopped.promise).toEqual({ error: null, abandoned: 0, unsettled: 0 });
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'QUEUED', attempt: 0 });
  });

  test('limits the time of attempts of every task', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    stage.worker().onAny(untilAborted, { timeout: '5s' }).start();
    await stage.heard('job-started');
    await stage.pass(6_000);
    await stage.heard('job-failed', ({ isDead, retryAt }) => !isDead && retryAt !== null);
    expect((await stage.lq.job({ id }))?.lastError).toMatchObject({ type: 'Timeout' });
  });

  test('says that a job is a dead letter now', async () => {
    await using stage = await startStage();
    await stage.submit(1);
    stage
      .worker()
      .on(echo, () => {
        throw new NonRetryable('no');
      })
      .start();
    expect(await stage.heard('job-failed')).toMatchObject({ isDead: true, retryAt: null });
  });
});
