import { describe, expect, test } from 'vitest';
import { WakeUp } from '../../src/feed/wakeup.ts';
import { tenant } from '../support/tenants.ts';

const alice = tenant('alice');
const bob = tenant('bob');

const isPending = async (promise: Promise<unknown>): Promise<boolean> => {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending;
};

describe('a wake-up', () => {
  test('wakes whoever waits for its tenant, and nobody else', async () => {
    const wakeUp = new WakeUp();
    const { signal } = new AbortController();
    const [hers, his] = [wakeUp.listen(alice), wakeUp.listen(bob)];
    const [woken, asleep] = [hers.wait(hers.generation(), signal), his.wait(his.generation(), signal)];
    wakeUp.wake(alice);
    await woken;
    expect(await isPending(asleep)).toBe(true);
  });

  test('that came between the look and the wait is not missed', async () => {
    const wakeUp = new WakeUp();
    const listener = wakeUp.listen(alice);
    const before = listener.generation();
    wakeUp.wake(alice);
    await listener.wait(before, new AbortController().signal);
    expect(listener.generation()).not.toBe(before);
  });

  test('is not needed once the signal aborts, before or during the wait', async () => {
    const wakeUp = new WakeUp();
    const listener = wakeUp.listen(alice);
    const during = new AbortController();
    const waiting = listener.wait(listener.generation(), during.signal);
    during.abort();
    await waiting;
    await listener.wait(listener.generation(), AbortSignal.abort());
  });

  test('keeps nothing of a tenant that nobody listens to', async () => {
    const wakeUp = new WakeUp();
    const listeners = [wakeUp.listen(alice), wakeUp.listen(alice)];
    expect(wakeUp.listeners).toBe(2);
    for (const listener of listeners) listener.close();
    listeners[0]?.close();
    expect(wakeUp.listeners).toBe(0);
    wakeUp.wake(alice);
    expect(wakeUp.listen(alice).generation()).toBe(0);
  });

  test('reaches listeners that came after others had left', async () => {
    const wakeUp = new WakeUp();
    wakeUp.listen(alice).close();
    const listener = wakeUp.listen(alice);
    const waiting = listener.wait(listener.generation(), new AbortController().signal);
    wakeUp.wake(alice);
    await waiting;
  });
});
