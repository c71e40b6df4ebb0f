import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ask, runServer, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

describe('the server as a process', () => {
  test('says where it listens and that nobody has to sign in, and ends with 0 on SIGTERM', async () => {
    using folder = temporaryFolder();
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
    expect((await ask(server.url, '{ stats { counts { queued } } }')).data).toEqual({ stats: { counts: { queued: 0 } } });
    expect(server.lines.join('\n')).toMatch(/tenant/i);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(existsSync(folder.file('x.db-wal'))).toBe(false);
  });

  test('a second signal does not shorten the stop', async () => {
    using folder = temporaryFolder();
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
    const waiting = ask(server.url, 'mutation { claimJobs(input: {workerId: "w", waitSeconds: 20}) { idle leases { leaseToken } } }');
    const submitted = await ask(server.url, 'mutation { submitJob(input: {queue: "other", task: "t"}) { __typename } }');
    expect(submitted.data?.['submitJob']).toEqual({ __typename: 'SubmitJobSuccess' });
    server.kill('SIGTERM');
    expect(await server.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect((await waiting).data?.['claimJobs']).toEqual({ idle: 'SHUTTING_DOWN', leases: [] });
  });

  test('a second server on the same file is refused, and the first goes on', async () => {
    using folder = temporaryFolder();
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db') };
    const first = await startServer(settings);
    const second = await runServer(settings);
    expect(second.code).toBe(1);
    expect(second.output).toMatch(/Another LeaseQueue server is using this database/);
    expect((await ask(first.url, '{ __typename }')).data).toEqual({ __typename: 'Query' });
    await first.end('SIGTERM');
  });

  test('of five servers that start at once on a new file, one runs and four say why not (B89)', async () => {
    using folder = temporaryFolder();
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db') };
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => startServer(settings)));
    const running = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(running.length).toBe(1);
    for (const { reason } of refused) expect(String(reason)).toMatch(/Another LeaseQueue server is using this database/);
    await Promise.all(running.map(({ value }) => value.end('SIGTERM')));
  }, 40_000);

  test.each([
    ['a missing folder', (folder: string) => `${folder}/missing/x.db`, /does not exist/],
    ['a damaged file', (folder: string) => damaged(`${folder}/x.db`), /damaged/],
  ])('%s is one readable line and exit 1', async (_what, pathIn, message) => {
    using folder = temporaryFolder();
    const { code, output } = await runServer({ LEASEQUEUE_DATABASE_PATH: pathIn(folder.path) });
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(output).not.toMatch(/\bat .*\.ts:\d+/);
  });

  test.each([
    [{ LEASEQUEUE_PROT: '8000' }, /LEASEQUEUE_PROT.*LEASEQUEUE_PORT/s],
    [{ LEASEQUEUE_PORT: 'tcp://10.0.0.1:8000' }, /LEASEQUEUE_PORT.*service link/s],
    [{ LEASEQUEUE_LOG_LEVEL: 'loud' }, /LEASEQUEUE_LOG_LEVEL/],
    [{ LEASEQUEUE_HOST: '0.0.0.0' }, /LEASEQUEUE_AUTH/],
    [{ LEASEQUEUE_DATABASE_URL: 'postgres://localhost/x' }, /PostgreSQL/],
  ])('configuration %j stops the start with a message that names it', async (settings, message) => {
    using folder = temporaryFolder();
    const { code, output } = await runServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), ...settings });
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(existsSync(folder.file('x.db'))).toBe(false);
  });

  test('answers alike whatever the time zone of the machine (B70)', async () => {
    using folder = temporaryFolder();
    const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), TZ: 'Pacific/Auckland' });
    const { data } = await ask(
      server.url,
      'mutation($at: DateTime!) { submitJob(input: {task: "t", start: {at: $at}}) { ... on SubmitJobSuccess { job { runAt createdAt } } } }',
      {
        at: soon(),
      },
    );
    const { job } = data?.['submitJob'] as { job: { runAt: string; createdAt: string } };
    expect(job.runAt).toBe(soon());
    expect(job.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await server.end('SIGTERM');
  });
});

/** Tomorrow at noon, UTC. */
function soon(): string {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  return `${day}T12:00:00.000Z`;
}

function damaged(path: string): string {
  writeFileSync(path, Buffer.alloc(8192, 'x'));
  chmodSync(path, 0o644);
  return path;
}
