/** What the compiler knows: `npm run check:types` fails where one of these does not hold. */
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import {
  defineTask,
  type FollowedEvent,
  type JobState,
  type LeaseQueue,
  type StandardSchema,
  type Submitted,
  type TaskInput,
  type TaskPayload,
  type TaskResult,
  unwrap,
} from '../../src/client/index.ts';

const byZod = defineTask({
  name: 'a',
  input: z.object({ id: z.string(), at: z.string().transform((text) => new Date(text)), size: z.number().default(1) }),
  output: z.object({ bytes: z.number().transform(String) }),
});
interface Greeting {
  readonly name: string;
}
const byHand = defineTask({ name: 'b', input: {} as StandardSchema<Greeting, { readonly greeting: string }> });
/** Never called: its types are what is tested. */
const typesOnly = (use: (lq: LeaseQueue) => unknown): unknown => use;

describe('a task', () => {
  test('takes what its schema takes', () => {
    expectTypeOf<TaskInput<typeof byZod>>().toEqualTypeOf<{ id: string; at: string; size?: number | undefined }>();
    expectTypeOf<TaskInput<typeof byHand>>().toEqualTypeOf<Greeting>();
  });

  test('gives a handler what its schema makes of that', () => {
    expectTypeOf<TaskPayload<typeof byZod>>().toEqualTypeOf<{ id: string; at: Date; size: number }>();
    expectTypeOf<TaskPayload<typeof byHand>>().toEqualTypeOf<{ readonly greeting: string }>();
  });

  test('wants of a handler what its output takes, and anything where it has none', () => {
    expectTypeOf<TaskResult<typeof byZod>>().toEqualTypeOf<{ bytes: number }>();
    expectTypeOf<TaskResult<typeof byHand>>().toEqualTypeOf<unknown>();
  });

  test('has an object as its input: a payload is one', () => {
    // @ts-expect-error a text is no payload
    defineTask({ name: 'c', input: z.string() });
    // @ts-expect-error nor is what may be a text
    defineTask({ name: 'c', input: z.union([z.string(), z.object({})]) });
    expectTypeOf(defineTask({ name: 'c', input: z.object({}) }).name).toEqualTypeOf<string>();
  });
});

test('submit takes the input of its task and nothing else', () => {
  typesOnly(async (lq) => {
    expectTypeOf(await lq.submit(byZod, { id: 'x', at: '' })).toEqualTypeOf<Submitted>();
    await lq.submit(byHand, { name: 'x' }, { start: { in: '5m' }, retry: { base: '10s' } });
    // @ts-expect-error `at` is missing
    await lq.submit(byZod, { id: 'x' });
    // @ts-expect-error the input has a text, what is made of it a date
    await lq.submit(byZod, { id: 'x', at: new Date(0) });
    // @ts-expect-error a length of time has a unit
    await lq.submit(byHand, { name: 'x' }, { start: { in: '5' } });
    // @ts-expect-error it starts at an instant or after a time
    await lq.submit(byHand, { name: 'x' }, { start: {} });
  });
});

test('a union of results is exhausted by a switch on its type', () => {
  typesOnly(async (lq) => {
    const result = await lq.completeJob({ jobId: 'x', leaseToken: 't' });
    switch (result.__typename) {
      case 'CompleteJobSuccess':
        return result.replayed;
      case 'JobNotFound':
        return result.code;
      case 'LeaseLost':
        return result.reason;
      default:
        return expectTypeOf(result).toEqualTypeOf<never>();
    }
  });
});

test('unwrap leaves the success', () => {
  typesOnly(async (lq) => {
    const cancelled = unwrap(await lq.cancelJob({ id: 'x' }));
    expectTypeOf(cancelled.__typename).toEqualTypeOf<'CancelJobSuccess'>();
    expectTypeOf(unwrap(await lq.submitJob({ task: 't' })).deduplicated).toEqualTypeOf<boolean>();
    expectTypeOf(unwrap(await lq.heartbeat({ jobId: 'x', leaseToken: 't' })).__typename).toEqualTypeOf<'LeaseRenewed'>();
  });
});

test('events are typed, and reads that may find nothing say so', () => {
  typesOnly(async (lq) => {
    for await (const event of lq.events()) expectTypeOf(event).toEqualTypeOf<FollowedEvent>();
    expectTypeOf((await lq.job({ id: 'x' }))?.state).toEqualTypeOf<JobState | undefined>();
    expectTypeOf((await lq.queues()).nodes).not.toBeNullable();
    // @ts-expect-error by one of the two
    await lq.job({ id: 'x', idempotencyKey: { key: 'k' } });
  });
});
