/** The process under test. Arguments: the database's path and the manner. Its stdout is what was acknowledged, as JSON by number. */
import { openSync } from 'node:fs';
import { sql } from 'kysely';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { Acknowledgements, Producer } from './producer.ts';
import { lonelyCommits, sharedCommits, upkeep } from './workload.ts';

const [, , path = '', manner = ''] = process.argv;
const clock = new ManualClock();
const acknowledgements = new Acknowledgements(openSync(`${path}-marks`, 'a'));

async function open(seed: number): Promise<{ readonly parts: TestStore; readonly producer: Producer }> {
  const parts = await openTestStore({ path, clock, entropy: seededEntropy({ seed, ratio: 0 }) });
  // The planted fault that the product does not offer: a commit that does not wait for the disk.
  if (manner === 'normal') await sql`pragma synchronous = normal`.execute(parts.engine.db);
  return { parts, producer: new Producer(parts, acknowledgements.add, manner === 'early' ? 'before_commit' : 'after_commit') };
}

const { parts: first, producer } = await open(1);
await lonelyCommits(producer);
first.engine.checkpoint();
const lapsing = await sharedCommits(producer);
// What a commit does by itself once the write-ahead log is long; the next commit then begins the log anew over the old one.
await sql`pragma wal_checkpoint(passive)`.execute(first.engine.db);
await upkeep(producer, lapsing);
await first.store.close();

const { producer: afterRestart } = await open(2);
await sharedCommits(afterRestart);
process.stdout.write(JSON.stringify(await acknowledgements.outcomes()));
