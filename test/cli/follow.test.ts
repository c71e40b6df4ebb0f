/** Waiting, watching and following from the command line, over restarts of the server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, claimOne, completeJob, deadJob, failJob, serverAt } from '../support/cli-jobs.ts';
import { leasequeue, startLeasequeue } from '../support/command.ts';
import { ask, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const folder = temporaryFolder();
let server: ServerProcess;
let app: Asked;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('follow.db'), LEASEQUEUE_AUTH: 'none', LEASEQUEUE_LOG_LEVEL: 'debug' });
  app = serverAt(server.url);
  env = { LEASEQUEUE_URL: server.url };
});
afterAll(async () => {
  await server.end('SIGTERM');
  folder[Symbol.dispose]();
});

const requests = (): number => server.lines.filter((line) => line.includes('"path":"/graphql"')).length;

/** Ends once so many feeds are open. */
async function feeds(count: number): Promise<void> {
  const line = `leasequeue_subscribers{transport="sse"} ${count}\n`;
  while (!(await (await fetch(`${server.url}/metrics`)).text()).includes(line));
}

describe('waiting for jobs', () => {
  test('ends when all have ended, with their results, and asks nothing meanwhile', async () => {
    const done = await app.submit({ queue: 'wait-done' });
    await completeJob(app, await claimOne(app, 'wait-done'), { n: 1 });
    const open = await app.submit({ queue: 'wait' });
    const waiting = startLeasequeue(['job', 'wait', open, done, open], env);
    expect(await waiting.line()).toBe(`${done}  COMPLETED  {"n":1}`);
    await feeds(1);
    const before = requests();
    const lease = await claimOne(app, 'wait');
    await completeJob(app, lease, ['a', 2]);
    expect(await waiting.line()).toBe(`${open}  COMPLETED  ["a",2]`);
    expect(await waiting.ended).toEqual({ code: 0, stderr: '' });
    // The claim, the completion, and the look at its result.
    expect(requests() - before).toBeLessThanOrEqual(4);
    await feeds(0);
  });

  test('ends with 7 where one is cancelled, and prints JSON Lines', async () => {
    const id = await app.submit({ queue: 'wait-cancelled' });
    const waiting = startLeasequeue(['job', 'wait', id, '--json'], env);
    await feeds(1);
    await leasequeue(['job', 'cancel', id], { env });
    expect(JSON.parse((await waiting.line()) ?? '')).toMatchObject({ id, state: 'CANCELLED', result: null });
    expect(await waiting.ended).toMatchObject({ code: 7, stderr: `error: the job ${id} ended CANCELLED.\n` });
  });
});

describe('watching a job', () => {
  test('shows its events from the first one to its end', async () => {
    const id = await app.submit({ queue: 'watch' });
    const watching = startLeasequeue(['job', 'watch', id, '--json'], env);
    const kinds = [JSON.parse((await watching.line()) ?? '').kind];
    await feeds(1);
    await completeJob(app, await claimOne(app, 'watch'));
    for (let line = await watching.line(); line !== null; line = await watching.line()) kinds.push(JSON.parse(line).kind);
    expect(kinds).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
    expect(await watching.ended).toEqual({ code: 0, stderr: '' });
  });

  test('goes on where a dead letter was redriven', async () => {
    const id = await deadJob(app, { queue: 'watch-again' });
    await leasequeue(['job', 'redrive', id], { env });
    const watching = startLeasequeue(['job', 'watch', id], env);
    await feeds(1);
    await failJob(app, await claimOne(app, 'watch-again'));
    expect((await watching.ended).code).toBe(7);
  });
});

describe('events', () => {
  test('are all that are kept, the last ones, or those after a cursor', async () => {
    for (let count = 0; count < 5; count++) await app.submit({ queue: 'log' });
    const all = await leasequeue(['events', '--queue', 'log', '--json'], { env });
    const lines = all.stdout.trim().split('\n');
    const last = await leasequeue(['events', '--queue', 'log', '--last', '2', '--json'], { env });
    const after = await leasequeue(['events', '--queue', 'log', '--after', JSON.parse(lines[2] ?? '').cursor, '--json'], { env });
    expect(lines).toHaveLength(5);
    expect(last.stdout.trim().split('\n')).toEqual(lines.slice(3));
    expect(after.stdout).toBe(last.stdout);
    const [, cursor = ''] = /Go on with: --after (\S+)/.exec(all.stderr) ?? [];
    expect((await leasequeue(['events', '--queue', 'log', '--after', cursor], { env })).stdout).toBe('');
    expect((await leasequeue(['events', '--queue', 'log', '--kind', 'claimed,completed'], { env })).stdout).toBe('');
  });

  test('go on over a restart of the server without gap or repeat, and say how to go on later', async () => {
    using folder = temporaryFolder();
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), LEASEQUEUE_AUTH: 'none' };
    const first = await startServer(settings);
    const port = new URL(first.url).port;
    const submit = (key: string) => ask(first.url, `mutation { submitJob(input: { task: "${key}" }) { __typename } }`);
    const following = startLeasequeue(['events', '--follow', '--json', '--last', '1'], { LEASEQUEUE_URL: first.url });
    await submit('before');
    const tasks: string[] = [];
    const next = async (): Promise<void> => void tasks.push(JSON.parse((await following.line()) ?? '').task);
    await next();
    await first.end('SIGKILL');
    await following.said(/Trying again/);
    const second = await startServer({ ...settings, LEASEQUEUE_PORT: port });
    try {
      await submit('after');
      await next();
      await following.said(/The server answers again/);
      await submit('last');
      await next();
      expect(tasks).toEqual(['before', 'after', 'last']);
      const { code, stderr } = await following.end('SIGINT');
      expect([code, stderr]).toEqual([130, expect.stringMatching(/Go on with: --after \S+\nerror: Interrupted/)]);
    } finally {
      await second.end('SIGTERM');
    }
  });
});
