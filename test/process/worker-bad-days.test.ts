/** What goes wrong around workers, with real processes on both sides: jobs are done all the same, and what was done counts once. */
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { LeaseQueue, unwrap } from '../../src/client/index.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';
import { type ProgramSettings, type Stamp, startWorkerProcess, type Work, type WorkerProcess } from '../support/worker-process.ts';

/** A port that nobody listens on, to start a server on twice. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A server that comes back at the same place with the same jobs, and workers of it. */
interface Scene extends AsyncDisposable {
  readonly lq: LeaseQueue;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  worker(name: string, options?: Partial<ProgramSettings>): WorkerProcess;
  submit(...works: readonly Work[]): Promise<readonly string[]>;
  /** Of one job. */
  history(id: string): Promise<{ readonly state: string; readonly attempt: number; readonly result: unknown; readonly kinds: readonly string[] }>;
}

async function setScene(): Promise<Scene> {
  const folder = temporaryFolder();
  const port = await freePort();
  const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), LEASEQUEUE_PORT: String(port) };
  const url = `http://127.0.0.1:${port}`;
  const lq = new LeaseQueue({ url });
  const workers: WorkerProcess[] = [];
  let server: ServerProcess | null = null;
  return {
    lq,
    async start() {
      server = await startServer(settings);
    },
    async end(signal) {
      await server?.end(signal);
      server = null;
    },
    worker(name, options = {}) {
      const worker = startWorkerProcess({ url, notes: folder.file(`${name}.notes`), workerId: name, lease: '5s', ...options }, folder.file('code'));
      workers.push(worker);
      return worker;
    },
    async submit(...works) {
      const submitted = await Promise.all(works.map((work) => lq.submitJob({ task: 't', payload: { ...work } })));
      return submitted.map((result) => unwrap(result).job.id);
    },
    async history(id) {
      const job = await lq.job({ id });
      if (job === null) throw new Error('the job is gone');
      return { state: job.state, attempt: job.attempt, result: job.result, kinds: job.events.nodes.map(({ kind }) => kind) };
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker[Symbol.asyncDispose]();
      await server?.end('SIGTERM');
      folder[Symbol.dispose]();
    },
  };
}

/** Once it is true, which no event tells across processes. */
async function until(what: string, isTrue: () => boolean | Promise<boolean>, timeout = 40_000): Promise<void> {
  await vi.waitFor(async () => expect(await isTrue(), what).toBe(true), { interval: 20, timeout });
}

function count({ stamps }: WorkerProcess, what: Stamp['what']): number {
  return stamps().filter((stamp) => stamp.what === what).length;
}

async function completed({ lq }: Scene): Promise<number> {
  return (await lq.queue('default'))?.stats.counts.completed ?? 0;
}

const ONCE = ['SUBMITTED', 'CLAIMED', 'COMPLETED'];

describe.concurrent('workers on a bad day:', () => {
  test.each([
    ['is killed, and started again at once', 'SIGKILL', 0],
    ['is stopped, and comes back after three seconds', 'SIGTERM', 3_000],
  ] as const)('their server %s: jobs that run are completed in their first attempt', { timeout: 60_000 }, async (_what, signal, awayMs) => {
    await using scene = await setScene();
    await scene.start();
    const long = await scene.submit(...Array.from({ length: 8 }, (_, index) => ({ ms: 500 + index * 500 })));
    const short = await scene.submit(...Array.from({ length: 300 }, () => ({ ms: 20 })));
    // However long the server takes to start, no lease ends meanwhile.
    const worker = scene.worker('w', { concurrency: 12, prefetch: 4, lease: '60s' });
    await until('some jobs are done', () => count(worker, 'done') > 40);
    await scene.end(signal);
    await pause(awayMs);
    await scene.start();
    await until('every job is done', async () => (await completed(scene)) === 308);
    expect([count(worker, 'start'), count(worker, 'done')]).toEqual([308, 308]);
    for (const id of [...long, ...short.slice(0, 100)]) expect(await scene.history(id)).toMatchObject({ state: 'COMPLETED', attempt: 1, kinds: ONCE });
    worker.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(worker.said.filter((type) => type === 'server-unreachable')).toHaveLength(1);
  });

  test('one is killed, and its job goes to another after its lease', { timeout: 60_000 }, async () => {
    await using scene = await setScene();
    await scene.start();
    const [id = ''] = await scene.submit({ ms: 2_000 });
    const first = scene.worker('first');
    await until('it works', () => count(first, 'start') === 1);
    const second = scene.worker('second');
    first.kill('SIGKILL');
    await until('the other has done it', () => count(second, 'done') === 1);
    await until('the server knows', async () => (await completed(scene)) === 1);
    const [before, after] = [first.stamps()[0], second.stamps()[0]];
    expect(after).toMatchObject({ job: id, attempt: 2, fence: (before?.fence ?? 0) + 1 });
    expect(count(first, 'done')).toBe(0);
    expect((await scene.history(id)).kinds).toEqual(['SUBMITTED', 'CLAIMED', 'LEASE_EXPIRED', 'CLAIMED', 'COMPLETED']);
    const claims = (await scene.lq.job({ id }))?.attempts.nodes.map(({ startedAt }) => Date.parse(startedAt)) ?? [];
    expect(Math.abs((claims[0] ?? 0) - (claims[1] ?? 0))).toBeGreaterThanOrEqual(5_000);
  });

  test('one calculates for longer than its lease: what it finds in the end is not taken, and the second result stands', { timeout: 60_000 }, async () => {
    await using scene = await setScene();
    await scene.start();
    const [id = ''] = await scene.submit({ ms: 1_000, firstBlocksMs: 7_500 });
    const first = scene.worker('first', { maxJobs: 1 });
    await until('it works', () => count(first, 'start') === 1);
    const second = scene.worker('second');
    await until('the other has done it', () => count(second, 'done') === 1);
    // It ends by itself then: it was to do one job.
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(count(first, 'done')).toBe(1);
    for (const type of ['event-loop-blocked', 'lease-lost']) expect(first.said.filter((said) => said === type)).toHaveLength(1);
    await until('the server knows', async () => (await completed(scene)) === 1);
    expect(await scene.history(id)).toMatchObject({
      ...{ state: 'COMPLETED', attempt: 2, result: { fence: 2, pid: second.pid } },
      kinds: ['SUBMITTED', 'CLAIMED', 'LEASE_EXPIRED', 'CLAIMED', 'COMPLETED'],
    });
  });

  test('their server is not there yet: they say so once, and work as soon as it is', { timeout: 60_000 }, async () => {
    await using scene = await setScene();
    const worker = scene.worker('w');
    await worker.says('server-unreachable');
    await pause(2_000);
    expect(worker.said).toEqual(['working', 'server-unreachable']);
    await scene.start();
    const [id = ''] = await scene.submit({ ms: 0 });
    await worker.says('server-reachable');
    await until('the server knows', async () => (await completed(scene)) === 1);
    expect(await scene.history(id)).toMatchObject({ state: 'COMPLETED', attempt: 1 });
    worker.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(worker.said).toEqual(['working', 'server-unreachable', 'server-reachable', 'worker-stopping', 'worker-stopped']);
  });

  test('their server is not there and never comes: they end all the same when they are told to', { timeout: 60_000 }, async () => {
    await using scene = await setScene();
    const worker = scene.worker('w');
    await worker.says('server-unreachable');
    const toldMs = performance.now();
    worker.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - toldMs).toBeLessThan(5_000);
  });

  test('nobody reads what their program prints: they say nothing by themselves, and go on', { timeout: 60_000 }, async () => {
    await using scene = await setScene();
    await scene.start();
    const worker = scene.worker('w');
    await worker.says('working');
    worker.closeOutput();
    const ids = await scene.submit({ ms: 10 }, { ms: 10 }, { ms: 10 });
    await until('the server knows', async () => (await completed(scene)) === 3);
    for (const id of ids) expect(await scene.history(id)).toMatchObject({ attempt: 1, kinds: ONCE });
    worker.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
  });
});
