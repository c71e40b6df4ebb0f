import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { ALICE, claimOf, CALLER, openTestStore, submitOne } from '../support/store.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** In a process of its own, for what a listener throws belongs to nobody's promise. */
const SCRIPT = `
  const { openTestStore, submitOne, ALICE } = await import(process.argv[1]);
  const thrown = [];
  process.on('uncaughtException', (error) => thrown.push(error.message));
  const { store } = await openTestStore();
  store.onCommit(() => { throw new Error('a listener stumbled'); });
  const ids = await Promise.all([submitOne(store, ALICE), submitOne(store, ALICE), submitOne(store, ALICE)]);
  const { counts } = await store.stats(ALICE);
  const later = await submitOne(store, ALICE);
  console.log(JSON.stringify({ ids: new Set([...ids, later]).size, queued: counts.queued, thrown: new Set(thrown).size }));
`;

describe('the news of a commit', () => {
  test('comes after the answers: a listener that throws makes nothing run twice, and the store goes on', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT, path('../support/store.ts')], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ ids: 4, queued: 3, thrown: 1 });
  });

  test('of other queues and tasks does not disturb a claim that waits', async () => {
    const { store, clock } = await openTestStore();
    let commits = 0;
    const waiting = store.claim(ALICE, CALLER, claimOf({ queues: ['quiet'], tasks: ['mine'], waitSeconds: 30 }));
    await submitOne(store, ALICE, { queue: 'quiet', task: 'other' });
    store.onCommit(({ operations }) => {
      commits += operations;
    });
    for (let done = 0; done < 50; done++) await submitOne(store, ALICE, { queue: done % 2 === 0 ? 'busy' : 'quiet', task: 'other' });
    expect(commits).toBe(50);
    await submitOne(store, ALICE, { queue: 'quiet', task: 'mine' });
    expect((await waiting).leases.map(({ job }) => job.task)).toEqual(['mine']);
    clock.advance(30_000);
    await store.close();
  });

  test('reaches the claims that wait for it before its sync: what they take becomes durable with it', async () => {
    const { store } = await openTestStore();
    const commits: number[] = [];
    const waiting = [1, 2].map(async () => store.claim(ALICE, CALLER, claimOf({ waitSeconds: 30 })));
    await submitOne(store, ALICE, { queue: 'other' });
    store.onCommit(({ operations }) => commits.push(operations));
    const [first, second] = await Promise.all([submitOne(store, ALICE), submitOne(store, ALICE)]);
    expect((await Promise.all(waiting)).map(({ leases }) => leases.map(({ job }) => job.id))).toEqual([[first], [second]]);
    expect(commits).toEqual([4]);
    await store.close();
  });

  test('does not touch the submission where the claim that joined it fails', async () => {
    const { store, engine } = await openTestStore();
    const waiting = store.claim(ALICE, CALLER, claimOf({ waitSeconds: 30 }));
    await submitOne(store, ALICE, { queue: 'other' });
    await sql.raw(`create temp trigger planted before update on main.jobs begin select raise(abort, 'planted'); end`).execute(acrossTenants(engine.db));
    const [claim, submitted] = await Promise.allSettled([waiting, submitOne(store, ALICE)]);
    expect(claim).toMatchObject({ status: 'rejected', reason: { message: 'planted' } });
    expect(submitted).toMatchObject({ status: 'fulfilled' });
    await sql`drop trigger planted`.execute(engine.db);
    expect((await store.claim(ALICE, CALLER, claimOf())).leases).toHaveLength(1);
    await store.close();
  });
});
