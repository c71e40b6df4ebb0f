/** Forgetting what is old enough, a step at a time: it is looked for beside the writer, and removed in the name of its tenant. */
import type { Kysely } from 'kysely';
import type { Clock } from '../../runtime/clock.ts';
import type { Tables } from '../tables.ts';
import type { Writer } from '../transaction.ts';

export interface ForgettingParts {
  readonly writer: Writer;
  readonly clock: Clock;
  /** For looking, beside the writer. */
  readonly reads: Kysely<Tables>;
}

/** Rows of a kind that one step looks for and removes. */
export const FORGOTTEN_MAX = 200;

/** True: there may be more of them. */
export async function forgetRows<Row>(
  { writer }: Pick<ForgettingParts, 'writer'>,
  rows: readonly Row[],
  remove: (db: Kysely<Tables>, row: Row) => Promise<unknown>,
): Promise<boolean> {
  if (rows.length === 0) return false;
  await writer.write(
    async ({ db }) => {
      for (const row of rows) await remove(db, row);
    },
    { weight: rows.length },
  );
  return rows.length === FORGOTTEN_MAX;
}
