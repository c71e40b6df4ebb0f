/** Submitting from the command line: what arrives in the database, what is printed, and what is refused before anything is sent. */
import { mkdirSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { type TestApp, startApp } from '../support/app.ts';
import { documentOf, leasequeue } from '../support/command.ts';
import { temporaryFolder } from '../support/store.ts';

const folder = temporaryFolder();
const path = folder.file('jobs.db');
let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  app = await startApp({ path });
  env = { LEASEQUEUE_URL: app.url };
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function storedPayload(queue: string): string {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .prepare<[string], { readonly payload: string }>('select payload from jobs where queue_name = ?')
      .all(queue)
      .map(({ payload }) => payload)
      .join('\n');
  } finally {
    database.close();
  }
}

describe('a payload', () => {
  const PAYLOAD = '{"job_id": 123456789012345678, "rate": 1e400, "name": "Grüße 🎉"}';
  const STORED = '{"job_id":123456789012345678,"name":"Grüße 🎉","rate":1e400}';

  test.each([
    ['the flag', PAYLOAD, undefined],
    ['a file', `@${folder.file('payload.json')}`, undefined],
    ['standard input', '-', PAYLOAD],
  ])('from %s is in the database digit for digit', async (name, payload, input) => {
    writeFileSync(folder.file('payload.json'), PAYLOAD);
    const queue = name.replaceAll(' ', '-');
    const done = await leasequeue(['job', 'submit', 't', '--queue', queue, '--payload', payload], { env, ...(input !== undefined && { input }) });
    expect([done.code, done.stderr]).toEqual([0, `Submitted t to ${queue}.\n`]);
    expect(storedPayload(queue)).toBe(STORED);
    const { stdout } = await leasequeue(['job', 'get', done.stdout.trim(), '--json'], { env });
    expect(stdout).toContain('"job_id": 123456789012345678');
  });

  test.each([
    ['a file that is not there', '@none.json', /the payload \(none\.json\) cannot be read: ENOENT/],
    ['a folder', '@folder', /the payload \(folder\) cannot be read/],
    ['no JSON', '{"a":', /the payload \(--payload\) is not JSON/],
    ['a list', '[1]', /is not a JSON object, such as \{"invoiceId": 42\}/],
    ['null', 'null', /is not a JSON object/],
    ['one that is too large', JSON.stringify({ a: 'x'.repeat(LIMITS.payloadBytesMax) }), /has 65544 bytes as JSON without spaces, and a payload at most 65536/],
    ['one that is too deep', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, /is nested deeper than 32 levels/],
    ['a lone surrogate', '{"a":"\\ud800"}', /lone surrogate/],
  ])('%s is refused in one sentence, and nothing is sent', async (_name, payload, sentence) => {
    mkdirSync(folder.file('folder'), { recursive: true });
    const { code, stdout, stderr } = await leasequeue(['job', 'submit', 't', '--payload', payload], {
      env: { LEASEQUEUE_URL: 'http://127.0.0.1:9' },
      cwd: folder.path,
    });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(sentence)]);
    expect(stderr).toMatch(/^error: .*Nothing was submitted\.\n$/);
  });

  test('that is no UTF-8 is refused', async () => {
    writeFileSync(folder.file('latin1.json'), Buffer.from('{"a":"\xe9"}', 'latin1'));
    const { code, stderr } = await leasequeue(['job', 'submit', 't', '--payload', `@${folder.file('latin1.json')}`], { env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/cannot be read/)]);
  });
});

describe('a submission', () => {
  test('that is repeated with its key says so, answers the id of the job that is there, and ends with 0', async () => {
    const words = ['job', 'submit', 't', '--queue', 'twice', '--idempotency-key', 'k1'];
    const [first, second] = [await leasequeue(words, { env }), await leasequeue(words, { env })];
    expect([first.code, first.stderr]).toEqual([0, 'Submitted t to twice.\n']);
    expect([second.code, second.stdout]).toEqual([0, first.stdout]);
    expect(second.stderr).toMatch(/^Deduplicated: .*QUEUED/);
    expect(documentOf(await leasequeue([...words, '--json'], { env }))).toMatchObject({ deduplicated: true, job: { id: first.stdout.trim() } });
    const found = await leasequeue(['job', 'get', '--queue', 'twice', '--idempotency-key', 'k1', '--quiet'], { env });
    expect([found.stdout, found.stderr]).toEqual([first.stdout, '']);
  });

  test('has what its flags say', async () => {
    const flags = '--queue full --priority -5 --max-attempts 7 --retry-base 2m --retry-max 1h --in 10m --tag a=1 --tag b=x=y --concurrency-key c';
    const { stdout } = await leasequeue(['job', 'submit', 'full.job', ...flags.split(' '), '--quiet'], { env });
    expect(documentOf(await leasequeue(['job', 'get', stdout.trim(), '--json'], { env }))).toMatchObject({
      job: {
        queueName: 'full',
        task: 'full.job',
        priority: -5,
        maxAttempts: 7,
        retryBaseSeconds: 120,
        retryMaxSeconds: 3600,
        runAt: '2026-03-01T00:10:00.000Z',
        concurrencyKey: 'c',
        tags: [
          { key: 'a', value: '1' },
          { key: 'b', value: 'x=y' },
        ],
      },
    });
  });

  test.each([
    [['--priority', '101'], /whole number from -100 to 100/],
    [['--in', 'soon'], /length of time/],
    [['--at', '2026-01-01'], /instant with a zone/],
    [['--at', '2026-01-01T00:00:00Z', '--in', '1s'], /cannot be used with/],
    [['--tag', 'x'], /key=value/],
    [['--queue', 'no queue'], /--queue must be 1 to 64/],
  ])('with %j is wrong usage', async (flags, message) => {
    const { code, stderr } = await leasequeue(['job', 'submit', 't', ...flags], { env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test('is only shown in a dry run', async () => {
    const done = await leasequeue(['job', 'submit', 't', '--payload', '{"n":123456789012345678}', '--dry-run'], {
      env: { LEASEQUEUE_URL: 'http://127.0.0.1:9' },
    });
    expect([done.code, done.stderr]).toEqual([0, 'This would be submitted. Nothing was sent.\n']);
    expect(done.stdout.replaceAll(/\s/g, '')).toBe('{"task":"t","payload":{"n":123456789012345678}}');
  });
});

describe('the short form', () => {
  test.each([
    ['the task of the payload', ['--payload', '{"task":"demo"}'], 'demo'],
    ['default where the payload names none', ['--payload', '{"a":1}'], 'default'],
    ['default where it is no name', ['--payload', '{"task":"no name"}'], 'default'],
    ['default without a payload', [], 'default'],
    ['the flag before the payload', ['--task', 'own', '--payload', '{"task":"demo"}'], 'own'],
  ])('takes %s', async (_name, flags, task) => {
    const { code, stdout } = await leasequeue(['submit', '--tenant', 't1', '--queue', 'q1', ...flags, '--json'], { env });
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ job: expect.objectContaining({ task, queueName: 'q1' }) as unknown })]);
  });
});
