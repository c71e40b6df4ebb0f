/** Queues and tenants from the command line. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../support/app.ts';
import { deadLetters, submitMany } from '../support/cli-jobs.ts';
import { documentOf, leasequeue, startLeasequeue } from '../support/command.ts';

let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  app = await startApp();
  env = { LEASEQUEUE_URL: app.url };
});
afterAll(() => app[Symbol.asyncDispose]());

const run = (...words: string[]) => leasequeue(words, { env });

describe('a queue', () => {
  test('is paused and resumed, and says whether it was so already', async () => {
    await app.submit({ queue: 'mail' });
    expect((await run('queue', 'pause', 'mail', '--reason', 'server \x1b[31m down')).stderr).toMatch(/^Paused mail\./);
    expect((await run('queue', 'get', 'mail')).stdout).toContain('server \\x1b[31m down');
    expect(documentOf(await run('queue', 'pause', 'mail', '--json'))).toMatchObject({ changed: false, queue: { paused: true } });
    expect((await run('queue', 'list')).stdout).toMatch(/^mail +1 .* yes/m);
    expect((await run('queue', 'resume', 'mail')).stderr).toBe('Resumed mail.\n');
    expect((await run('queue', 'resume', 'mail')).stderr).toBe('mail was not paused.\n');
  });

  test('is configured field by field, and back to the defaults', async () => {
    const flags = '--priority 7 --max-attempts 9 --retry-base 30s --retry-max 2h --lease 2m --keep-completed 1d --keep-cancelled 2d --keep-dead 0';
    expect(documentOf(await run('queue', 'set', 'set', ...flags.split(' '), '--json'))).toMatchObject({
      queue: {
        defaults: { priority: 7, maxAttempts: 9, retryBaseSeconds: 30, retryMaxSeconds: 7_200, leaseSeconds: 120 },
        retention: { completedSeconds: 86_400, cancelledSeconds: 172_800, deadSeconds: 0 },
      },
    });
    expect(documentOf(await run('queue', 'set', 'set', '--max-attempts', 'default', '--json'))).toMatchObject({
      queue: { defaults: { priority: 7, maxAttempts: 3 } },
    });
    expect((await run('queue', 'set', 'set')).code).toBe(2);
  });

  test('is in a list that goes over all pages', async () => {
    for (let number = 100; number < 205; number++) await run0(`many-${number}`);
    const { stdout } = await run('queue', 'list', '--quiet');
    expect(stdout.split('\n').filter((name) => name.startsWith('many-'))).toHaveLength(105);
  });
  const run0 = (name: string) => app.submit({ queue: name });
});

describe('queue top without a terminal', () => {
  test('prints one table, the most troubled queue first, with what needs attention', async () => {
    await deadLetters(app, 'with-dead', 2);
    await submitMany(app, 'stuck', 3);
    app.clock.advance(90_000);
    const { code, stdout } = await run('queue', 'top', '--tenant', 'default');
    const lines = stdout.split('\n');
    expect(code).toBe(0);
    expect(lines[0]).toMatch(new RegExp(`^LeaseQueue at ${app.url}, \\d\\d:\\d\\d:\\d\\d$`));
    expect(lines[1]).toMatch(/^\d+ queues: \d+ ready, 0 running, 0 in retry, 2 dead; /);
    expect(lines[2]).toMatch(/^Attention: nobody takes the \d+ ready jobs? of /);
    const names = lines.slice(5).map((line) => line.split(' ')[0]);
    expect(names.indexOf('stuck')).toBeLessThan(names.indexOf('with-dead'));
  });

  test('prints JSON Lines, one for each round, until it is ended', async () => {
    const rounds = startLeasequeue(['queue', 'top', '--json', '--every', '500ms'], env);
    const [first, second] = [JSON.parse((await rounds.line()) ?? ''), JSON.parse((await rounds.line()) ?? '')];
    expect(Object.keys(first)).toEqual(['at', 'stats', 'queues', 'attention']);
    expect(Date.parse(second.at)).toBeGreaterThan(Date.parse(first.at));
    expect((await rounds.end('SIGINT')).code).toBe(130);
  });

  test('prints no figures where there are none', async () => {
    const rounds = startLeasequeue(['queue', 'top', '--json'], { LEASEQUEUE_URL: 'http://127.0.0.1:9' });
    expect(JSON.parse((await rounds.line()) ?? '')).toEqual({
      at: expect.any(String) as unknown,
      error: { code: 'UNREACHABLE', message: expect.any(String) as unknown },
    });
    await rounds.end('SIGTERM');
    expect((await leasequeue(['queue', 'top', '--wait', '0'], { env: { LEASEQUEUE_URL: 'http://127.0.0.1:9' } })).code).toBe(6);
    expect((await run('queue', 'top', '--every', '10ms')).code).toBe(2);
  });
});

describe('a tenant', () => {
  test('is created, changed, suspended and resumed', async () => {
    expect(documentOf(await run('tenant', 'create', 'Acme Inc', '--max-queues', '5', '--json'))).toMatchObject({
      tenant: { id: 'acme-inc', name: 'Acme Inc', quotas: { maxQueues: 5 } },
    });
    expect(documentOf(await run('tenant', 'set', 'acme-inc', '--name', 'Acme', '--max-queues', 'default', '--json'))).toMatchObject({
      tenant: { name: 'Acme', quotas: { maxQueues: 10_000 } },
    });
    expect((await run('tenant', 'suspend', 'acme-inc')).stdout).toMatch(/^suspended +yes/m);
    expect((await run('tenant', 'resume', 'acme-inc')).stdout).toMatch(/^suspended +no/m);
    expect((await run('tenant', 'list', '--quiet')).stdout.split('\n')).toContain('acme-inc');
    expect((await run('tenant', 'list')).stdout).toMatch(/^acme-inc +Acme +0 +0 +0 +/m);
    expect((await run('tenant', 'set', 'acme-inc')).code).toBe(2);
  });
});
