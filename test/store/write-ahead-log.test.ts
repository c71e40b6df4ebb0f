import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { nextTurn } from '../../src/runtime/turn.ts';
import { SideThread } from '../../src/store/engines/side-thread.ts';
import { Turn } from '../../src/store/engines/turn.ts';
import { WriteAheadLog } from '../../src/store/engines/write-ahead-log.ts';
import { temporaryFolder } from '../support/store.ts';
import { watch } from '../support/turns.ts';

const MEBIBYTE = 1_048_576;

/** A log on a real file, copied by a real thread once `admitted`. */
function openLog(path: string, admitted = Promise.resolve()) {
  const database = new Database(path);
  for (const setting of ['journal_mode = wal', 'synchronous = full', 'wal_autocheckpoint = 0']) database.pragma(setting);
  database.exec('create table filler (content blob)');
  database.pragma('wal_checkpoint(truncate)');
  const insert = database.prepare('insert into filler values (zeroblob(?))');
  const thread = new SideThread({ path, clock: systemClock });
  const turn = new Turn();
  const log = new WriteAheadLog({ database, copy: () => admitted.then(() => thread.copyLog()), clock: systemClock, turn });
  return {
    log,
    thread,
    turn,
    growBy: (mebibytes: number) => void insert.run(mebibytes * MEBIBYTE),
    close: async () => {
      await thread.close();
      database.close();
    },
  };
}

describe('a log that is written faster than it is copied', () => {
  test('holds up commits until the copy is done, so that it cannot outgrow it (B98)', async () => {
    using folder = temporaryFolder();
    const admission = Promise.withResolvers<void>();
    const { log, turn, growBy, close } = openLog(folder.file('x.db'), admission.promise);
    growBy(40);
    const copied = watch(log.keepShort());
    growBy(120);
    admission.resolve();
    await nextTurn();
    const { size } = statSync(folder.file('x.db'));
    while (statSync(folder.file('x.db')).size === size) continue;
    const taken = watch(log.keepShort());
    await nextTurn();
    await nextTurn();
    expect([copied.isOver(), taken.isOver()]).toEqual([false, false]);
    await turn.take();
    expect([copied.isOver(), log.figures().checkpoints]).toEqual([true, { background: 1, writer: 2 }]);
    turn.end();
    await Promise.all([copied.promise, taken.promise]);
    growBy(1);
    await log.keepShort();
    expect(log.figures().bytes).toBeLessThan(2 * MEBIBYTE);
    await close();
  });

  test('is copied at once where the thread cannot, because it reads, and holds up nobody', async () => {
    using folder = temporaryFolder();
    const { log, thread, turn, growBy, close } = openLog(folder.file('x.db'));
    const reading = watch(thread.read('with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000000) select max(i) from n', []));
    growBy(40);
    const copied = watch(log.keepShort());
    growBy(10);
    await log.keepShort();
    expect(turn.take()).toBeNull();
    growBy(1);
    turn.end();
    expect([reading.isOver(), copied.isOver()]).toEqual([false, false]);
    await log.keepShort();
    expect(log.figures()).toMatchObject({ checkpoints: { background: 1, writer: 1 } });
    expect(log.figures().bytes).toBeLessThan(2 * MEBIBYTE);
    await Promise.all([reading.promise, copied.promise]);
    await close();
  });
});
