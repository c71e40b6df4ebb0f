/** graphile-worker as a queue among the others. */
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Pool } from 'pg';

const CONNECTIONS_MAX = 20;
const logger = new Logger(() => () => {});

/** `localQueue`: jobs that wait in the worker, completed in batches; 0: neither. */
/** @type {import('../load/queue.ts').OpenQueue} */
export async function open({ url, queue, localQueue }) {
  const name = String(queue);
  const pgPool = new Pool({ connectionString: String(url), max: CONNECTIONS_MAX });
  // A connection that idles while the server stops fails, and nobody needs it any more.
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  return {
    submit: (n) => utils.addJob(name, { n }),
    submitMany: (ns) => utils.addJobs(ns.map((n) => ({ identifier: name, payload: { n } }))),
    async work({ concurrency, onStart, onDone, onProblem }) {
      const local = Number(localQueue) === 0 ? {} : { localQueue: { size: Number(localQueue) }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
      const runner = await run({
        pgPool,
        preset: { worker: { concurrentJobs: concurrency, logger, ...local } },
        noHandleSignals: true,
        taskList: { [name]: ({ n }) => onStart(n) },
      });
      runner.events.on('job:complete', onDone);
      runner.events.on('worker:fatalError', ({ error }) => onProblem(error));
      return { stop: () => runner.stop() };
    },
    settings: () =>
      utils.withPgClient(async (client) => {
        const { rows } = await client.query("select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits");
        return `fsync ${rows[0].fsync}, synchronous_commit ${rows[0].commits}`;
      }),
    async close() {
      await utils.release();
      await pgPool.end();
    },
  };
}
