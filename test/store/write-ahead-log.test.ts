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

interface Copying {
  /** Copies begin when it is over. */
  readonly admitted?: Promise<void>;
  /** What a copy comes to. */
  readonly outcome?: () => void;
}

/** A log on a real file, copied by a real thread. */
function openLog(path: string, { admitted = Promise.resolve(), outcome = () => {} }: Copying = {}) {
  const database = new Database(path);
  for (const setting of ['journal_mode = wal', 'synchronous = full', 'wal_autocheckpoint = 0']) database.pragma(setting);
  database.exec('create table filler (content blob)');
  database.pragma('wal_checkpoint(truncate)');
  const insert = database.prepare('insert into filler values (zeroblob(?))');
  const thread = new SideThread({ path, clock: systemClock });
  const turn = new Turn();
  const copy = () => admitted.then(() => thread.copyLog()).then(outcome);
  return {
    log: new WriteAheadLog({ database, copy, clock: systemClock, turn }),
    turn,
    growBy: (mebibytes: number) => void insert.run(mebibytes * MEBIBYTE),
    sizeOfDatabase: () => statSync(path).size,
    close: async () => {
      await thread.close();
      database.close();
    },
  };
}

/** A log that has grown to 160 MiB, of which the thread has copied something and not yet all. */
async function openLogBeingCopied(path: string, outcome?: () => void) {
  const { promise: admitted, resolve: admit } = Promise.withResolvers<void>();
  const opened = openLog(path, { admitted, ...(outcome && { outcome }) });
  const { log, growBy, sizeOfDatabase } = opened;
  growBy(40);
  const copied = watch(log.keepShort());
  growBy(120);
  const before = sizeOfDatabase();
  admit();
  await nextTurn();
  while (sizeOfDatabase() === before) continue;
  return { ...opened, copied };
}

describe('a log that is written faster than it is copied', () => {
  test('holds up commits until the copy is done, so that it cannot outgrow it (B98)', async () => {
    using folder = temporaryFolder();
    const { log, turn, copied, growBy, close } = await openLogBeingCopied(folder.file('x.db'));
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

  test('is not copied again after a copy that failed, which commits waited for', async () => {
    using folder = temporaryFolder();
    const { log, turn, copied, close } = await openLogBeingCopied(folder.file('x.db'), () => {
      throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
    });
    const taken = log.keepShort();
    await expect(copied.promise).rejects.toThrow('disk I/O error');
    await taken;
    expect(turn.take()).toBeNull();
    expect([log.isSound, log.figures().checkpoints]).toEqual([false, { background: 1, writer: 1 }]);
    await close();
  });

  test('is copied at once where the thread has not begun, because it reads for instance, and holds up nobody', async () => {
    using folder = temporaryFolder();
    const { promise: admitted, resolve: admit } = Promise.withResolvers<void>();
    const { log, turn, growBy, close } = openLog(folder.file('x.db'), { admitted });
    growBy(40);
    const copied = watch(log.keepShort());
    growBy(10);
    await log.keepShort();
    expect(turn.take()).toBeNull();
    growBy(1);
    turn.end();
    await log.keepShort();
    expect(copied.isOver()).toBe(false);
    expect(log.figures()).toMatchObject({ checkpoints: { background: 1, writer: 1 } });
    expect(log.figures().bytes).toBeLessThan(2 * MEBIBYTE);
    admit();
    await copied.promise;
    await close();
  });
});
