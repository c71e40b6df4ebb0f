/** Whatever a test does to its queue, in whatever order, no job is lost, none runs under two leases at once, and each ends once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RequestFault } from '../../src/testing/faults.ts';
import { createTestQueue, type TestQueue } from '../../src/testing/test-queue.ts';
import { sendInvoice } from './tasks.ts';

type Command =
  | { readonly name: 'submit'; readonly inSeconds: number; readonly fails: number }
  | { readonly name: 'advance'; readonly seconds: number }
  | { readonly name: 'drain' | 'runOne' | 'crash' | 'loseLease' }
  | { readonly name: 'fault'; readonly fault: RequestFault; readonly field: string | null };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constant('submit' as const), inSeconds: fc.constantFrom(0, 0, 5, 600), fails: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ name: fc.constant('advance' as const), seconds: fc.constantFrom(0, 1, 15, 59, 60, 3_600) }) },
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom('drain' as const, 'runOne' as const, 'crash' as const, 'loseLease' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant('fault' as const),
      fault: fc.constantFrom<RequestFault>('lost-answer', 'unreachable', 'unavailable'),
      field: fc.constantFrom(null, 'claimJobs', 'submitJobs', 'completeJobs', 'failJob'),
    }),
  },
);

/** What happened beside the queue's own book. */
interface Book {
  readonly submissions: Promise<string>[];
  /** Of each job, in the order in which its handler began. */
  readonly fences: Map<string, number[]>;
  readonly fails: Map<string, number>;
}

async function carryOut(queue: TestQueue, book: Book, step: Command): Promise<void> {
  switch (step.name) {
    case 'submit': {
      const invoiceId = `i-${book.submissions.length}`;
      book.fails.set(invoiceId, step.fails);
      const submitting = queue.lq.submit(sendInvoice, { invoiceId }, { start: { in: step.inSeconds * 1_000 } });
      book.submissions.push(submitting.then(({ job }) => job.id));
      return queue.advance(0);
    }
    case 'advance':
      return queue.advance(step.seconds * 1_000);
    case 'drain':
      return void (await queue.drain());
    case 'runOne':
      return void (await queue.runOne().catch(() => null));
    case 'crash':
      return queue.crashBeforeAck();
    case 'loseLease': {
      const [running] = await queue.jobs({ state: 'RUNNING' });
      return running === undefined ? undefined : queue.loseLease(running.id);
    }
    case 'fault':
      return queue.failNextRequest(step.fault, step.field ?? undefined);
  }
}

async function settleAll(queue: TestQueue): Promise<void> {
  for (let round = 0; round < 40; round++) {
    await queue.drain();
    await queue.advance('10m');
    const jobs = await queue.jobs();
    if (jobs.every(({ state }) => state === 'COMPLETED' || state === 'DEAD')) return;
  }
}

/** Everything that happened, with its instants, its workers and the ids of jobs. */
async function story(steps: readonly Command[], seed: number): Promise<unknown> {
  await using queue = await createTestQueue({ seed });
  const book: Book = { submissions: [], fences: new Map(), fails: new Map() };
  queue.on(sendInvoice, ({ job, input }) => {
    if (job.attempt <= (book.fails.get(input.invoiceId) ?? 0)) throw new Error('not yet');
  });
  for (const step of steps) await carryOut(queue, book, step);
  await settleAll(queue);
  const { nodes, hasMore } = await queue.lq.eventPage({ first: 100 });
  expect(nodes.length).toBeGreaterThan(0);
  return { nodes, hasMore, jobs: await queue.jobs(), now: queue.now() };
}

test('the same steps with the same seed are the same story', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 20 }), fc.nat(1_000), async (steps, seed) => {
      const submission: Command = { name: 'submit', inSeconds: 0, fails: 1 };
      expect(await story([submission, ...steps], seed)).toEqual(await story([submission, ...steps], seed));
    }),
    { numRuns: 10, seed: 20_260_302 },
  );
});

test('of random submissions, faults and waits', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), fc.nat(1_000), async (steps, seed) => {
      await using queue = await createTestQueue({ seed });
      const book: Book = { submissions: [], fences: new Map(), fails: new Map() };
      queue.on(sendInvoice, ({ job, input }) => {
        book.fences.set(job.id, [...(book.fences.get(job.id) ?? []), job.fence]);
        if (job.attempt <= (book.fails.get(input.invoiceId) ?? 0)) throw new Error('not yet');
      });
      for (const step of steps) await carryOut(queue, book, step);
      await settleAll(queue);

      const accepted = await Promise.all(book.submissions);
      const jobs = await queue.jobs();
      expect(jobs.map(({ id }) => id).toSorted()).toEqual(accepted.toSorted());
      for (const { id, state } of jobs) {
        const events = await queue.events(id);
        expect(['COMPLETED', 'DEAD']).toContain(state);
        expect(events.filter((kind) => kind === 'COMPLETED' || kind === 'DEAD_LETTERED')).toHaveLength(1);
        const fences = book.fences.get(id) ?? [];
        expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
        expect(fences.length).toBeLessThanOrEqual(events.filter((kind) => kind === 'CLAIMED').length);
      }
    }),
    { numRuns: 40, seed: 20_260_301 },
  );
});
