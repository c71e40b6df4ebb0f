/** liteque as a queue among the others: in the process of its user, without a server. */
import { buildDBClient, SqliteQueue } from 'liteque';

/** @type {import('../load/queue.ts').OpenQueue} */
export async function open({ file, queue }) {
  const database = buildDBClient(String(file), { runMigrations: true, walEnabled: true });
  database.session.client.pragma('synchronous = FULL');
  const jobs = new SqliteQueue(String(queue), database, { defaultJobArgs: { numRetries: 0 }, keepFailedJobs: false });
  return {
    submit: (n) => jobs.enqueue({ n }),
    submitMany: (ns) => Promise.all(ns.map((n) => jobs.enqueue({ n }))),
    async work() {
      throw new Error('liteque cannot take jobs here: it awaits inside a transaction of better-sqlite3, which refuses that');
    },
    async settings() {
      return `synchronous ${database.session.client.pragma('synchronous', { simple: true }) === 2 ? 'FULL' : 'NORMAL'}`;
    },
    async close() {
      database.session.client.close();
    },
  };
}
