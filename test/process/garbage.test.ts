import { expect, test } from 'vitest';
import { LeaseQueue } from '../../src/client/index.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const TELLING = ['--max-semi-space-size=1', '--trace-pretenuring-statistics'];

test('what waits for a commit leads V8 to make nothing old, however often it survives a collection', async () => {
  using folder = temporaryFolder();
  const command = [process.execPath, ...TELLING, 'src/server/main.ts'] as const;
  const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') }, { command });
  const told = () => server.lines.filter((line) => line.includes('pretenuring:'));
  const atTheStart = told();
  const queue = new LeaseQueue({ url: server.url });
  for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 64 }, () => queue.submitJob({ task: 't', payload: { round } })));
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(atTheStart.length).toBeGreaterThan(0);
  expect(told()).toEqual(atTheStart);
});
