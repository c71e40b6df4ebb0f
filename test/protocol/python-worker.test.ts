import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leasequeue } from '../support/command.ts';
import { openEventStream } from '../support/event-stream.ts';
import { ask, startServer, type ServerProcess, type Settings } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';
import { codeOf } from './page.ts';
import { type PythonWorker, startPython, WORKER_FILE } from './python-worker.ts';
import { needTools } from './tools.ts';

const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
const folder = temporaryFolder();
const handlers = folder.file('handlers.py');
beforeAll(() => {
  needTools('python3');
  writeFileSync(handlers, codeOf(page, 'python'));
});
afterAll(() => folder[Symbol.dispose]());

/** A tenth of a second each, in the handler that the page shows. */
const PAGES_OF_A_MINUTE = 600;
const PAGES_LONGER_THAN_THE_LEASE = 55;

const SUBMIT = 'mutation($input: SubmitJobInput!) { submitJob(input: $input) { ... on SubmitJobSuccess { job { id } } } }';
const EVENTS = `subscription($id: ID!, $after: EventCursor) { jobEvents(after: $after, filter: {jobIds: [$id]}) {
  ... on JobEventBatch { events { kind } } } }`;
const JOB = `query($id: ID!) { job(by: {id: $id}) { state attempt result progress { percent } lastError { type message }
  attempts { nodes { startedAt finishedAt } } } }`;

interface Job {
  readonly state: string;
  readonly progress: { readonly percent: number };
  readonly attempts: { readonly nodes: readonly { readonly startedAt: string; readonly finishedAt: string }[] };
}

/** A server on a file of its own, ended with the test. */
async function openServer(name: string, settings: Settings = {}): Promise<ServerProcess & AsyncDisposable> {
  const server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file(`${name}.db`), ...settings });
  return Object.assign(server, { [Symbol.asyncDispose]: async () => void (await server.end('SIGKILL')) });
}

function work({ url }: ServerProcess, ...words: readonly string[]): PythonWorker {
  return startPython(handlers, ['--queues', 'email', 'reports', ...words], { LEASEQUEUE_URL: url });
}

async function submit({ url }: ServerProcess, task: string, payload: object): Promise<string> {
  const queue = task === 'email.send' ? 'email' : 'reports';
  const { data } = await ask(url, SUBMIT, { input: { queue, task, payload } });
  return (data?.['submitJob']?.['job'] as { id: string }).id;
}

/** Follows a job, from its submission on, until this has happened so many times; answers with everything that has. */
async function until(url: string, after: string, id: string, last: string, times = 1): Promise<readonly string[]> {
  const stream = await openEventStream(url, EVENTS, { id, after });
  const kinds: string[] = [];
  while (kinds.filter((kind) => kind === last).length < times) {
    const message = (await stream.next()) as { data: { jobEvents: { events: readonly { kind: string }[] } } } | null;
    if (message === null) throw new Error(`the events ended before ${last}: ${kinds.join()}`);
    kinds.push(...message.data.jobEvents.events.map(({ kind }) => kind));
  }
  stream.abort();
  return kinds;
}

async function beginning({ url }: ServerProcess): Promise<string> {
  return (await ask(url, '{ latestEventCursor }')).data?.['latestEventCursor'] as unknown as string;
}

async function jobOf({ url }: ServerProcess, id: string): Promise<Job> {
  return (await ask(url, JOB, { id })).data?.['job'] as unknown as Job;
}

describe.concurrent('the worker in Python', { timeout: 60_000 }, () => {
  test('does jobs, fails one for good, gives a cancelled one up, and is drained with its lease kept alive', async () => {
    await using server = await openServer('drained');
    const start = await beginning(server);
    const good = await submit(server, 'email.send', { to: 'ann@example.com' });
    const bad = await submit(server, 'email.send', { to: 'nowhere' });
    const unwanted = await submit(server, 'report.build', { pages: PAGES_OF_A_MINUTE });
    const long = await submit(server, 'report.build', { pages: PAGES_LONGER_THAN_THE_LEASE });
    await using worker = work(server, '--lease', '5', '--concurrency', '3');

    expect(await until(server.url, start, good, 'COMPLETED')).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
    expect(await until(server.url, start, bad, 'DEAD_LETTERED')).toEqual(['SUBMITTED', 'CLAIMED', 'DEAD_LETTERED']);
    expect(await jobOf(server, good)).toMatchObject({ state: 'COMPLETED', result: { sentTo: 'ann@example.com' } });
    expect(await jobOf(server, bad)).toMatchObject({ state: 'DEAD', attempt: 1, lastError: { type: 'Failed', message: 'There is no such address.' } });

    await until(server.url, start, long, 'CLAIMED');
    await until(server.url, start, unwanted, 'CLAIMED');
    await ask(server.url, 'mutation($id: ID!) { cancelJob(input: {id: $id}) { __typename } }', { id: unwanted });
    worker.kill('SIGTERM');
    await worker.said(/^stopping/);
    const late = await submit(server, 'email.send', { to: 'late@example.com' });
    expect(await until(server.url, start, unwanted, 'CANCELLED')).not.toContain('LEASE_EXPIRED');
    expect(await worker.ended).toEqual({ code: 0, signal: null });

    expect(await until(server.url, start, long, 'COMPLETED')).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
    const done = await jobOf(server, long);
    expect(done).toMatchObject({ state: 'COMPLETED', attempt: 1, result: { pages: PAGES_LONGER_THAN_THE_LEASE } });
    expect(done.progress.percent).toBeGreaterThan(0);
    const [attempt] = done.attempts.nodes;
    expect(Date.parse(attempt?.finishedAt ?? '') - Date.parse(attempt?.startedAt ?? '')).toBeGreaterThan(5_000);
    expect(await jobOf(server, late)).toMatchObject({ state: 'QUEUED', attempt: 0 });
  });

  test('goes on after the server was killed, and completes what it had in hand', async () => {
    await using first = await openServer('killed');
    const start = await beginning(first);
    const inHand = await submit(first, 'report.build', { pages: 15 });
    await using worker = work(first, '--lease', '30', '--concurrency', '1');
    await until(first.url, start, inHand, 'CLAIMED');
    await first.end('SIGKILL');
    // The handler goes on without the server, and only its report finds nobody there.
    await worker.said(/^trying again/);
    await using second = await openServer('killed', { LEASEQUEUE_PORT: new URL(first.url).port });
    const after = await submit(second, 'email.send', { to: 'ann@example.com' });

    expect(await until(second.url, start, inHand, 'COMPLETED')).toEqual(['SUBMITTED', 'CLAIMED', 'COMPLETED']);
    await until(second.url, start, after, 'COMPLETED');
    expect(await jobOf(second, inHand)).toMatchObject({ state: 'COMPLETED', attempt: 1, result: { pages: 15 } });
    worker.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
  });

  test('stops the work by its own clock while the server is silent, and hands back what it holds on a second signal', async () => {
    await using server = await openServer('silent');
    const start = await beginning(server);
    const id = await submit(server, 'report.build', { pages: PAGES_OF_A_MINUTE });
    await using worker = work(server, '--lease', '5', '--concurrency', '1');
    await until(server.url, start, id, 'CLAIMED');
    server.kill('SIGSTOP');
    await worker.said(/lease lost, nothing is reported/);
    server.kill('SIGCONT');
    await until(server.url, start, id, 'CLAIMED', 2);

    worker.kill('SIGTERM');
    await worker.said(/^stopping/);
    worker.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    const kinds = await until(server.url, start, id, 'RELEASED');
    expect(kinds).toEqual(['SUBMITTED', 'CLAIMED', 'LEASE_EXPIRED', 'CLAIMED', 'RELEASED']);
  });

  test('signs with its key, and ends at once, with the reason, where it is refused', async () => {
    const database = { LEASEQUEUE_DATABASE_PATH: folder.file('signed.db') };
    const made = await leasequeue(['keys', 'create', '--name', 'worker', '--all-scopes'], { env: database });
    await using server = await openServer('signed', { LEASEQUEUE_AUTH: 'required' });
    const key = made.stdout.trim();
    await using stranger = startPython(WORKER_FILE, ['--queues', 'email'], { LEASEQUEUE_URL: server.url });
    expect(await stranger.ended).toEqual({ code: 1, signal: null });
    await stranger.said(/^The server refused: /);

    await using worker = startPython(WORKER_FILE, ['--queues', 'email'], { LEASEQUEUE_URL: `${server.url}/`, LEASEQUEUE_API_KEY: key });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const input = { queue: 'email', task: 'email.send', payload: { to: 'ann@example.com' } };
    await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: SUBMIT, variables: { input } }) });
    await worker.said(/^email\.send .* CompleteJobSuccess$/);
    worker.kill('SIGINT');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect([...worker.lines, ...stranger.lines].join('\n')).not.toContain(key);
  });
});
