/** What a worker does with jobs: which it takes, how many, and what becomes of what their handlers give or throw. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTask } from '../../src/client/index.ts';
import { NonRetryable, RetryAfter, Snooze } from '../../src/worker/index.ts';
import { echo, QUEUE, startStage } from '../support/worker-stage.ts';

/** Holds whoever waits until it is opened. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: () => resolve() };
}

describe('a worker', () => {
  test('does jobs of its tasks, gives handlers what the schema gives, and keeps what they give', async () => {
    await using stage = await startStage();
    const shout = defineTask({
      name: 'shout',
      input: z.object({ word: z.string().transform((word) => word.length) }),
      output: z.object({ length: z.number() }),
    });
    const { job } = await stage.lq.submit(shout, { word: 'hello' }, { queue: QUEUE, tags: { lang: 'en' } });
    stage
      .worker()
      .on(shout, ({ input, job: running }) => {
        expect(running).toMatchObject({ id: job.id, attempt: 1, fence: 1, tags: { lang: 'en' }, payload: { word: 'hello' } });
        return { length: input.word };
      })
      .start();
    await stage.heard('job-completed');
    expect(await stage.lq.job({ id: job.id })).toMatchObject({ state: 'COMPLETED', result: { length: 5 } });
  });

  test('waits at the server where nothing is to be done, and takes a job as soon as it is there', async () => {
    await using stage = await startStage();
    stage
      .worker()
      .on(echo, () => null)
      .start();
    await stage.pass(60_000);
    const asked = stage.wire.of('WorkerClaim').length;
    expect(asked).toBeLessThanOrEqual(5);
    const [id = ''] = await stage.submit(1);
    await stage.heard('job-completed');
    expect(await stage.state(id)).toBe('COMPLETED');
  });

  test('never holds more jobs than it has slots, and asks for as many as are free', async () => {
    await using stage = await startStage();
    const end = gate();
    await stage.submit(...Array.from({ length: 10 }, (_, n) => n));
    let running = 0;
    let most = 0;
    stage
      .worker({ concurrency: 3 })
      .on(echo, async () => {
        most = Math.max(most, ++running);
        await end.passed;
        running -= 1;
      })
      .start();
    await stage.heard('job-started');
    await stage.wire.quiet();
    expect((await stage.lq.queue(QUEUE))?.stats.counts).toMatchObject({ running: 3, queued: 7 });
    end.open();
    for (let n = 0; n < 10; n++) await stage.heard('job-completed', ({ job }) => job.payload['n'] === n);
    expect(most).toBe(3);
    for (const { variables } of stage.wire.of('WorkerClaim')) expect(variables.claim.max).toBeLessThanOrEqual(3);
  });

  test('keeps within the limit of a task while others of the worker go on', async () => {
    await using stage = await startStage();
    const slow = defineTask({ name: 'slow', input: z.object({}) });
    const end = gate();
    for (let n = 0; n < 6; n++) await stage.lq.submit(slow, {}, { queue: QUEUE });
    await stage.submit(...Array.from({ length: 20 }, (_, n) => n));
    let running = 0;
    let most = 0;
    stage
      .worker({ concurrency: 8 })
      .on(echo, () => null)
      .on(
        slow,
        async () => {
          most = Math.max(most, ++running);
          await end.passed;
          running -= 1;
        },
        { concurrency: 2 },
      )
      .start();
    for (let n = 0; n < 20; n++) await stage.heard('job-completed', ({ job }) => job.payload['n'] === n);
    await stage.wire.quiet();
    expect(running).toBe(2);
    expect((await stage.lq.queue(QUEUE))?.stats.counts).toMatchObject({ running: 2, queued: 4 });
    end.open();
    await stage.wire.quiet();
    await stage.pass(2_000);
    expect((await stage.lq.queue(QUEUE))?.stats.counts).toMatchObject({ completed: 26 });
    expect(most).toBe(2);
  });

  test('brings what is finished along with its next claim, a hundred at a time', async () => {
    await using stage = await startStage();
    await stage.submit(...Array.from({ length: 300 }, (_, n) => n));
    const before = stage.wire.sent.length;
    stage
      .worker({ concurrency: 100 })
      .on(echo, ({ input }) => input.n)
      .start();
    for (let n = 0; n < 300; n++) await stage.heard('job-completed', ({ job }) => job.payload['n'] === n);
    const asked = stage.wire.sent.slice(before);
    expect(asked.length).toBeLessThanOrEqual(6);
    expect(asked.map(({ variables }) => variables.claim?.completing?.length ?? 0).reduce((sum, count) => sum + count, 0)).toBe(300);
  });

  test('runs its middleware around the handler, the first outermost', async () => {
    await using stage = await startStage();
    const said: string[] = [];
    await stage.submit(1);
    stage
      .worker()
      .use(async ({ job }, next) => {
        said.push(`out ${job.task}`);
        const result = await next();
        said.push(`back with ${JSON.stringify(result)}`);
        return { wrapped: result };
      })
      .use(async (_, next) => {
        said.push('in');
        return next();
      })
      .on(echo, ({ input }) => input.n)
      .start();
    const { job } = await stage.heard('job-completed');
    expect(said).toEqual(['out echo', 'in', 'back with 1']);
    expect(await stage.lq.job({ id: job.id })).toMatchObject({ result: { wrapped: 1 } });
  });

  test('goes on where whoever listens throws', async () => {
    await using stage = await startStage();
    const [first = '', second = ''] = await stage.submit(1, 2);
    const done = gate();
    let count = 0;
    stage
      .worker({
        onEvent: ({ type }) => {
          if (type === 'job-completed' && ++count === 2) done.open();
          throw new Error('no');
        },
      })
      .on(echo, () => null)
      .start();
    await done.passed;
    expect([await stage.state(first), await stage.state(second)]).toEqual(['COMPLETED', 'COMPLETED']);
  });
});

describe('what a handler throws', () => {
  test('lets the job try again by its own backoff, and says what went wrong', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    stage
      .worker()
      .on(echo, () => {
        throw new TypeError('no such file', { cause: new Error('disk') });
      })
      .start();
    const { retryAt } = await stage.heard('job-failed');
    expect(retryAt?.getTime()).toBe(stage.clock.nowMs() + 10_000);
    const job = await stage.lq.job({ id });
    expect(job).toMatchObject({ state: 'RETRY', attempt: 1, lastError: { type: 'TypeError', message: 'no such file', details: { cause: 'Error: disk' } } });
  });

  test('as NonRetryable makes it a dead letter at once', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    stage
      .worker()
      .on(echo, () => {
        throw new NonRetryable('the invoice is gone');
      })
      .start();
    await stage.heard('job-failed', ({ retryAt }) => retryAt === null);
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'DEAD', attempt: 1, lastError: { type: 'NonRetryable' } });
  });

  test('as RetryAfter waits as long as it says', async () => {
    await using stage = await startStage();
    await stage.submit(1);
    stage
      .worker()
      .on(echo, () => {
        throw new RetryAfter('2m');
      })
      .start();
    const { retryAt } = await stage.heard('job-failed');
    expect(retryAt?.getTime()).toBe(stage.clock.nowMs() + 120_000);
  });

  test('as Snooze puts it off without using an attempt', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    let runs = 0;
    stage
      .worker()
      .on(echo, () => {
        if (++runs === 1) throw new Snooze('5m');
      })
      .start();
    await stage.heard('job-released', ({ why }) => why === 'snooze');
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'QUEUED', attempt: 0 });
    await stage.pass(301_000);
    await stage.heard('job-completed');
    expect(await stage.lq.job({ id })).toMatchObject({ state: 'COMPLETED', attempt: 1, fence: 2 });
  });

  test('is cut to the size that a report may have', async () => {
    await using stage = await startStage();
    const [id = ''] = await stage.submit(1);
    stage
      .worker()
      .on(echo, () => {
        throw new Error('é'.repeat(200_000));
      })
      .start();
    await stage.heard('job-failed');
    const message = (await stage.lq.job({ id }))?.lastError?.message ?? '';
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
    expect(message.length).toBeGreaterThan(1_000);
  });
});

describe('what does not fit', () => {
  test('a payload that fits its schema no longer fails for good, and the handler does not see it', async () => {
    await using stage = await startStage();
    const { job } = await stage.lq.submit(defineTask({ name: 'echo', input: z.object({ n: z.string() }) }), { n: 'secret-in-payload' }, { queue: QUEUE });
    let runs = 0;
    stage
      .worker()
      .on(echo, () => {
        runs += 1;
      })
      .start();
    await stage.heard('job-failed');
    const { state, lastError } = (await stage.lq.job({ id: job.id })) ?? {};
    expect([state, lastError?.type, runs]).toEqual(['DEAD', 'InvalidPayload', 0]);
    expect(lastError?.message).toContain('n: ');
    expect(JSON.stringify(lastError)).not.toContain('secret-in-payload');
  });

  test.each([
    ['larger than a result may be', () => 'x'.repeat(70_000), 'ResultTooLarge'],
    ['nothing that JSON can hold', () => 10n, 'NotJson'],
    ['not what the task says', () => ({ length: 'five' }), 'InvalidPayload'],
  ])('a result that is %s fails for good, and the slot takes the next job (B149)', async (_, give, type) => {
    await using stage = await startStage();
    const measure = defineTask({ name: 'measure', input: z.object({ n: z.number() }), output: z.object({ length: z.number() }) });
    const loose = defineTask({ name: 'measure', input: z.object({ n: z.number() }) });
    const ids = [];
    for (const n of [1, 2]) ids.push((await stage.lq.submit(loose, { n }, { queue: QUEUE })).job.id);
    const task = type === 'InvalidPayload' ? measure : loose;
    stage
      .worker()
      .on(task, ({ input }) => (input.n === 1 ? (give() as never) : { length: 1 }))
      .start();
    await stage.heard('job-completed');
    expect(await stage.lq.job({ id: ids[0] ?? '' })).toMatchObject({ state: 'DEAD', lastError: { type } });
    expect(stage.events.filter((event) => event.type === 'job-failed')).toHaveLength(1);
  });

  test('a result that only the server finds fault with fails for good, and those that travelled with it are kept', async () => {
    await using stage = await startStage();
    const ids = await stage.submit(1, 2, 3);
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    stage
      .worker({ concurrency: 3 })
      .on(echo, ({ input }) => (input.n === 2 ? deep(40) : input.n))
      .start();
    await stage.heard('job-failed');
    for (const n of [1, 3]) await stage.heard('job-completed', ({ job }) => job.payload['n'] === n);
    expect(await stage.lq.job({ id: ids[1] ?? '' })).toMatchObject({ state: 'DEAD', lastError: { type: 'ResultRefused' } });
  });
});
