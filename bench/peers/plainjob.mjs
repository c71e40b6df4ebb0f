/** plainjob as a queue among the others: in the process of its user, without a server. */
import Database from 'better-sqlite3';
import { better, defineQueue, defineWorker } from 'plainjob';

const logger = { error() {}, warn() {}, info() {}, debug() {} };

/** @type {import('../load/queue.ts').OpenQueue} */
export async function open({ file, queue, synchronous }) {
  const name = String(queue);
  const database = new Database(String(file));
  const jobs = defineQueue({ connection: better(database), logger });
  if (synchronous !== undefined) database.pragma(`synchronous = ${synchronous}`);
  return {
    async submit(n) {
      return jobs.add(name, { n });
    },
    async submitMany(ns) {
      return jobs.addMany(
        name,
        ns.map((n) => ({ n })),
      );
    },
    async work({ concurrency, onStart, onDone, onProblem }) {
      const perform = ({ data }) => onStart(JSON.parse(data).n);
      const options = { queue: jobs, logger, pollIntervall: 1, onCompleted: onDone, onFailed: (_job, error) => onProblem(new Error(error)) };
      const workers = Array.from({ length: concurrency }, () => defineWorker(name, perform, options));
      const running = workers.map((worker) => worker.start());
      return {
        async stop() {
          await Promise.all(workers.map((worker) => worker.stop()));
          await Promise.all(running);
        },
      };
    },
    async settings() {
      return `synchronous ${database.pragma('synchronous', { simple: true }) === 2 ? 'FULL' : 'NORMAL'}`;
    },
    async close() {
      jobs.close();
    },
  };
}
