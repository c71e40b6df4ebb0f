import { closeSync, existsSync, fstatSync, openSync, writeSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { ALICE, CALLER, openTestStore, submission, submitOne, temporaryFolder } from '../support/store.ts';
import { settleDown, watch } from '../support/turns.ts';

const PAGE = { after: null, before: null, limit: 20, fromEnd: false };

async function openFilled(file: string, onStatement?: (text: string) => void) {
  const opened = await openTestStore({ path: file, ...(onStatement && { onStatement }) });
  await opened.store.submit(
    ALICE,
    CALLER,
    Array.from({ length: 500 }, (_, index) => submission({ task: `t${index % 7}` })),
    false,
  );
  return opened;
}

/** A read of 125,000,000 rows: it ends when it is ended. */
function endlessRead({ reads }: Engine): Promise<unknown> {
  return sql`select count(*) from jobs as a, jobs as b, jobs as c where a.task > b.task || c.task`.execute(acrossTenants(reads));
}

const newest = async (store: LeaseRepository): Promise<string | undefined> => (await store.jobs(ALICE, {}, 'newest_first', PAGE)).rows[0]?.row.id;

describe('a long read', () => {
  test('holds up neither writes nor reads by key', async () => {
    using folder = temporaryFolder();
    const { store, engine } = await openFilled(folder.file('x.db'));
    const reading = watch(endlessRead(engine));
    const id = await submitOne(store, ALICE);
    expect(await store.jobById(ALICE, id)).toMatchObject({ id });
    expect((await store.eventsAfter(ALICE, null, {}, 10)).events.length).toBe(10);
    expect(reading.isOver()).toBe(false);
    await store.close();
    await expect(reading.promise).rejects.toMatchObject({ name: 'StoreFault', kind: 'stopping' });
  });

  test('is ended after five seconds, and whoever asks then is answered', async () => {
    using folder = temporaryFolder();
    const { store, engine, clock, fatal } = await openFilled(folder.file('x.db'));
    const id = await newest(store);
    const { promise: reading } = watch(endlessRead(engine));
    await settleDown();
    clock.advance(LIMITS.readMsMax);
    await expect(reading).rejects.toMatchObject({ name: 'StoreFault', kind: 'busy', outcomeUnknown: false });
    expect(await newest(store)).toBe(id);
    expect(fatal).toEqual([]);
    await store.close();
  });

  test('sees every change that was acknowledged before it', async () => {
    using folder = temporaryFolder();
    const { store } = await openFilled(folder.file('x.db'));
    for (let round = 0; round < 50; round++) {
      const id = await submitOne(store, ALICE);
      expect(await newest(store)).toBe(id);
    }
    expect((await store.stats(ALICE)).counts.queued).toBe(550);
    await store.close();
  });

  test('can write nothing', async () => {
    using folder = temporaryFolder();
    const { store, engine } = await openFilled(folder.file('x.db'));
    await expect(sql`delete from main.queues returning name`.execute(acrossTenants(engine.reads))).rejects.toThrow('readonly');
    await expect(engine.reads.transaction().execute(() => Promise.resolve())).rejects.toThrow('single reads');
    expect((await store.queues(ALICE, PAGE)).rows.length).toBe(1);
    await store.close();
  });

  test('takes the way that it would take beside the writer', async () => {
    using folder = temporaryFolder();
    const statements: string[] = [];
    const { store, engine } = await openFilled(folder.file('x.db'), (text) => statements.push(text));
    await store.stats(ALICE);
    await store.queueStats(ALICE, 'q');
    await store.gauges(10);
    await store.timeline(ALICE, await submitOne(store, ALICE), null, 10);
    const filters = [{}, { tasks: ['t1'] }, { queues: ['q'], states: ['queued' as const] }, { tags: [{ key: 'a', value: 'b' }] }, { workerIds: ['w'] }];
    for (const filter of filters) {
      await store.countJobs(ALICE, filter);
      for (const order of ['newest_first', 'next_to_run', 'recently_finished'] as const) await store.jobs(ALICE, filter, order, PAGE);
    }
    const reads = [...new Set(statements.filter((text) => /^select/.test(text)))];
    const planOf = async (statement: string, handle: Engine['db']): Promise<readonly string[]> => {
      const { rows } = await sql<{ detail: string }>`${sql.raw(`explain query plan ${statement}`)}`.execute(handle);
      return rows.map(({ detail }) => detail.replace('main.', ''));
    };
    expect(reads.length).toBeGreaterThan(20);
    for (const statement of reads) expect(await planOf(statement, acrossTenants(engine.reads))).toEqual(await planOf(statement, acrossTenants(engine.db)));
    await store.close();
  });
});

describe('the thread of long reads', () => {
  test('lets a bounded number wait', async () => {
    using folder = temporaryFolder();
    const { store } = await openFilled(folder.file('x.db'));
    const asked = await Promise.allSettled(Array.from({ length: LIMITS.readsWaitingMax + 1 }, () => store.workers(ALICE, 0)));
    const refused = asked.filter((read) => read.status === 'rejected');
    expect(refused).toMatchObject([{ reason: { name: 'StoreFault', kind: 'busy', outcomeUnknown: false } }]);
    await store.close();
  });

  test('is replaced when it is lost, such as for want of memory', async () => {
    using folder = temporaryFolder();
    const { store, engine, fatal } = await openFilled(folder.file('x.db'));
    const tooMuch = sql`select a.id || b.id || c.id from jobs as a, jobs as b, jobs as c`.execute(acrossTenants(engine.reads));
    const other = store.stats(ALICE);
    const lost = { name: 'StoreFault', kind: 'busy', outcomeUnknown: false, message: expect.stringContaining('lost') };
    expect(await Promise.allSettled([tooMuch, other])).toMatchObject([{ reason: lost }, { reason: lost }]);
    expect((await store.stats(ALICE)).counts.queued).toBe(500);
    expect(fatal).toEqual([]);
    await store.close();
  });

  test('ends with the store, whatever it is doing, and leaves one file', async () => {
    using folder = temporaryFolder();
    const { store, engine } = await openFilled(folder.file('x.db'));
    const { promise: reading } = watch(endlessRead(engine));
    await store.close();
    await expect(reading).rejects.toMatchObject({ kind: 'stopping' });
    await expect(store.stats(ALICE)).rejects.toMatchObject({ kind: 'stopping' });
    expect(existsSync(folder.file('x.db-wal'))).toBe(false);
  });

  test('finds damage as the writer does: nothing more is answered', async () => {
    using folder = temporaryFolder();
    const { store, engine, fatal } = await openFilled(folder.file('x.db'));
    engine.checkpoint();
    const file = openSync(folder.file('x.db'), 'r+');
    for (let page = 1; page < fstatSync(file).size / 4096; page++) writeSync(file, Buffer.alloc(4096, 0xee), 0, 4096, page * 4096);
    closeSync(file);
    await expect(store.jobs(ALICE, {}, 'newest_first', PAGE)).rejects.toMatchObject({ name: 'StoreFault', kind: 'fatal' });
    await expect(store.submit(ALICE, CALLER, [submission()], false)).rejects.toMatchObject({ kind: 'fatal' });
    expect(fatal).toMatchObject([{ kind: 'fatal' }]);
    await engine.close();
  });
});
