/** How `leasequeue worker run` stops, loses leases and bears a final no: the real command, real programs, a real server. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LeaseQueue } from '../../src/client/client.ts';
import { type JobProgram, jobProgram, type Stamp } from '../support/job-program.ts';
import { startGateway, startWire } from '../support/network.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';
import { startWorker, type WorkerCommand, type WorkerSurroundings } from '../support/worker-command.ts';

const folder = temporaryFolder();
let server: ServerProcess;
let lq: LeaseQueue;
beforeAll(async () => {
  server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), LEASEQUEUE_AUTH: 'none' });
  lq = new LeaseQueue({ url: server.url });
});
afterAll(async () => {
  await server.end('SIGTERM');
  folder[Symbol.dispose]();
});

/** Not `expect.poll`, which does not know its test where several run side by side. */
async function eventually(value: () => unknown, expected: unknown, timeout = 15_000): Promise<void> {
  await vi.waitFor(async () => expect(await value()).toEqual(expected), { interval: 20, timeout });
}

async function submit(queue: string, change: object = {}): Promise<string> {
  const { job } = await lq.submit({ name: 't', input: ANY }, {}, { queue, ...change });
  return job.id;
}
const ANY = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;

async function kindsOf(id: string): Promise<readonly string[]> {
  const job = await lq.job({ id });
  return job?.events?.nodes.map(({ kind }) => kind) ?? [];
}

async function stateOf(id: string): Promise<readonly unknown[]> {
  const job = await lq.job({ id });
  return [job?.state, job?.attempt];
}

function worker(
  queue: string,
  flags: readonly string[],
  words: readonly string[],
  { url = server.url, ...around }: WorkerSurroundings & { url?: string } = {},
) {
  return startWorker(url, ['run', '--queue', queue, ...flags, '--', ...words], around);
}

async function stamped(program: JobProgram, what: Stamp['what'], job: string): Promise<Stamp> {
  const isIt = (stamp: Stamp): boolean => stamp.what === what && stamp.job === job;
  await eventually(() => program.stamps().some(isIt), true);
  return program.stamps().find(isIt) as Stamp;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.concurrent('a worker that runs programs:', () => {
  describe('a stop', () => {
    test('keeps leases alive while programs end, and claims nothing more (B143)', { timeout: 30_000 }, async () => {
      const program = jobProgram(folder.file('b143'));
      const job = await submit('b143');
      await using gateway = await startGateway(server.url);
      await using run = worker('b143', ['--concurrency', '2', '--lease', '5s'], program.words(10_000), { url: gateway.url });
      await stamped(program, 'start', job);
      run.kill('SIGTERM');
      await run.says(/Stopping: waiting for 1 job/);
      const stoppingMs = performance.now();
      const later = await submit('b143');
      expect(await run.ended).toBe(0);
      expect([await kindsOf(job), await stateOf(job)]).toEqual([
        ['SUBMITTED', 'CLAIMED', 'COMPLETED'],
        ['COMPLETED', 1],
      ]);
      expect(await stateOf(later)).toEqual(['QUEUED', 0]);
      expect(program.stamps().filter(({ what }) => what === 'start' || what === 'term')).toHaveLength(1);
      // One that only finds what an earlier claim took, so that nothing is left behind, asks for no task that there is.
      const claims = gateway.asked.filter(({ body, ms }) => ms > stoppingMs && body.includes('claimJobs') && !body.includes('leasequeue.none'));
      expect(claims).toEqual([]);
    });

    test('hands nothing back while its program lives (B145)', { timeout: 30_000 }, async () => {
      const program = jobProgram(folder.file('b145'));
      const job = await submit('b145');
      const flags = ['--lease', '5s', '--grace', '2s', '--kill-after', '2s'];
      await using first = worker('b145', flags, program.words(30_000, 'stubborn', 'once'));
      const { pid } = await stamped(program, 'start', job);
      await using second = worker('b145', [...flags, '--once'], program.words(30_000, 'stubborn', 'once'));
      first.kill('SIGTERM');
      expect(await first.ended).toBe(143);
      expect(await second.ended).toBe(0);
      expect(isAlive(pid)).toBe(false);
      const stamps = program.stamps();
      const lastOfFirst = Math.max(...stamps.filter((stamp) => stamp.pid === pid).map(({ atMs }) => atMs));
      expect(stamps.filter((stamp) => stamp.what === 'start').map(({ fence }) => fence)).toEqual([1, 2]);
      expect(stamps.find((stamp) => stamp.what === 'start' && stamp.pid !== pid)?.atMs).toBeGreaterThanOrEqual(lastOfFirst);
      expect([await kindsOf(job), await stateOf(job)]).toEqual([
        ['SUBMITTED', 'CLAIMED', 'RELEASED', 'CLAIMED', 'COMPLETED'],
        ['COMPLETED', 1],
      ]);
    });

    test('kills what does not end, and hands its job back (B148)', async () => {
      const program = jobProgram(folder.file('b148a'));
      const job = await submit('b148a');
      await using run = worker('b148a', ['--grace', '2s', '--kill-after', '500ms'], program.words('never', 'stubborn'));
      const { pid } = await stamped(program, 'start', job);
      const sentMs = performance.now();
      run.kill('SIGTERM');
      expect(await run.ended).toBe(143);
      expect(performance.now() - sentMs).toBeGreaterThan(2_000);
      expect(isAlive(pid)).toBe(false);
      expect([await kindsOf(job), await stateOf(job)]).toEqual([
        ['SUBMITTED', 'CLAIMED', 'RELEASED'],
        ['QUEUED', 0],
      ]);
      expect(run.said.at(-1)).toBe('error: stopped before all work had ended: 1 job was cut short and handed back.');
    });

    test.each(['SIGINT', 'SIGHUP'] as const)('by a terminal, which tells its whole group %s, reaches the worker alone', async (signal) => {
      const queue = `terminal-${signal}`;
      const program = jobProgram(folder.file(queue));
      const job = await submit(queue);
      await using run = worker(queue, [], program.words('never', 'gate'), { under: ['setsid'] });
      await stamped(program, 'start', job);
      process.kill(-run.pid, signal);
      await run.says(/Stopping: waiting for 1 job/);
      program.open(job);
      expect(await run.ended).toBe(0);
      expect(await stateOf(job)).toEqual(['COMPLETED', 1]);
      expect(program.stamps().some(({ what }) => what === 'term')).toBe(false);
    });

    test('does not wait once a second signal comes (B148)', async () => {
      const program = jobProgram(folder.file('b148b'));
      const job = await submit('b148b');
      await using run = worker('b148b', ['--grace', '1h', '--kill-after', '1h'], program.words('never', 'stubborn'));
      const { pid } = await stamped(program, 'start', job);
      run.kill('SIGTERM');
      await run.says(/Stopping/);
      run.kill('SIGINT');
      expect(await run.ended).toBe(130);
      expect(isAlive(pid)).toBe(false);
      expect(await stateOf(job)).toEqual(['QUEUED', 0]);
    });

    const asFirst = ['--fork', '--pid', '--kill-child'];
    const isPossible = spawnSync('unshare', [...asFirst, 'true']).status === 0;
    test.skipIf(!isPossible)('is heard by a worker that is process 1 (B148)', async () => {
      const program = jobProgram(folder.file('b148c'));
      const job = await submit('b148c');
      const under = ['unshare', ...asFirst];
      await using run = worker('b148c', ['--grace', '500ms', '--kill-after', '200ms'], program.words('never', 'stubborn'), { under });
      await stamped(program, 'start', job);
      const [first] = readFileSync(`/proc/${run.pid}/task/${run.pid}/children`, 'utf8').trim().split(' ');
      expect(readFileSync(`/proc/${first}/status`, 'utf8')).toMatch(/^NSpid:\s+\d+\s+1$/m);
      process.kill(Number(first), 'SIGTERM');
      expect(await run.ended).toBe(143);
      expect(await stateOf(job)).toEqual(['QUEUED', 0]);
    });
  });

  test('a worker that is cut off stops the work before the lease is over, and goes on when it is back (B146)', { timeout: 40_000 }, async () => {
    await using wire = await startWire(server.url);
    const program = jobProgram(folder.file('b146'));
    const job = await submit('b146', { retry: { attempts: 1 } });
    await using run = worker('b146', ['--concurrency', '1', '--lease', '5s'], program.words('never', 'once'), { url: wire.url });
    const begun = await stamped(program, 'start', job);
    wire.cut();
    await run.says(/lease lost: No heartbeat was answered in time/);
    const { atMs } = await stamped(program, 'term', job);
    // The claim was sent before the program started, and the last heartbeat that could get through too.
    expect(atMs - begun.atMs).toBeLessThan(5_000);
    await eventually(() => stateOf(job), ['DEAD', 1]);
    const next = await submit('b146');
    wire.heal();
    // It never ends by itself: that it runs is enough.
    await stamped(program, 'start', next);
    expect(await kindsOf(job)).not.toContain('COMPLETED');
    expect(run.said.filter((line) => line.includes('does not answer'))).toHaveLength(1);
    expect(run.said.filter((line) => line === 'The server answers again.')).toHaveLength(1);
  });

  describe('a final no is said once, and the worker goes on (B149)', () => {
    interface Ordeal {
      readonly job: string;
      readonly run: WorkerCommand;
      readonly program: JobProgram;
      readonly asked: () => readonly { readonly refused: number | null; readonly ms: number }[];
    }

    /** A worker with five slots, one of which has the job; the others have short ones. `befall` happens before it ends. */
    async function suffer(
      queue: string,
      befall: (job: string, gateway: Awaited<ReturnType<typeof startGateway>>) => Promise<unknown>,
      see: (ordeal: Ordeal) => Promise<void>,
      lease = '60s',
    ) {
      await using gateway = await startGateway(server.url);
      const program = jobProgram(folder.file(queue));
      const job = await submit(queue, { retry: { attempts: 1 } });
      await using run = worker(queue, ['--concurrency', '5', '--lease', lease], program.words('never', 'gate'), { url: gateway.url });
      await stamped(program, 'start', job);
      const others = await Promise.all([1, 2, 3, 4].map(() => submit(queue)));
      for (const other of others) await stamped(program, 'start', other);
      await befall(job, gateway);
      program.open(job);
      await stamped(program, 'end', job);
      const endedMs = performance.now();
      await stamped(program, 'start', await submit(queue));
      // A second at most, and one more for a machine that is busy; what must not be waited for takes 5 s and more.
      expect(performance.now() - endedMs).toBeLessThan(2_000);
      const asked = () => gateway.asked.filter(({ body }) => body.includes(`"jobId":"${job}"`) && body.includes('"result":'));
      await see({ job, run, program, asked });
      for (const other of others) program.open(other);
      for (const other of others) await eventually(() => stateOf(other), ['COMPLETED', 1]);
      expect(run.said.filter((line) => line.startsWith(job.slice(-8)) && line.includes('lease lost')).length).toBeLessThan(2);
    }

    const lostOnce = async ({ job, run, asked }: Ordeal): Promise<void> => {
      await run.says(new RegExp(`${job.slice(-8)} lease lost: `));
      expect(asked()).toHaveLength(1);
    };

    test('that the lease is lost', async () => {
      await suffer('b149a', (job) => lq.cancelJob({ id: job, force: true }), lostOnce);
    });

    test('that there is no such job', async () => {
      const remove = async (id: string): Promise<void> => {
        await lq.cancelJob({ id, force: true });
        await lq.purgeJobs({ target: { ids: [id] } });
      };
      await suffer('b149b', remove, lostOnce);
    });

    test('but one for now is repeated, for as long as the lease may live', { timeout: 40_000 }, async () => {
      await suffer(
        'b149c',
        async (job, gateway) => (gateway.refuse = (body) => (body.includes(`"jobId":"${job}"`) && body.includes('"result":') ? 503 : null)),
        async ({ job, run, asked }) => {
          const { ms: startMs } = asked()[0] ?? { ms: Number.NaN };
          await run.says(new RegExp(`${job.slice(-8)} lease lost: `), 20_000);
          expect(performance.now() - startMs).toBeLessThan(12_000);
          const tries = asked().length;
          expect(tries).toBeGreaterThan(3);
          expect(tries).toBeLessThan(20);
          await eventually(() => stateOf(job), ['DEAD', 1], 20_000);
          expect(asked()).toHaveLength(tries);
        },
        '5s',
      );
    });
  });
});
