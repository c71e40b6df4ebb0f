/** `leasequeue worker`: what a program is given, what becomes of the job by the way it ends, and what the worker says. The real command on a real server. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LeaseQueue } from '../../src/client/client.ts';
import { parseJson } from '../../src/domain/json.ts';
import { leasequeue } from '../support/command.ts';
import { startWire } from '../support/network.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';
import { startWorker } from '../support/worker-command.ts';

const folder = temporaryFolder();
let server: ServerProcess;
let lq: LeaseQueue;
beforeAll(async () => {
  server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), LEASEQUEUE_AUTH: 'none' });
  lq = new LeaseQueue({ url: server.url, parseJson });
});
afterAll(async () => {
  await server.end('SIGTERM');
  folder[Symbol.dispose]();
});

let queues = 0;
/** A queue of its own with one job in it. */
async function submit(payload: unknown = {}, change: object = {}): Promise<{ readonly queue: string; readonly id: string }> {
  const queue = `q${(queues += 1)}`;
  const input = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;
  const { job } = await lq.submit({ name: 't', input }, payload, { queue, retry: { attempts: 3, base: '1h' }, ...change });
  return { queue, id: job.id };
}

/** Runs a script of the shell for the one job of a queue, and answers with what became of both. */
async function shell(script: string, { payload, flags = [], env = {} }: { payload?: unknown; flags?: readonly string[]; env?: Record<string, string> } = {}) {
  const { queue, id } = await submit(payload);
  const words = ['worker', 'run', '--queue', queue, '--once', ...flags, '--', 'sh', '-c', script];
  const ended = await leasequeue(words, { env: { LEASEQUEUE_URL: server.url, ...env } });
  return { ...ended, queue, id, job: await jobOf(id) };
}

async function jobOf(id: string) {
  const job = await lq.job({ id });
  return { ...job, state: job?.state, attempt: job?.attempt, result: job?.result, error: job?.lastError, kinds: job?.events?.nodes.map(({ kind }) => kind) };
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

describe.concurrent('a program', () => {
  test('gets the payload and gives the result with every digit, and says nothing on standard output', async () => {
    const payload = parseJson('{"id":123456789012345678901234567890,"price":1.10000000000000000001,"text":"é\\u0000"}');
    const { code, stdout, job } = await shell('cat', { payload });
    expect([code, stdout, job.state]).toEqual([0, '', 'COMPLETED']);
    expect(JSON.stringify(job.result)).toBe(JSON.stringify(payload));
  });

  test.each([
    ['nothing is null', 'true', null],
    ['JSON is itself', `echo '[1, {"a": null}]'`, [1, { a: null }]],
    ['any other text is a string without its last line end', `printf 'two\\nlines\\n'`, 'two\nlines'],
  ])('gives a result: %s', async (_name, script, result) => {
    expect((await shell(script)).job).toMatchObject({ state: 'COMPLETED', result });
  });

  test('learns of its job by variables, and of no key', async () => {
    const env = { LEASEQUEUE_API_KEY: 'lq_not-a-real-key', OTHER: 'kept' };
    const { job, queue, id } = await shell('env', { env });
    const variables = linesOf(String(job.result));
    expect(variables.filter((line) => /^(LEASEQUEUE_JOB_|OTHER)/.test(line)).toSorted()).toEqual([
      'LEASEQUEUE_JOB_ATTEMPT=1',
      'LEASEQUEUE_JOB_FENCE=1',
      `LEASEQUEUE_JOB_ID=${id}`,
      'LEASEQUEUE_JOB_MAX_ATTEMPTS=3',
      `LEASEQUEUE_JOB_QUEUE=${queue}`,
      'LEASEQUEUE_JOB_TASK=t',
      'OTHER=kept',
    ]);
    expect(variables.filter((line) => /API_KEY|TOKEN/i.test(line))).toEqual([]);
  });

  test('may read none of its input', async () => {
    const { job } = await shell('exec 0<&-; echo 1', { payload: { much: 'x'.repeat(60_000) } });
    expect(job).toMatchObject({ state: 'COMPLETED', result: 1 });
  });

  test('tells how far it is on descriptor 3', async () => {
    const { queue, id } = await submit();
    await using run = startWorker(server.url, ['run', '--queue', queue, '--', 'sh', '-c', 'echo "40 of 100 pages" >&3; echo nonsense >&3; exec sleep 60']);
    await vi.waitFor(async () => expect((await jobOf(id)).progress).toMatchObject({ percent: 40, note: 'of 100 pages' }), { timeout: 10_000 });
    run.kill('SIGTERM');
    await run.says(/Stopping/);
    run.kill('SIGTERM');
    expect(await run.ended).toBe(143);
  });

  test('leaves nobody behind: what it started goes with it', async () => {
    const { job } = await shell('sleep 300 & echo $!');
    expect(job.state).toBe('COMPLETED');
    expect(() => process.kill(Number(job.result), 0)).toThrow('ESRCH');
  });
});

test('a process that left the group of a program keeps nobody waiting', async () => {
  const { job, code } = await shell('setsid sleep 300 & sleep 0.2; echo $!');
  expect([code, job.state]).toEqual([0, 'COMPLETED']);
  expect(process.kill(Number(job.result), 'SIGKILL')).toBe(true);
});

describe.concurrent('the exit code decides:', () => {
  test('any fails the attempt, with the last lines of standard error', async () => {
    const { job, stderr, id } = await shell('for i in $(seq 2000); do echo "line $i" >&2; done; exit 3');
    expect(job).toMatchObject({ state: 'RETRY', attempt: 1, error: { type: 'ExitCode3' } });
    const { message = '', details } = job.error ?? {};
    expect([message.endsWith('line 2000'), /^line \d+\n/.test(message), Buffer.byteLength(message) <= 4_096, details]).toEqual([true, true, true, {}]);
    expect(linesOf(stderr).filter((line) => line.startsWith(`${id.slice(-8)} | line `))).toHaveLength(2_000);
  });

  test('a program that says nothing has an error all the same', async () => {
    const message = 'The program ended with exit code 1 and said nothing on standard error.';
    expect((await shell('exit 1')).job.error).toMatchObject({ type: 'ExitCode1', message });
  });

  test('65 is final', async () => {
    expect((await shell('echo "no such invoice" >&2; exit 65')).job).toMatchObject({ state: 'DEAD', attempt: 1, error: { message: 'no such invoice' } });
  });

  test('75 puts the job off and uses no attempt', async () => {
    const { job } = await shell('exit 75', { flags: ['--snooze', '1h'] });
    expect(job).toMatchObject({ attempt: 0, kinds: ['SUBMITTED', 'CLAIMED', 'RELEASED'] });
    expect(Date.parse(job.runAt ?? '') - Date.parse(job.createdAt ?? '')).toBeGreaterThan(3_590_000);
  });

  test('a signal has its name', async () => {
    const { job } = await shell('echo "bad thing" >&2; kill -SEGV $$');
    expect(job.error).toMatchObject({ type: 'SIGSEGV', message: 'The program was ended by SIGSEGV.\nbad thing' });
  });

  test('a result that is too large ends the program, and is final (B149)', async () => {
    const { job, stderr } = await shell('head -c 70000 /dev/zero | tr "\\0" x; exec sleep 300');
    expect(job).toMatchObject({ state: 'DEAD', error: { type: 'ResultTooLarge' } });
    expect(linesOf(stderr).filter((line) => line.includes('ResultTooLarge'))).toHaveLength(1);
  });

  test('after --timeout there is none: the program is ended, and what it started', async () => {
    const note = folder.file('timeout');
    const { job, stdout } = await shell(`sleep 300 & echo $! > ${note}; wait`, { flags: ['--timeout', '500ms', '--json'] });
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'FAILED', error: { type: 'Timeout' } });
    expect(job).toMatchObject({ state: 'RETRY', error: { type: 'Timeout' } });
    expect(() => process.kill(Number(readFileSync(note, 'utf8')), 0)).toThrow('ESRCH');
  });

  test('a cancelled job is over, even if its program ends well when it is told to', async () => {
    const { queue, id } = await submit();
    const words = ['run', '--queue', queue, '--lease', '5s', '--', 'sh', '-c', 'trap "exit 0" TERM; echo up >&2; sleep 300 & wait'];
    await using run = startWorker(server.url, words);
    await run.says(/ up$/);
    await lq.cancelJob({ id });
    await run.says(/ cancelled$/);
    expect((await jobOf(id)).state).toBe('CANCELLED');
  });
});

describe.concurrent('a program that cannot be started', () => {
  const notExecutable = folder.file('not-executable');
  writeFileSync(notExecutable, '');
  test.each([
    ['/no/such/program', 'there is no such program'],
    [notExecutable, 'it may not be executed'],
  ])('%s ends the worker, and costs no attempt', async (program, reason) => {
    const { queue, id } = await submit();
    const { code, stderr } = await leasequeue(['worker', 'run', '--queue', queue, '--', program], { env: { LEASEQUEUE_URL: server.url } });
    expect(code).toBe(1);
    expect(linesOf(stderr).filter((line) => line.startsWith('error:'))).toEqual([
      `error: ${program} cannot be started: ${reason}. The job was handed back, and no attempt was used.`,
    ]);
    expect(await jobOf(id)).toMatchObject({ state: 'QUEUED', attempt: 0 });
  });
});

describe.concurrent('what the worker says', () => {
  test('with --json are outcomes on standard output, one in a line', async () => {
    const { stdout, id, queue } = await shell('exit 1', { flags: ['--json'] });
    expect(linesOf(stdout).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { jobId: id, queue, task: 't', attempt: 1, fence: 1, outcome: 'FAILED', error: { type: 'ExitCode1' }, deadLettered: false },
    ]);
  });

  test('with --quiet is nothing, and standard error of programs comes as it is', async () => {
    const { stdout, stderr } = await shell('echo one >&2; printf "two" >&2', { flags: ['--quiet'] });
    expect([stdout, stderr]).toEqual(['', 'one\ntwo\n']);
  });

  test('moves no cursor, whatever a program writes', async () => {
    const { stderr } = await shell(`printf '\\033[2Jgone\\n' >&2`);
    expect(stderr).toContain('| \\x1b[2Jgone');
  });

  test('it waits for a server that is not there, and says so once', async () => {
    await using wire = await startWire(null);
    const { queue, id } = await submit();
    await using run = startWorker(wire.url, ['run', '--queue', queue, '--once', '--', 'true']);
    await run.says(/does not answer .* Trying again\.$/);
    wire.lead(server.url);
    expect(await run.ended).toBe(0);
    expect(run.said.map((line) => line.replace(/^.*does not answer.*$/, 'away'))).toEqual([
      'away',
      'The server answers again.',
      expect.stringContaining(`started: t (${id}), attempt 1 of 3`),
      'Stopping.',
      expect.stringContaining('completed in'),
      'Stopped. Jobs: 1 completed, 0 failed, 0 handed back.',
    ]);
  });

  test('a server that wants a key ends it with 4', async () => {
    const guarded = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('guarded.db'), LEASEQUEUE_AUTH: 'required' });
    const { code, stderr } = await leasequeue(['worker', 'run', '--queue', 'q', '--', 'true'], { env: { LEASEQUEUE_URL: guarded.url } });
    await guarded.end('SIGTERM');
    expect([code, linesOf(stderr).filter((line) => line.startsWith('error:')).length]).toEqual([4, 1]);
  });

  test.each([[['--queue', 'q', '--lease', '2s']], [['--queue', 'a b']], [['--queue', 'q', '--once', '--max-jobs', '2']], [[]]])(
    '%j is wrong usage',
    async (flags) => {
      const { code } = await leasequeue(['worker', 'run', ...flags, '--', 'true'], { env: { LEASEQUEUE_URL: server.url } });
      expect(code).toBe(2);
    },
  );
});

describe.concurrent('a worker ends', () => {
  test('after --max-jobs, with as many programs at the same time as it likes', async () => {
    const { queue } = await submit();
    for (let more = 0; more < 5; more += 1) await submit({}, { queue });
    const { code, stdout } = await leasequeue(['worker', 'run', '--queue', queue, '--max-jobs', '3', '--json', '--', 'true'], {
      env: { LEASEQUEUE_URL: server.url },
    });
    expect([code, linesOf(stdout).length]).toEqual([0, 3]);
    expect((await lq.queue(queue))?.stats.counts.queued).toBe(3);
  });

  test('with --until-idle when no job is due', async () => {
    const { queue } = await submit();
    for (let more = 0; more < 5; more += 1) await submit({}, { queue });
    const { code, stdout } = await leasequeue(['worker', 'run', '--queue', queue, '--until-idle', '--json', '--', 'sleep', '0.3'], {
      env: { LEASEQUEUE_URL: server.url },
    });
    expect([code, linesOf(stdout).length]).toEqual([0, 6]);
  });

  test('as by SIGTERM when nobody reads its outcomes any more', async () => {
    const { queue } = await submit();
    for (let more = 0; more < 5; more += 1) await submit({}, { queue });
    const { code, stderr } = await leasequeue(['worker', 'run', '--queue', queue, '--concurrency', '1', '--json', '--', 'sleep', '0.2'], {
      env: { LEASEQUEUE_URL: server.url },
      into: 'head -n 1',
    });
    expect([code, stderr.includes('Stopping')]).toEqual([0, true]);
  });
});

describe.concurrent('without a program', () => {
  test('the short form prints each job and completes it', async () => {
    const { queue, id } = await submit({ big: parseJson('12345678901234567890') });
    const words = ['worker', '--tenant', 'default', '--queue', queue, '--worker', 'A', '--until-idle'];
    const { code, stdout } = await leasequeue(words, { env: { LEASEQUEUE_URL: server.url } });
    expect([code, stdout]).toEqual([0, `${id}  ${queue}  t  attempt 1 of 3  {"big":12345678901234567890}\n`]);
    expect(await jobOf(id)).toMatchObject({ state: 'COMPLETED', result: null });
    const listed = await leasequeue(['worker', 'list', '--json'], { env: { LEASEQUEUE_URL: server.url } });
    expect(JSON.parse(listed.stdout)).toMatchObject({
      workers: expect.arrayContaining([expect.objectContaining({ id: 'A', queues: [queue], runningJobs: 0 })]),
    });
  });

  test('with --json each job is one line', async () => {
    const { queue, id } = await submit({ n: 1 }, { tags: { team: 'a' } });
    const { stdout } = await leasequeue(['worker', 'print', '--queue', queue, '--once', '--json'], { env: { LEASEQUEUE_URL: server.url } });
    const shown = { id, queueName: queue, task: 't', attempt: 1, payload: { n: 1 }, tags: [{ key: 'team', value: 'a' }] };
    expect(linesOf(stdout).map((line) => JSON.parse(line) as unknown)).toMatchObject([shown]);
  });

  test('a job that nobody saw is not completed', async () => {
    const { queue, id } = await submit();
    const { code } = await leasequeue(['worker', '--queue', queue], { env: { LEASEQUEUE_URL: server.url }, into: 'true' });
    expect(code).toBe(0);
    expect(await jobOf(id)).toMatchObject({ state: 'QUEUED', attempt: 0 });
  });
});
