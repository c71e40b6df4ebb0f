/** A producer and a reader of events live through a server that is killed. */
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { LeaseQueue, unwrap } from '../../src/client/index.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

/** A port that nobody listens on, to start a server on twice. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('a server that is killed and started again on the same port and file', () => {
  test('has each of 500 jobs once, submitted meanwhile without keys, and the events of all of them without gap or repeat', async () => {
    using folder = temporaryFolder();
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), LEASEQUEUE_PORT: String(await freePort()), LEASEQUEUE_LOG_LEVEL: 'warn' };
    let server: ServerProcess = await startServer({ ...settings, LEASEQUEUE_LOG_LEVEL: 'info' });
    const lq = new LeaseQueue({ url: server.url, retryFor: '60s' });
    const after = await lq.latestEventCursor();
    const reading = (async () => {
      const seen: string[] = [];
      for await (const { jobId } of lq.events({ after, filter: { kinds: ['SUBMITTED'] } })) if (seen.push(jobId) === 500) break;
      return seen;
    })();

    const answered: string[] = [];
    const restarts: Promise<void>[] = [];
    const restart = async (): Promise<void> => {
      await server.end('SIGKILL');
      server = await startServer({ ...settings, LEASEQUEUE_LOG_LEVEL: 'info' });
    };
    const submitting = async (producer: number): Promise<void> => {
      for (let number = 0; number < 25; number++) {
        answered.push(unwrap(await lq.submitJob({ queue: 'q', task: 't', payload: { producer, number } })).job.id);
        if (answered.length >= 150 && restarts.length === 0) restarts.push(restart());
        if (answered.length >= 350) await restarts[0];
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, producer) => submitting(producer)));
    await restarts[0];
    expect(new Set(answered).size).toBe(500);
    expect(await lq.countJobs({ queues: ['q'] })).toEqual({ value: 500, exact: true });
    const seen = await reading;
    expect([...seen].toSorted()).toEqual(answered.toSorted());
    await server.end('SIGTERM');
  }, 60_000);
});
