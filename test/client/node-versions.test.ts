/** The client as it is published, on every version of Node that it is for. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltPackage, buildPackage, writeFiles } from '../support/built-package.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const nodeOf = (major: string): string =>
  major === process.versions.node.split('.')[0] ? process.execPath : fileURLToPath(new URL(`../nodes/${major}/node_modules/node/bin/node`, import.meta.url));

const SERVER = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));

const PROGRAM = `
import { defineTask, LeaseQueue, LeaseQueueError, unwrap } from 'leasequeue/client';

const lq = new LeaseQueue();
const queue = 'node-' + process.versions.node.split('.')[0];
const after = await lq.latestEventCursor();
const input = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } };
const task = defineTask({ name: 'try', input, queue });
const submitted = await Promise.all(Array.from({ length: 20 }, (_, number) => lq.submit(task, { number })));
const { leases } = await lq.claimJobs({ queues: [queue], workerId: 'w', max: 20, requestId: 'one' });
const held = leases.map(({ job, leaseToken }) => ({ jobId: job.id, leaseToken }));
await Promise.all(held.map(async (lease) => unwrap(await lq.heartbeat(lease))));
await Promise.all(held.map(async (lease) => unwrap(await lq.completeJob({ ...lease, result: 'ok' }))));
const kinds = {};
let events = 0;
for await (const { kind } of lq.events({ after, filter: { queues: [queue] } })) {
  kinds[kind] = (kinds[kind] ?? 0) + 1;
  if (++events === 60) break;
}
const refused = await lq.submitJob({ task: '!' }).catch((error) => error);
const given = await lq.latestEventCursor({ signal: AbortSignal.abort('given up') }).catch((reason) => reason);
const away = await new LeaseQueue({ url: 'http://127.0.0.1:1', retryFor: 0 }).stats().catch((error) => error);
console.log(JSON.stringify({ submitted: submitted.length, kinds, refused: refused instanceof LeaseQueueError && refused.code, given, away: [away.code, away.isOutcomeUnknown] }));
`;

describe('the client does its work, reads its key from a file and ends by itself', () => {
  const folder = temporaryFolder();
  let built: BuiltPackage;
  let server: ServerProcess;
  beforeAll(async () => {
    built = buildPackage();
    writeFiles(built.project, { 'program.mjs': PROGRAM, key: 'not-asked-for\n' });
    server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
  }, 120_000);
  afterAll(async () => {
    await server.end('SIGTERM');
    built[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  async function expectWork(node: string, url: string): Promise<void> {
    const env = { LEASEQUEUE_URL: url, LEASEQUEUE_API_KEY_FILE: `${built.project}/key` };
    const { stdout, stderr } = await promisify(execFile)(node, ['program.mjs'], { cwd: built.project, env });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      submitted: 20,
      kinds: { SUBMITTED: 20, CLAIMED: 20, COMPLETED: 20 },
      refused: 'BAD_USER_INPUT',
      given: 'given up',
      away: ['UNREACHABLE', expect.any(Boolean)],
    });
  }

  test.each(['22', '24', '26'])('on Node %s', async (major) => {
    const node = nodeOf(major);
    if (!existsSync(node)) throw new Error(`Node ${major} is not there. \`npm ci\` brings it.`);
    expect((await promisify(execFile)(node, ['--version'])).stdout).toMatch(new RegExp(`^v${major}\\.`));
    await expectWork(node, server.url);
  });

  test('with a server on Node 26', async () => {
    const node = nodeOf('26');
    const newer = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('newer.db') }, { command: [node, SERVER] });
    try {
      await expectWork(node, newer.url);
    } finally {
      expect(await newer.end('SIGTERM')).toEqual({ code: 0, signal: null });
    }
  });

  test.each(['22', '24', '26'])('and so does the command on Node %s', async (major) => {
    const command = async (...words: readonly string[]): Promise<unknown> => {
      const env = { LEASEQUEUE_URL: server.url, XDG_CONFIG_HOME: built.project };
      const { stdout, stderr } = await promisify(execFile)(nodeOf(major), [built.command, ...words, '--json'], { cwd: built.project, env });
      expect(stderr).not.toMatch(/warning/i);
      return JSON.parse(stdout);
    };
    const submitted = await command('job', 'submit', 'try', '--queue', `command-${major}`, '--payload', '{"n": 12345678901234567890}');
    const { id } = (submitted as { readonly job: { readonly id: string } }).job;
    expect(await command('job', 'get', id)).toMatchObject({ job: { id, state: 'QUEUED', queueName: `command-${major}` } });
  });
});
