import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ask, startServer, type ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const SUBMIT = 'mutation($input: SubmitJobInput!) { submitJob(input: $input) { ... on SubmitJobSuccess { job { id } deduplicated } } }';
const CLAIM = 'mutation($input: ClaimJobsInput!) { claimJobs(input: $input) { leases { leaseToken job { id } } } }';
const COMPLETE = 'mutation($input: CompleteJobInput!) { completeJob(input: $input) { __typename ... on CompleteJobSuccess { job { id state } replayed } } }';
const JOB = 'query($id: ID!) { job(by: {id: $id}) { state fence attempt events(first: 100) { nodes { kind toState } } } }';

interface Job {
  readonly state: string;
  readonly fence: number;
  readonly attempt: number;
  readonly events: { readonly nodes: readonly { readonly kind: string; readonly toState: string }[] };
}

/** What the server has acknowledged: a job is never less far along than this. */
class Acknowledged {
  readonly submitted = new Map<string, string>();
  readonly completed = new Set<string>();
}

/** Submits, claims and completes until the server is gone. */
async function load(url: string, acknowledged: Acknowledged, name: string): Promise<void> {
  try {
    for (let number = 0; ; number++) {
      const key = `${name}-${number}`;
      const submitted = await ask(url, SUBMIT, { input: { task: 't', idempotencyKey: key } });
      const { job } = submitted.data?.['submitJob'] as { job: { id: string } };
      acknowledged.submitted.set(job.id, key);
      const claimed = await ask(url, CLAIM, { input: { workerId: name, leaseSeconds: 60 } });
      const { leases } = claimed.data?.['claimJobs'] as { leases: readonly { leaseToken: string; job: { id: string } }[] };
      for (const lease of leases) {
        const done = await ask(url, COMPLETE, { input: { jobId: lease.job.id, leaseToken: lease.leaseToken } });
        if (done.data?.['completeJob']?.['__typename'] === 'CompleteJobSuccess') acknowledged.completed.add(lease.job.id);
      }
    }
  } catch {
    // The server was killed: whatever it had not answered is unknown, and nothing is expected of it.
  }
}

async function jobOf({ url }: ServerProcess, id: string): Promise<Job | null> {
  const { data } = await ask(url, JOB, { id });
  return (data?.['job'] ?? null) as Job | null;
}

describe('kill -9 under load', () => {
  test('every acknowledged change is there after the restart, ten times in a row', async () => {
    using folder = temporaryFolder();
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db'), LEASEQUEUE_LOG_LEVEL: 'info' };
    const acknowledged = new Acknowledged();
    let kills = 0;
    for (let round = 0; round < 10; round++) {
      const server = await startServer(settings);
      const running = Array.from({ length: 6 }, (_, worker) => load(server.url, acknowledged, `r${round}w${worker}`));
      const target = acknowledged.completed.size + 20 + round * 7;
      while (acknowledged.completed.size < target) await new Promise((resolve) => setImmediate(resolve));
      expect(await server.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
      kills += 1;
      await Promise.all(running);
    }
    expect(kills).toBe(10);

    const server = await startServer(settings);
    expect(acknowledged.submitted.size).toBeGreaterThan(200);
    for (const [id, key] of acknowledged.submitted) {
      const job = await jobOf(server, id);
      expect(job, `acknowledged job ${key}`).not.toBeNull();
      expect(job?.events.nodes.at(-1)?.toState).toBe(job?.state);
      if (acknowledged.completed.has(id)) expect(job?.state).toBe('COMPLETED');
    }
    const [[, key] = ['', '']] = acknowledged.submitted;
    const repeated = await ask(server.url, SUBMIT, { input: { task: 't', idempotencyKey: key } });
    expect(repeated.data?.['submitJob']).toMatchObject({ deduplicated: true });
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  }, 120_000);

  test('right after each kind of answer the change is there (B61)', async () => {
    using folder = temporaryFolder();
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db') };
    /** Asks once and kills the server as soon as the answer is there. */
    const askAndKill = async (query: string, variables: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const server = await startServer(settings);
      const { data } = await ask(server.url, query, variables);
      await server.end('SIGKILL');
      return Object.values(data ?? {})[0] ?? {};
    };
    const submit = async (queue: string): Promise<string> => {
      const { job } = (await askAndKill(SUBMIT, { input: { task: 't', queue, maxAttempts: 1 } })) as { job: { id: string } };
      return job.id;
    };
    const [a, b, c, d] = [await submit('a'), await submit('b'), await submit('c'), await submit('d')];

    await askAndKill('mutation($id: ID!) { cancelJob(input: {id: $id}) { __typename } }', { id: b });
    const claim = async (queue: string): Promise<string> => {
      const { leases } = (await askAndKill(CLAIM, { input: { workerId: 'w', queues: [queue] } })) as { leases: [{ leaseToken: string }] };
      return leases[0].leaseToken;
    };
    await askAndKill(COMPLETE, { input: { jobId: c, leaseToken: await claim('c') } });
    await askAndKill('mutation($input: FailJobInput!) { failJob(input: $input) { __typename } }', {
      input: { jobId: d, leaseToken: await claim('d'), error: { message: 'no' } },
    });
    await askAndKill('mutation($id: ID!) { redriveJob(input: {id: $id}) { __typename } }', { id: d });
    const e = await submit('e');
    await askAndKill('mutation($id: ID!) { cancelJob(input: {id: $id}) { __typename } }', { id: e });
    await askAndKill('mutation($id: ID!) { purgeJobs(input: {target: {ids: [$id]}}) { changed } }', { id: e });

    const server = await startServer(settings);
    const states = await Promise.all([a, b, c, d, e].map(async (id) => (await jobOf(server, id))?.state ?? null));
    expect(states).toEqual(['QUEUED', 'CANCELLED', 'COMPLETED', 'QUEUED', null]);
    expect((await jobOf(server, d))?.events.nodes.at(-1)?.kind).toBe('REDRIVEN');
    await server.end('SIGTERM');
  }, 60_000);
});

describe('a disk that takes no more', () => {
  test('stops the server with 74 as soon as a write fails, having told nobody of work that is not there', async () => {
    using folder = temporaryFolder();
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db') };
    const server = await startServer(settings, { fileKibibytesMax: 1_500 });
    const payload = { text: 'x'.repeat(60_000) };
    const acknowledged: string[] = [];
    const refusals: unknown[] = [];
    while (refusals.length === 0) {
      const answer = await ask(server.url, SUBMIT, { input: { task: 't', payload } });
      const job = answer.data?.['submitJob']?.['job'] as { id: string } | undefined;
      if (job === undefined) refusals.push(answer.errors);
      else acknowledged.push(job.id);
    }
    expect(refusals).toMatchObject([[{ extensions: { code: 'SERVICE_UNAVAILABLE', outcomeUnknown: true } }]]);
    expect(await server.ended).toEqual({ code: 74, signal: null });

    const again = await startServer(settings);
    expect(acknowledged.length).toBeGreaterThan(3);
    for (const id of acknowledged) expect(await jobOf(again, id)).toMatchObject({ state: 'QUEUED' });
    await again.end('SIGTERM');
  }, 40_000);

  test('stops it as well where only the copy of the log into the database file fails', async () => {
    using folder = temporaryFolder();
    const settings = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db') };
    const server = await startServer(settings, { fileKibibytesMax: 50_000 });
    const payload = { text: 'x'.repeat(60_000) };
    const acknowledged: string[] = [];
    const submitOnAndOn = async (): Promise<void> => {
      for (;;) {
        const answer = await ask(server.url, SUBMIT, { input: { task: 't', payload } }).catch(() => null);
        const job = answer?.data?.['submitJob']?.['job'] as { id: string } | undefined;
        if (job === undefined) return;
        acknowledged.push(job.id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, submitOnAndOn));
    expect(await server.ended).toEqual({ code: 74, signal: null });
    expect(server.lines.join('\n')).toMatch(/the database failed/);
    expect(statSync(folder.file('x.db-wal')).size).toBeLessThan(49_000 * 1024);

    const again = await startServer(settings);
    for (const id of acknowledged.slice(-50)) expect(await jobOf(again, id)).toMatchObject({ state: 'QUEUED' });
    await again.end('SIGTERM');
  }, 60_000);
});
