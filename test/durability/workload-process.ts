/**
 * The process under test. Arguments: the database's path, the manner, and the number of the first acknowledgement. Its
 * stdout is what was acknowledged, as JSON. Where its storage fails, it ends like the server, with 74.
 */
import { openSync } from 'node:fs';
import { sql } from 'kysely';
import { StoreFault } from '../../src/store/store.ts';
import { ManualClock, T0_MS } from '../support/manual-clock.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { openTestStore, type TestStore } from '../support/store.ts';
import { Acknowledgements, Producer } from './producer.ts';
import { lonelyCommits, sharedCommits, upkeep } from './workload.ts';

const [, , path = '', manner = '', first = '0'] = process.argv;
// A later life begins after all that the one before it had seen.
const clock = new ManualClock(first === '0' ? T0_MS : T0_MS + 30 * 86_400_000);
const acknowledgements = new Acknowledgements(openSync(`${path}-marks`, 'a'), Number(first));

async function open(seed: number): Promise<{ readonly parts: TestStore; readonly producer: Producer }> {
  // No two lives of one database draw the same secrets.
  const parts = await openTestStore({ path, clock, entropy: seededEntropy({ seed: seed + Number(first), ratio: 0 }) });
  // The planted fault that the product does not offer: a commit that does not wait for the disk.
  if (manner === 'normal') await sql`pragma synchronous = normal`.execute(parts.engine.db);
  return { parts, producer: new Producer(parts, acknowledgements.add, manner === 'early' ? 'before_commit' : 'after_commit') };
}

async function work(): Promise<void> {
  const { parts, producer } = await open(1);
  // A later life goes on with whatever the one before it has left.
  if (first !== '0') return void (await sharedCommits(producer));
  await lonelyCommits(producer);
  parts.engine.checkpoint();
  const lapsing = await sharedCommits(producer);
  // What a commit does by itself once the write-ahead log is long; the next commit then begins the log anew over the old one.
  await sql`pragma wal_checkpoint(passive)`.execute(parts.engine.db);
  await upkeep(producer, lapsing);
  await parts.store.close();

  const { producer: afterRestart } = await open(2);
  await sharedCommits(afterRestart);
}

await work().catch((error: unknown) => {
  if (!(error instanceof StoreFault && error.kind === 'fatal')) throw error;
  process.exitCode = 74;
});
process.stdout.write(JSON.stringify(await acknowledgements.outcomes()), () => {
  // Like the server, too: whatever still runs beside the store that failed is not waited for.
  if (process.exitCode === 74) process.exit();
});
