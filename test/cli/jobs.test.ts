/** Reading and changing jobs from the command line, one by one and all of a filter. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, startApp } from '../support/app.ts';
import { claim, claimOne, deadJob, deadLetters, failJob, submitMany } from '../support/cli-jobs.ts';
import { commandShim } from '../support/command-shim.ts';
import { documentOf, leasequeue } from '../support/command.ts';
import { temporaryFolder } from '../support/store.ts';
import { hasTerminals, onTerminal } from '../support/terminal.ts';

let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  app = await startApp();
  env = { LEASEQUEUE_URL: app.url };
});
afterAll(() => app[Symbol.asyncDispose]());

const run = (...words: string[]) => leasequeue(words, { env });
const linesOf = ({ stdout }: { readonly stdout: string }): readonly string[] => stdout.split('\n').filter(Boolean);
const stateOf = async (id: string): Promise<unknown> =>
  (documentOf(await run('job', 'get', id, '--json')) as { readonly job: { readonly state: string } }).job.state;

describe('a list of jobs', () => {
  test('is read page by page, each job once, in the order that was asked for', async () => {
    await submitMany(app, 'paged', 230);
    const all = linesOf(await run('job', 'list', '--queue', 'paged', '--all', '--quiet'));
    expect([all.length, new Set(all).size]).toEqual([230, 230]);
    const lines = linesOf(await run('job', 'list', '--queue', 'paged', '--order', 'oldest-first', '--all', '--json'));
    expect(lines.map((line) => (JSON.parse(line) as { readonly id: string }).id)).toEqual(all.toReversed());
  });

  test('says how to go on', async () => {
    const first = await run('job', 'list', '--queue', 'paged', '--first', '3', '--quiet');
    const page = await run('job', 'list', '--queue', 'paged', '--first', '3');
    const [, cursor = ''] = /--after (\S+)/.exec(page.stderr) ?? [];
    const next = await run('job', 'list', '--queue', 'paged', '--first', '3', '--after', cursor, '--quiet');
    const all = linesOf(await run('job', 'list', '--queue', 'paged', '--all', '--quiet'));
    expect([...linesOf(first), ...linesOf(next)]).toEqual(all.slice(0, 6));
    expect(linesOf(page)[0]).toMatch(/^ID +STATE +QUEUE/);
  });

  test('follows every flag of the filter', async () => {
    const id = await app.submit({ queue: 'filtered', task: 'one', tags: [{ key: 'a', value: '1' }], concurrencyKey: 'c' });
    await app.submit({ queue: 'filtered', task: 'two' });
    const { id: held } = await claimOne(app, 'filtered');
    for (const flags of [
      ['--task', 'one'],
      ['--tag', 'a=1'],
      ['--concurrency-key', 'c,d'],
      ['--state', 'running', '--worker', 'w1'],
      ['--task', 'one', '--created-after', '2026-03-01T00:00:00Z', '--created-before', '2026-03-02T00:00:00Z'],
    ]) {
      expect(linesOf(await run('job', 'list', '--queue', 'filtered', ...flags, '--quiet'))).toEqual([id]);
    }
    expect(held).toBe(id);
    expect(await run('job', 'list', '--queue', 'filtered', '--created-before', '2026-03-01T00:00:00Z')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'There are no such jobs.\n',
    });
  });
});

describe('one job', () => {
  test('is shown with its attempts and its timeline, and no text of a worker speaks to the terminal', async () => {
    const id = await deadJob(app, { task: 'shown' }, { type: 'Bad\x1b[2J', message: 'one\ntwo \u202e\x07', details: { n: 1 } });
    const { stdout } = await run('inspect', id);
    expect(stdout).toContain('state           DEAD, attempt 1 of 3');
    expect(stdout).toContain('last error      Bad\\x1b[2J: one\\ntwo \\u202e\\x07 at ');
    expect(stdout).toMatch(/1 +1 +FAILED +w1 +2026-03-01T/);
    expect(stdout).toMatch(/SUBMITTED +QUEUED.*\n.*CLAIMED +RUNNING.*\n.*DEAD_LETTERED +DEAD/);
    for (const character of ['\x1b', '\x07', '\u202e']) expect(stdout).not.toContain(character);
    const dead = await run('dead', 'list', '--task', 'shown');
    expect(linesOf(dead)[1]).toContain('Bad\\x1b[2J: one\\ntwo \\u202e\\x07');
    expect(documentOf(await run('job', 'get', id, '--json'))).toMatchObject({ job: { id, attempts: { nodes: [{ outcome: 'FAILED' }] } } });
  });

  test('has its latest error first, whatever went before', async () => {
    const id = await deadJob(app, { queue: 'twice' }, { type: 'First', message: 'e1' });
    await run('job', 'redrive', id);
    await failJob(app, await claimOne(app, 'twice'), 'default', { type: 'Second', message: 'e2' });
    const { stdout } = await run('inspect', id);
    expect(stdout).toMatch(/^last error +Second: e2 at /m);
    expect(stdout).toMatch(/^2 +1 +FAILED .*Second: e2\n1 +1 +FAILED .*First: e1$/m);
    expect((await run('dead', 'list', '--queue', 'twice')).stdout).toMatch(/Second: e2$/m);
  });

  test('is named by its id, or by queue and key together', async () => {
    for (const words of [[], ['x', '--queue', 'q'], ['--queue', 'q']]) expect((await run('job', 'get', ...words)).code).toBe(2);
  });

  test('is part of an overview of everything', async () => {
    const id = await app.submit({ queue: 'overview' });
    const { stdout } = await run('inspect');
    expect(stdout).toMatch(new RegExp(`^server +${app.url}`));
    expect(stdout).toMatch(/^tenant +default/m);
    expect(stdout).toContain(id);
    expect(Object.keys(documentOf(await run('inspect', '--json')) as object)).toEqual(['viewer', 'stats', 'queues', 'jobs']);
    expect(linesOf(await run('inspect', '--all', '--quiet')).length).toBeGreaterThan(230);
  });
});

describe('a change of jobs by id', () => {
  test('does what can be done, and tells what could not', async () => {
    const [one, two] = [await app.submit(), await deadJob(app)];
    const { code, stdout, stderr } = await run('job', 'cancel', one, two, one);
    expect([code, stdout]).toEqual([5, `${one}  CANCELLED\n`]);
    expect(stderr).toMatch(new RegExp(`^error: ${two}: .*\n$`));
  });

  test('asks the worker of a running job, or takes it away', async () => {
    const id = await app.submit({ queue: 'running' });
    await claimOne(app, 'running');
    expect(documentOf(await run('job', 'cancel', id, '--reason', 'why not', '--json'))).toMatchObject({ job: { state: 'RUNNING' }, finished: false });
    expect((await run('job', 'cancel', id, '--force')).stdout).toBe(`${id}  CANCELLED\n`);
  });

  test('redrives, now or later, and moves what waits', async () => {
    const id = await deadJob(app);
    expect((await run('job', 'redrive', id, '--in', '1h')).stdout).toBe(`${id}  QUEUED\n`);
    const moved = documentOf(await run('job', 'reschedule', id, '--at', '2026-03-01T05:00:00+01:00', '--priority', '9', '--json'));
    expect(moved).toMatchObject({ job: { runAt: '2026-03-01T04:00:00.000Z', priority: 9 } });
    expect((await run('job', 'reschedule', id)).code).toBe(2);
  });
});

describe('a change of all jobs of a filter', () => {
  test('is counted first, and without a terminal does nothing unless it is told to', async () => {
    await submitMany(app, 'asked', 3);
    app.clock.advance(1_000);
    expect(await run('job', 'cancel', '--queue', 'asked', '--dry-run')).toMatchObject({ code: 0, stdout: '3 jobs can be changed. Nothing was changed.\n' });
    expect(await run('job', 'cancel', '--queue', 'asked')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Cancel 3 jobs\? Nothing was changed/) as unknown,
    });
    expect(await run('job', 'cancel', '--queue', 'asked', '--yes')).toMatchObject({ code: 0, stdout: 'Cancelled 3 jobs.\n' });
    expect(await run('job', 'cancel', '--queue', 'asked', '--yes')).toMatchObject({ code: 0, stdout: 'Cancelled 0 jobs.\n' });
  });

  test.each([[['job', 'cancel', '--yes']], [['dead', 'redrive', '--yes']], [['job', 'redrive', 'x', '--queue', 'q']], [['job', 'cancel', 'x', '--dry-run']]])(
    '%j names nothing, or two things, and is wrong usage',
    async (words) => {
      expect((await run(...words)).code).toBe(2);
    },
  );

  test('redrives what was dead at the start, of this queue and tenant, once, while jobs die again', async () => {
    await deadLetters(app, 'a', 1_100);
    await deadLetters(app, 'b', 50);
    await deadLetters(app, 'a', 20, 't2');
    const early = linesOf(await run('dead', 'list', '--queue', 'a', '--first', '5', '--quiet'));
    // Somebody else is faster with five, which run at the start.
    await run('job', 'redrive', ...early);
    expect(await claim(app, 'a', 5)).toHaveLength(5);
    app.clock.advance(1_000);
    const over = new AbortController();
    // Fails whatever it gets, at once.
    const worker = (async () => {
      for (let failed = 0; ; ) {
        const leases = await claim(app, 'a', 100);
        await Promise.all(leases.map((lease) => failJob(app, lease)));
        failed += leases.length;
        if (leases.length === 0 && over.signal.aborted) return failed;
      }
    })();
    const done = await run('dead', 'redrive', '--queue', 'a', '--yes', '--json');
    over.abort();
    expect(documentOf(done)).toMatchObject({ matched: { value: 1_095, exact: true }, changed: 1_095, skipped: 0, hasMore: false });
    expect(await worker).toBe(1_095);
    const events = linesOf(await run('events', '--kind', 'REDRIVEN', '--queue', 'a', '--quiet'));
    expect([events.length, new Set(events).size]).toEqual([1_100, 1_100]);
    expect(linesOf(await run('events', '--kind', 'REDRIVEN', '--queue', 'b', '--json'))).toEqual([]);
    expect(linesOf(await run('events', '--kind', 'REDRIVEN', '--tenant', 't2', '--json'))).toEqual([]);
  });

  test.runIf(hasTerminals)('asks on a terminal, and works on what is there when the person agrees', async () => {
    using folder = temporaryFolder();
    commandShim(folder.path);
    await deadLetters(app, 'dialog', 12);
    app.clock.advance(1_000);
    const ids = linesOf(await run('dead', 'list', '--queue', 'dialog', '--quiet'));
    const terminal = onTerminal(folder.path, app.url, 'dead redrive --queue dialog');
    await terminal.shows(/Redrive 12 jobs\? \[y\/N\] /);
    // Somebody else is faster with five.
    await run('job', 'redrive', ...ids.slice(0, 5));
    terminal.press('y\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain('Redrove 7 jobs.');
    const refusing = onTerminal(folder.path, app.url, 'job cancel --queue dialog');
    await refusing.shows(/Cancel 12 jobs\? \[y\/N\] /);
    refusing.press('\r');
    expect(await refusing.ended).toBe(1);
    expect(linesOf(await run('job', 'list', '--queue', 'dialog', '--state', 'queued', '--quiet'))).toHaveLength(12);
  });

  test('leaves what is submitted after its start', async () => {
    const before = await app.submit({ queue: 'cancelled' });
    app.clock.advance(1_000);
    const after = await app.submit({ queue: 'cancelled' });
    await run('job', 'cancel', '--queue', 'cancelled', '--created-before', '2030-01-01T00:00:00Z', '--yes');
    expect([await stateOf(before), await stateOf(after)]).toEqual(['CANCELLED', 'QUEUED']);
  });
});

test.skipIf(hasTerminals)('DID NOT RUN: there is no `script` of util-linux here to make a terminal', () => {});
