/** What the examples of the help find: a server with some jobs in it, and a folder with the files that they name. Whoever owns a command adds what its examples want. */
import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseKey } from '../../src/auth/api-key.ts';
import { leasequeue } from './command.ts';
import { ask, startServer } from './server-process.ts';

export interface ExampleServer {
  readonly env: Readonly<Record<string, string>>;
  /** Makes what one example may use up, and the files in its folder. Answers with its environment. */
  prepare(folder: string): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

const QUEUE = 'examples';

async function submit(url: string, change: object = {}): Promise<string> {
  const job = { queue: QUEUE, task: 'mail.send', payload: { to: 'ada@example.com' }, ...change };
  const { data } = await ask(url, 'mutation ($job: SubmitJobInput!) { submitJob(input: $job) { ... on SubmitJobSuccess { job { id } } } }', { job });
  return (data?.['submitJob']?.['job'] as { readonly id: string }).id;
}

/** A job whose one attempt failed. In a queue of its own, so that the claim meets it. */
async function deadJob(url: string): Promise<string> {
  const id = await submit(url, { queue: 'failing', maxAttempts: 1 });
  const claim = 'mutation { claimJobs(input: { queues: ["failing"], workerId: "examples", max: 100 }) { leases { job { id } leaseToken } } }';
  const { data } = await ask(url, claim);
  const leases = data?.['claimJobs']?.['leases'] as readonly { readonly job: { readonly id: string }; readonly leaseToken: string }[];
  const fail = 'mutation ($input: FailJobInput!) { failJob(input: $input) { __typename } }';
  // Those that another example has redriven die again.
  for (const { job, leaseToken } of leases) {
    await ask(url, fail, { input: { jobId: job.id, leaseToken, error: { type: 'Refused', message: 'the mail server refused it' } } });
  }
  return id;
}

/** A key with every scope, and two contexts, made once: each example gets a copy of the folder. */
async function makeSettings(env: Readonly<Record<string, string>>, url: string): Promise<string> {
  const made = await leasequeue(['keys', 'create', '--name', 'example', '--all-scopes'], { env });
  for (const name of ['prod', 'staging']) await leasequeue(['context', 'set', name, '--url', url], { env });
  await leasequeue(['context', 'use', 'prod'], { env });
  return made.stdout.trim();
}

/** What examples name: queues, a key of idempotency, a tenant. */
async function makeNamed(url: string): Promise<void> {
  await submit(url, { idempotencyKey: 'example-1' });
  await ask(url, 'mutation { pauseQueue(input: { name: "reports" }) { __typename } createTenant(input: { id: "t2", name: "T2" }) { __typename } }');
}

export async function createExampleServer(databasePath: string): Promise<ExampleServer> {
  const server = await startServer({ LEASEQUEUE_DATABASE_PATH: databasePath, LEASEQUEUE_AUTH: 'none' });
  const backup = `${databasePath}.backup`;
  await leasequeue(['db', 'backup', backup], { env: { LEASEQUEUE_DATABASE_PATH: databasePath } });
  const home = `${databasePath}.home`;
  const base = { LEASEQUEUE_URL: server.url, LEASEQUEUE_DATABASE_PATH: databasePath };
  const key = await makeSettings({ ...base, XDG_CONFIG_HOME: home }, server.url);
  await makeNamed(server.url);
  return {
    env: { ...base, ID: 'x', DEAD: 'x', KEY_ID: '7hQ2mW9xTfR4sKcB' },
    async prepare(folder) {
      const env = { ...base, XDG_CONFIG_HOME: join(folder, 'home') };
      cpSync(home, env.XDG_CONFIG_HOME, { recursive: true });
      for (const name of ['prod.key', 'staging.key']) writeFileSync(join(folder, name), `${key}\n`, { mode: 0o600 });
      copyFileSync(backup, join(folder, 'backup.db'));
      writeFileSync(join(folder, 'jobs.jsonl'), '{"task": "mail.send", "queue": "examples", "payload": {"to": "ada@example.com"}}\n');
      return { ...env, ID: await submit(server.url), DEAD: await deadJob(server.url), KEY_ID: parseKey(key)?.id ?? '' };
    },
    async close() {
      await server.end('SIGTERM');
    },
  };
}
