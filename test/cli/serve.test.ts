/** `leasequeue serve`: the server as `npm start` runs it, with flags in front of the environment. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { leasequeue } from '../support/command.ts';
import { claimingNode } from '../support/other-node.ts';
import { ask, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

describe('serve', () => {
  test('takes flags before variables, and those before defaults, and ends with 0 on SIGTERM', async () => {
    using folder = temporaryFolder();
    const settings = {
      LEASEQUEUE_PORT: 'no port',
      LEASEQUEUE_DATABASE_PATH: folder.file('variable.db'),
      LEASEQUEUE_LOG_LEVEL: 'error',
      LEASEQUEUE_AUTH: 'none',
    };
    const flags = ['--port', '0', '--database', folder.file('flag.db'), '--log-level', 'info', '--environment', 'production'];
    const server = await startServer(settings, { serveWith: flags });
    expect((await ask(server.url, '{ stats { counts { queued } } }')).data).toEqual({ stats: { counts: { queued: 0 } } });
    expect(server.lines.join('\n')).toMatch(/"LeaseQueue is ready".*"environment":"production"/);
    expect([existsSync(folder.file('flag.db')), existsSync(folder.file('variable.db'))]).toEqual([true, false]);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(existsSync(folder.file('flag.db-wal'))).toBe(false);
  });

  test('names the flag, or the variable, that does not fit, all of them at once, and never a value that may be a secret', async () => {
    const env = { LEASEQUEUE_AUTH: 'perhaps', LEASEQUEUE_LOG_LEVEL: 'info' };
    const { code, stdout, stderr } = await leasequeue(['serve', '--port', '70000', '--host', 'u:p@x', '--log-level', 'loud'], { env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/cannot start: --port must be a whole number from 0 to 65535, not "70000"/);
    expect(stderr).toMatch(/cannot start: --host must be/);
    expect(stderr).toMatch(/cannot start: --log-level must be one of/);
    expect(stderr).toMatch(/cannot start: LEASEQUEUE_AUTH must be/);
    expect(stderr).not.toMatch(/u:p|perhaps|LEASEQUEUE_PORT/);
  });

  test('says in one line what else is in the way, naming the flag: a taken port, a missing folder, another server', async () => {
    using folder = temporaryFolder();
    const first = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') }, { serveWith: [] });
    const { port } = new URL(first.url);
    const taken = await leasequeue(['serve', '--port', port, '--database', folder.file('y.db')]);
    expect(taken).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .*something else listens there. Stop it, or choose another --port\.\n$/) as unknown,
    });
    const missing = await leasequeue(['serve', '--port', '0', '--database', folder.file('no/x.db')]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: .*does not exist.*set --database to another place\.\n$/) as unknown });
    const second = await leasequeue(['serve', '--port', '0', '--database', folder.file('x.db')]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: .*Another LeaseQueue server is using this database/) as unknown });
    expect(await first.end('SIGINT')).toEqual({ code: 0, signal: null });
  });

  test('shows examples in its help, and refuses flags that it does not know', async () => {
    const help = await leasequeue(['serve', '--help']);
    expect([help.code, help.stdout.match(/^ {2}\$ leasequeue serve/gm)?.length]).toEqual([0, 2]);
    expect((await leasequeue(['serve', '--prot', '1'])).code).toBe(2);
  });
});

describe('on a Node that clients run on, and servers do not,', () => {
  test.each([['serve'], ['db', 'check'], ['db', 'backup', 'x'], ['keys', 'list']])('%s %s says so and does nothing', async (...words) => {
    using folder = temporaryFolder();
    const env = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), ...claimingNode('22.20.0') };
    const { code, stdout, stderr } = await leasequeue(words, { env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'error: this command needs Node 24 or later, and this is 22.20.0. Nothing was done. Start it with a newer one; the commands that talk to a server run on this one too.\n',
    );
    expect(existsSync(folder.file('x.db'))).toBe(false);
  });

  test('the doctor goes on with what it can look at', async () => {
    using folder = temporaryFolder();
    const { code, stdout } = await leasequeue(['doctor'], { env: { LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), ...claimingNode('22.20.0') } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^bad +node +22\.20\.0 is too old[^]*^ok +settings[^]*^bad +content +was not looked at/m);
  });

  test('help and the version are there, and an older one is told at once', async () => {
    expect((await leasequeue(['--help'], { env: claimingNode('22.20.0') })).code).toBe(0);
    expect(await leasequeue(['--help'], { env: claimingNode('20.19.0') })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/needs Node 22 or later/) as unknown,
    });
  });
});
