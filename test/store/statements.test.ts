import { expect, test } from 'vitest';
import { Session, statement } from '../../src/store/statements.ts';
import { openTestStore } from '../support/store.ts';

test('a statement that takes no values runs, and one takes them as a list where it numbers them', async () => {
  const { store, engine } = await openTestStore();
  const none = statement((db) => db.selectFrom('store_meta').select('key').where('key', 'is', null));
  const listed = statement((db, values: readonly string[]) =>
    db
      .selectFrom('store_meta')
      .select('key')
      .where('key', '=', values[0] ?? '')
      .where('value', '!=', values[1] ?? ''),
  );
  await engine.transaction(async (db) => {
    const session = new Session(engine, db);
    expect(await session.all(none, {})).toEqual([]);
    expect(await session.all(listed, ['no such key', ''])).toEqual([]);
  });
  await store.close();
});
