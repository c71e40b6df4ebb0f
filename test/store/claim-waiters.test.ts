import { describe, expect, test } from 'vitest';
import { ClaimWaiters, type Wanted, type Waiter } from '../../src/store/claim-waiters.ts';
import { ALICE, BOB } from '../support/store.ts';

const JOB = { tenant: ALICE, queue: 'q', task: 't' };

interface Waiting {
  readonly name: string;
  readonly waiter: Waiter;
}

/** Claims that wait, and who was woken so far, in order. */
function lineUp(waiters: ClaimWaiters, names: readonly string[], wanted: Partial<Wanted> = {}) {
  const woken: string[] = [];
  const wait = ({ name, waiter }: Waiting): void => void waiter.news(waiters.stopped).then(() => woken.push(name));
  const line = names.map((name) => ({ name, waiter: waiters.join({ tenant: ALICE, queues: ['q'], tasks: null, ...wanted }) }));
  for (const one of line) wait(one);
  return { woken, line, wait };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('claims that wait', () => {
  test('are woken one for each job, first come first served', async () => {
    const waiters = new ClaimWaiters();
    const { woken } = lineUp(waiters, ['a', 'b', 'c', 'd']);
    waiters.wake([JOB, JOB]);
    await settled();
    expect(woken).toEqual(['a', 'b']);
  });

  test('keep their place in the line when they were woken in vain', async () => {
    const waiters = new ClaimWaiters();
    const { woken, line, wait } = lineUp(waiters, ['a', 'b']);
    waiters.wake([JOB]);
    await settled();
    for (const one of line.slice(0, 1)) {
      one.waiter.look();
      wait(one);
    }
    waiters.wake([JOB]);
    await settled();
    expect(woken).toEqual(['a', 'a']);
  });

  test('hear of jobs of their tenant, queues and tasks alone', async () => {
    const waiters = new ClaimWaiters();
    const { woken } = lineUp(waiters, ['mail'], { queues: ['other', 'q'], tasks: ['mail'] });
    waiters.wake([JOB, { ...JOB, tenant: BOB, task: 'mail' }, { ...JOB, queue: 'elsewhere', task: 'mail' }]);
    await settled();
    expect(woken).toEqual([]);
    waiters.wake([{ ...JOB, task: 'mail' }]);
    await settled();
    expect(woken).toEqual(['mail']);
  });

  test('pass what they were told on to one other when they go without acting on it', async () => {
    const waiters = new ClaimWaiters();
    const { woken, line } = lineUp(waiters, ['a', 'b', 'c'], { queues: ['q', 'r'] });
    waiters.wake([JOB]);
    await settled();
    for (const { waiter } of line.slice(0, 1)) waiter.leave();
    await settled();
    expect(woken).toEqual(['a', 'b']);
  });

  test('all hear that their queue was resumed', async () => {
    const waiters = new ClaimWaiters();
    const { woken } = lineUp(waiters, ['a', 'b']);
    waiters.wakeQueue(ALICE, 'q');
    await settled();
    expect(woken).toEqual(['a', 'b']);
  });
});
