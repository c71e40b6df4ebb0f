/** How client commands end: one test for each exit code, with the real command against a real server. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../support/app.ts';
import { leasequeue, startLeasequeue } from '../support/command.ts';
import { claimOne, deadJob } from '../support/cli-jobs.ts';

let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  app = await startApp();
  env = { LEASEQUEUE_URL: app.url };
});
afterAll(() => app[Symbol.asyncDispose]());

const NO_SERVER = { LEASEQUEUE_URL: 'http://127.0.0.1:9' };
const UNKNOWN = '019e8f6c-0000-7000-8000-000000000000';

/** What answers every request so. */
async function withAnswer(status: number, body: string, check: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    await check(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('0: done', async () => {
  expect((await leasequeue(['queue', 'list'], { env })).code).toBe(0);
});

test('1: failed, such as a wait that took too long', async () => {
  const id = await app.submit();
  const { code, stderr } = await leasequeue(['job', 'wait', id, '--timeout', '300ms'], { env });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/timed out after 0\.3 s/)]);
});

test('1: a command that nothing keeps alive any more, and that has not said how it ended', async () => {
  const neverEnds = 'data:text/javascript,export const runCommandLine = () => new Promise(() => {});';
  const hook = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => (name === './run.ts' ? { url: '${neverEnds}', shortCircuit: true } : next(name, context)) });`;
  const { code } = await leasequeue(['queue', 'list'], { env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` } });
  expect(code).toBe(1);
});

test('2: what the server finds wrong in the input is wrong usage as well', async () => {
  const { code, stderr } = await leasequeue(['job', 'list', '--after', 'nonsense'], { env });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/cursor/)]);
});

describe('3: not found', () => {
  test.each([
    ['job', 'get', UNKNOWN],
    ['job', 'wait', UNKNOWN],
    ['job', 'watch', UNKNOWN],
    ['job', 'cancel', UNKNOWN],
    ['job', 'redrive', UNKNOWN],
    ['job', 'reschedule', UNKNOWN, '--in', '1h'],
    ['inspect', UNKNOWN],
    ['queue', 'get', 'nowhere'],
    ['queue', 'resume', 'nowhere'],
    ['tenant', 'get', 'nobody'],
    ['tenant', 'suspend', 'nobody'],
  ])('%s %s', async (...words) => {
    const { code, stdout, stderr } = await leasequeue(words, { env });
    expect([code, stdout, stderr]).toEqual([3, '', expect.stringMatching(/^error: /)]);
  });
});

test.each([
  [401, 'UNAUTHENTICATED'],
  [403, 'FORBIDDEN'],
])('4: not signed in, or not allowed: HTTP %d', async (status, code) => {
  await withAnswer(status, JSON.stringify({ errors: [{ message: 'Not with this key.', extensions: { code } }] }), async (url) => {
    expect(await leasequeue(['job', 'list', '--url', url], { env })).toMatchObject({ code: 4, stdout: '', stderr: 'error: Not with this key.\n' });
  });
});

describe('5: conflict', () => {
  test('a key that was used for another submission', async () => {
    const words = ['job', 'submit', '--queue', 'conflict', '--idempotency-key', 'k'];
    const { stdout } = await leasequeue([...words, 'a'], { env });
    const { code, stderr } = await leasequeue([...words, 'b', '--payload', '{"secret":1}'], { env });
    expect([code, stderr]).toEqual([5, expect.stringContaining(`belongs to job ${stdout.trim()}, which differs in: task, payload.`)]);
  });

  test('a wrong state', async () => {
    const id = await app.submit();
    const { code, stderr } = await leasequeue(['job', 'redrive', id], { env });
    expect([code, stderr]).toEqual([5, expect.stringContaining(`${id}: `)]);
  });

  test('a queue that somebody else changed', async () => {
    const words = ['queue', 'set', 'versioned', '--max-attempts', '5', '--expected-version', '0'];
    expect((await leasequeue(words, { env })).code).toBe(0);
    expect((await leasequeue(words, { env })).code).toBe(5);
  });

  test('a name that is taken', async () => {
    expect((await leasequeue(['tenant', 'create', 'Taken'], { env })).code).toBe(0);
    expect((await leasequeue(['tenant', 'create', 'Taken'], { env })).code).toBe(5);
  });
});

describe('6: not reached, or the outcome is unknown', () => {
  test('nobody listens; that it waits is said once', async () => {
    const { code, stderr } = await leasequeue(['job', 'list', '--wait', '1s'], { env: NO_SERVER });
    expect(code).toBe(6);
    expect(stderr.split('\n').filter((line) => line.includes('Trying again'))).toHaveLength(1);
    expect(stderr).toMatch(/error: The server at http:\/\/127\.0\.0\.1:9\/graphql does not answer/);
  });

  test('with --wait 0 it is not tried again', async () => {
    expect(await leasequeue(['job', 'list', '--wait', '0'], { env: NO_SERVER })).toMatchObject({
      code: 6,
      stderr: expect.not.stringContaining('again') as unknown,
    });
  });

  test.each(['SERVICE_UNAVAILABLE', 'RATE_LIMITED'])('%s', async (code) => {
    await withAnswer(503, JSON.stringify({ errors: [{ message: 'Not now.', extensions: { code } }] }), async (url) => {
      expect(await leasequeue(['queue', 'list', '--url', url, '--wait', '0'], { env })).toMatchObject({ code: 6, stderr: 'error: Not now.\n' });
    });
  });

  test('something else than LeaseQueue answers', async () => {
    await withAnswer(200, '<html>', async (url) => {
      expect(await leasequeue(['job', 'cancel', UNKNOWN, '--url', url], { env })).toMatchObject({ code: 6 });
    });
  });
});

test('7: what was waited for ended badly', async () => {
  const id = await deadJob(app, { task: 't' });
  const waited = await leasequeue(['job', 'wait', id], { env });
  expect([waited.code, waited.stdout]).toEqual([7, `${id}  DEAD  Boom: it broke\n`]);
  expect((await leasequeue(['job', 'watch', id], { env })).code).toBe(7);
});

describe.each([
  ['130', 'SIGINT', 130],
  ['143', 'SIGTERM', 143],
] as const)('%s: %s', (_name, signal, exitCode) => {
  test('ends what waits for a job', async () => {
    const waiting = startLeasequeue(['job', 'watch', await app.submit()], env);
    expect(await waiting.line()).toContain('SUBMITTED');
    expect(await waiting.end(signal)).toMatchObject({ code: exitCode, stderr: expect.stringMatching(/^error: (Interrupted|Terminated)\./) as unknown });
  });

  test('ends what waits for a server', async () => {
    const waiting = startLeasequeue(['job', 'list'], NO_SERVER);
    await waiting.said(/Trying again/);
    expect((await waiting.end(signal)).code).toBe(exitCode);
  });
});

describe('a reader that has read enough', () => {
  test.each([['job', 'list', '--all'], ['job', 'list', '--all', '--json'], ['job', 'export'], ['events'], ['job', 'list']])(
    'ends %s %s quietly with 0',
    async (...words) => {
      await app.submit();
      await claimOne(app, 'q');
      const { code, stderr } = await leasequeue(words, { env, into: 'true' });
      expect([code, stderr.replace(/^(There are more|Exported|Go on with).*\n/gm, '')]).toEqual([0, '']);
    },
  );
});
