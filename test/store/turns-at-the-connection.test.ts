/** One connection writes: what is in the middle of a transaction meets nothing that is not its own. */
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Engine } from '../../src/store/engines/engine.ts';
import { openSqlite } from '../../src/store/engines/sqlite.ts';

let engine: Engine;
afterEach(() => engine.close());

async function openTable(): Promise<void> {
  engine = openSqlite({ path: ':memory:' });
  await sql`create table steps (step text)`.execute(engine.db);
}

const steps = async (): Promise<readonly string[]> =>
  (await sql<{ step: string }>`select step from steps order by rowid`.execute(engine.db)).rows.map(({ step }) => step);

test('a read waits while a transaction is open, and sees all or nothing of it', async () => {
  await openTable();
  const reached = Promise.withResolvers<void>();
  const written = engine.transaction(async (inside) => {
    await sql`insert into steps values ('one')`.execute(inside);
    await reached.promise;
    await sql`insert into steps values ('two')`.execute(inside);
  });
  const read = steps();
  reached.resolve();
  expect(await read).toEqual(['one', 'two']);
  await written;
});

test('transactions take turns in the order in which they came, also after one that failed', async () => {
  await openTable();
  const add = (step: string): Promise<unknown> => engine.transaction((inside) => sql`insert into steps values (${step})`.execute(inside));
  const failing = engine.transaction(async (inside) => {
    await sql`insert into steps values ('undone')`.execute(inside);
    throw new Error('on purpose');
  });
  const [failed] = await Promise.allSettled([failing, add('one'), add('two'), add('three')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'on purpose' } });
  expect(await steps()).toEqual(['one', 'two', 'three']);
});

test('a row that a constraint refuses undoes its whole transaction, and those after it find nothing of it', async () => {
  await openTable();
  await sql`create table store_meta (key text primary key, value text not null) strict`.execute(engine.db);
  const entries = (count: number): { readonly key: string; readonly value: string }[] =>
    Array.from({ length: count }, (_, index) => ({ key: `${index}`, value: 'x' }));
  const failing = engine.transaction(async (inside) => {
    await sql`insert into steps values ('undone')`.execute(inside);
    await inside
      .insertInto('store_meta')
      .values([...entries(3), ...entries(1)])
      .execute();
  });
  await expect(failing).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  await engine.transaction((inside) => inside.insertInto('store_meta').values(entries(2)).execute());
  expect(await steps()).toEqual([]);
  expect(await engine.db.selectFrom('store_meta').select('key').execute()).toEqual([{ key: '0' }, { key: '1' }]);
});
