/** Export and import: what goes out comes in again, also where either is interrupted. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../support/app.ts';
import { claim, claimOne, completeJob, submitMany } from '../support/cli-jobs.ts';
import { leasequeue, startLeasequeue } from '../support/command.ts';
import { ask, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const folder = temporaryFolder();
let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  app = await startApp();
  env = { LEASEQUEUE_URL: app.url };
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const run = (...words: string[]) => leasequeue(words, { env, cwd: folder.path });
const rows = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('an export', () => {
  test('is complete for what was there at its start, read slowly, while jobs are submitted and claimed', async () => {
    await submitMany(app, 'long', 20_000);
    const reading = startLeasequeue(['job', 'export', '--queue', 'long'], env);
    const ids: string[] = [];
    for (let line = await reading.line(); line !== null; line = await reading.line()) {
      ids.push(JSON.parse(line).id);
      if (ids.length % 1_000 !== 0) continue;
      await submitMany(app, 'long', 10);
      await claim(app, 'long', 10);
    }
    expect(await reading.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Exported \d+ jobs\.\n$/) as unknown });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(20_000);
    expect(ids).toEqual(ids.toSorted());
  });

  test('has payload and result digit for digit, and a file of its own that replaces none', async () => {
    await leasequeue(['job', 'submit', 't', '--queue', 'digits', '--payload', '{"n":123456789012345678}'], { env });
    await completeJob(app, await claimOne(app, 'digits'), { m: 1 });
    expect(await run('job', 'export', '--queue', 'digits', 'out.jsonl')).toMatchObject({ code: 0, stdout: '', stderr: 'Exported 1 job to out.jsonl.\n' });
    const text = readFileSync(folder.file('out.jsonl'), 'utf8');
    expect(text).toMatch(/"payload":\{"n":123456789012345678\}.*"result":\{"m":1\}.*\n$/);
    expect(statSync(folder.file('out.jsonl')).mode & 0o777).toBe(0o600);
    expect((await run('job', 'export', '--queue', 'digits', '-')).stdout).toContain('"queueName":"digits"');
    expect(existsSync(folder.file('-'))).toBe(false);
    expect(await run('job', 'export', 'out.jsonl')).toMatchObject({ code: 1, stderr: expect.stringMatching(/is there already/) as unknown });
    expect(readFileSync(folder.file('out.jsonl'), 'utf8')).toBe(text);
  });

  test('that fails leaves no file', async () => {
    expect((await leasequeue(['job', 'export', 'none.jsonl', '--wait', '0'], { env: { LEASEQUEUE_URL: 'http://127.0.0.1:9' }, cwd: folder.path })).code).toBe(
      6,
    );
    expect([existsSync(folder.file('none.jsonl')), (await run('job', 'export', 'no/folder.jsonl')).code]).toEqual([false, 1]);
  });
});

describe('an import', () => {
  test('takes what export wrote, settings and digits included', async () => {
    const flags = '--queue moved --priority 4 --max-attempts 9 --tag a=b --concurrency-key c --in 1h --payload {"n":123456789012345678}';
    await leasequeue(['job', 'submit', 'mover', ...flags.split(' ')], { env });
    await run('job', 'export', '--queue', 'moved', 'moved.jsonl');
    const done = await leasequeue(['job', 'import', 'moved.jsonl', '--tenant', 't2'], { env, cwd: folder.path });
    expect(done).toMatchObject({ code: 0, stderr: 'Imported 1 job: 1 new, 0 stored before.\n' });
    const [before, after] = await Promise.all(['default', 't2'].map((tenant) => run('job', 'export', '--queue', 'moved', '--tenant', tenant)));
    const settings = ({ id: _id, ...rest }: Record<string, unknown>): object => rest;
    expect(rows(after?.stdout ?? '').map(settings)).toEqual(rows(before?.stdout ?? '').map(settings));
    expect(after?.stdout).toContain('123456789012345678');
  });

  test('can be repeated: each line is one job, also two equal ones', async () => {
    const lines = [
      ...Array.from({ length: 1_500 }, (_, n) => ({ task: 't', queue: 'imported', payload: { n } })),
      { task: 't', queue: 'imported' },
      { task: 't', queue: 'imported' },
    ];
    writeFileSync(folder.file('many.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(await run('job', 'import', 'many.jsonl', '--dry-run')).toMatchObject({ code: 0, stderr: '1502 lines can be submitted. Nothing was sent.\n' });
    expect((await run('job', 'import', 'many.jsonl')).stderr).toBe('Imported 1502 jobs: 1502 new, 0 stored before.\n');
    const input = readFileSync(folder.file('many.jsonl'), 'utf8');
    const again = await leasequeue(['job', 'import', '-', '--json'], { env, input });
    expect(JSON.parse(again.stdout)).toEqual({ stored: 0, deduplicated: 1_502, failed: 0 });
    const ids = await run('job', 'import', 'many.jsonl', '--quiet');
    expect([new Set(ids.stdout.trim().split('\n')).size, ids.stderr]).toEqual([1_502, '']);
  });

  test('checks every line first, and names those that are wrong', async () => {
    const lines = [
      '{"task":"t"}',
      '',
      'nonsense',
      '[1]',
      '{"queue":"q"}',
      '{"task":"no name"}',
      '{"task":"t","payload":[]}',
      '{"task":"t","priority":1.5}',
      '{"task":"t","start":{"at":"tomorrow"}}',
      '{"task":"t","tags":{"a":"b"}}',
      '{"task":"t","colour":"red"}',
      '{"task":"t","queueName":"q","payload":null,"payloadRedacted":true}',
    ];
    const { code, stdout, stderr } = await leasequeue(['job', 'import', '-'], { env: { LEASEQUEUE_URL: 'http://127.0.0.1:9' }, input: lines.join('\n') });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toEqual([
      'error: 10 of 11 lines cannot be submitted. Nothing was sent.',
      'line 3 is not a JSON object',
      'line 4 is not a JSON object',
      'line 5 names no task',
      expect.stringMatching(/^line 6 has a task that must be 1 to 64/),
      expect.stringMatching(/^line 7 has a payload that is not a JSON object/),
      expect.stringMatching(/^line 8 has a priority that must be a whole number/),
      expect.stringMatching(/^line 9 has a start that must be/),
      expect.stringMatching(/^line 10 has a tags that must be a list/),
      'line 11 has a field "colour" that a job has not',
      'line 12 has no payload: it was kept from the key that exported it',
    ]);
  });

  test('refuses a job of which redaction rules hid a part when it was exported', async () => {
    const line = { task: 't', queueName: 'q', payload: { pin: '[redacted]' }, payloadRedacted: false, redactedPaths: ['pin'] };
    writeFileSync(folder.file('redacted.jsonl'), `${JSON.stringify(line)}\n${JSON.stringify({ ...line, redactedPaths: [] })}\n`);
    const { code, stderr } = await run('job', 'import', 'redacted.jsonl', '--dry-run');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: 1 of 2 lines.*\nline 1 has no whole payload: redaction rules hid a part of it/)]);
  });

  test('tells of jobs that had ended, and refuses a file that it cannot read', async () => {
    writeFileSync(folder.file('ended.jsonl'), '{"task":"t","queueName":"q","state":"COMPLETED","payload":{}}\n');
    expect((await run('job', 'import', 'ended.jsonl', '--dry-run')).stderr).toMatch(/^1 of the lines are jobs that had ended/);
    writeFileSync(folder.file('latin1.jsonl'), Buffer.from('{"task":"t","payload":{"a":"\xe9"}}', 'latin1'));
    for (const [file, message] of [
      ['missing.jsonl', /ENOENT/],
      ['latin1.jsonl', /not UTF-8/],
      ['.', /EISDIR/],
    ] as const) {
      expect(await run('job', 'import', file)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) as unknown });
    }
  });

  test('goes on past a line that the server refuses, and says which', async () => {
    await leasequeue(['job', 'submit', 't', '--queue', 'refused', '--idempotency-key', 'k'], { env });
    const input = '{"task":"other","queue":"refused","idempotencyKey":"k"}\n{"task":"t","queue":"refused"}\n';
    const { code, stderr } = await leasequeue(['job', 'import', '-'], { env, input });
    expect([code, stderr]).toEqual([5, expect.stringMatching(/^Imported 1 job: 1 new, 0 stored before\.\nerror: 1 line refused\.\nline 1: /)]);
  });
});

test('an import that a crash of the server interrupts is repeated, and each line is one job', async () => {
  const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('crash.db'), LEASEQUEUE_AUTH: 'none' };
  const count = 6_000;
  writeFileSync(folder.file('crash.jsonl'), Array.from({ length: count }, (_, n) => `{"task":"t","payload":{"n":${n}}}\n`).join(''));
  const first = await startServer(settings);
  const importing = startLeasequeue(['job', 'import', folder.file('crash.jsonl'), '--wait', '0'], { LEASEQUEUE_URL: first.url });
  const stored = async (url: string): Promise<number> => {
    const { data } = await ask(url, '{ stats { counts { queued } } }');
    return (data?.['stats']?.['counts'] as { readonly queued: number }).queued;
  };
  while ((await stored(first.url)) === 0);
  await first.end('SIGKILL');
  expect(await importing.ended).toMatchObject({ code: 6, stderr: expect.stringMatching(/of 6000 lines are stored\. Repeat the command/) as unknown });
  const second = await startServer(settings);
  try {
    const again = await leasequeue(['job', 'import', folder.file('crash.jsonl'), '--json'], { env: { LEASEQUEUE_URL: second.url } });
    const { stored: made, deduplicated } = JSON.parse(again.stdout) as { readonly stored: number; readonly deduplicated: number };
    expect([again.code, made + deduplicated, deduplicated > 0, await stored(second.url)]).toEqual([0, count, true, count]);
  } finally {
    await second.end('SIGTERM');
  }
});
