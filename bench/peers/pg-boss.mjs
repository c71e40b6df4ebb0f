/** pg-boss as a queue among the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';

const CONNECTIONS_MAX = 20;

/** `batch`: jobs that one loop takes and completes at once; 1 makes as many loops as jobs run at the same time. */
/** @type {import('../load/queue.ts').OpenQueue} */
export async function open({ url, queue, batch }) {
  const name = String(queue);
  const boss = new PgBoss({ connectionString: String(url), max: CONNECTIONS_MAX, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(name);

  const loop = async ({ concurrency, onStart, onDone }, signal) => {
    const batchSize = batch === 1 ? 1 : concurrency;
    while (!signal.aborted) {
      const jobs = await boss.fetch(name, { batchSize });
      for (const { data } of jobs) onStart(data.n);
      if (jobs.length === 0) await sleep(1);
      else
        await boss.complete(
          name,
          jobs.map(({ id }) => id),
        );
      for (const _ of jobs) onDone();
    }
  };

  return {
    submit: (n) => boss.send(name, { n }),
    submitMany: (ns) =>
      boss.insert(
        name,
        ns.map((n) => ({ data: { n } })),
      ),
    async work(options) {
      const over = new AbortController();
      const loops = Array.from({ length: batch === 1 ? options.concurrency : 1 }, () => loop(options, over.signal));
      const ended = Promise.all(loops).catch(options.onProblem);
      return {
        async stop() {
          over.abort();
          await ended;
        },
      };
    },
    async settings() {
      const { rows } = await boss.getDb().executeSql("select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits");
      return `fsync ${rows[0].fsync}, synchronous_commit ${rows[0].commits}`;
    },
    close: () => boss.stop({ graceful: false }),
  };
}
