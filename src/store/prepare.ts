/** Makes a database ready to be worked with: of this version, with what it has to know of its start. */
import { DatabaseUnusable, type Engine } from './engines/engine.ts';
import { migrate, requireCurrent } from './migrations/index.ts';
import { noteSeriesSince } from './series-since.ts';

/** Throws `DatabaseUnusable` where it cannot. */
export async function prepare(engine: Engine, nowMs: number): Promise<void> {
  try {
    await (engine.isOwner ? migrate(engine.db, engine.words) : requireCurrent(engine.db));
    if (engine.isOwner) await noteSeriesSince(engine.db, nowMs);
    engine.admit();
  } catch (cause) {
    await engine.close();
    if (cause instanceof DatabaseUnusable) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseUnusable(
      `The database could not be brought to this version (${reason}). Nothing was changed. If the file is damaged, restore a backup.`,
      { cause },
    );
  }
}
