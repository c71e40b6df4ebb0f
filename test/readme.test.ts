import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type ServerProcess } from './support/server-process.ts';
import { temporaryFolder } from './support/store.ts';

const root = new URL('../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');

interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The requests that the README shows as curl commands, in order. */
const requests: readonly Request[] = [...readme.matchAll(/^curl [^]*?^```/gm)].map(([command]) => ({
  url: /http:\S+/.exec(command)?.[0] ?? '',
  headers: Object.fromEntries([...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value])) as Record<string, string>,
  body: /-d '([^]*?)'/.exec(command)?.[1] ?? '',
}));

describe('the first screen of the README', () => {
  const folder = temporaryFolder();
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
  });
  afterAll(async () => {
    await server.end('SIGTERM');
    folder[Symbol.dispose]();
  });

  function send({ url, headers, body }: Request): Promise<Response> {
    return fetch(url.replace('http://127.0.0.1:8000', server.url), { method: 'POST', headers, body });
  }

  test('submits a job once, follows it live, and claims it, as written', async () => {
    const [submit, follow, claim] = requests;
    if (submit === undefined || follow === undefined || claim === undefined) throw new Error('three commands were expected');
    const stream = await send(follow);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');

    const first = (await (await send(submit)).json()) as { data: { submitJob: object } };
    expect(first.data.submitJob).toMatchObject({ __typename: 'SubmitJobSuccess', deduplicated: false, job: { state: 'QUEUED' } });
    expect(await (await send(submit)).json()).toMatchObject({ data: { submitJob: { deduplicated: true } } });
    expect(await (await send(claim)).json()).toMatchObject({ data: { claimJobs: { idle: null, leases: [{ job: { task: 'email.send' } }] } } });

    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('CLAIMED')) break;
    }
    expect(text).toContain('SUBMITTED');
    expect(text).toContain('"workerId":"worker-1"');
  });
});

test('every file that the documents link to is there', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/README.md',
    'docs/architecture.md',
    'docs/guarantees.md',
    'docs/operations.md',
    'docs/sdk.md',
  ];
  const missing = pages.flatMap((page) => {
    const text = readFileSync(new URL(page, root), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#]+)/g)].flatMap(([, link]) => (link === undefined || /^[a-z]+:/.test(link) ? [] : [link]));
    return links.filter((link) => !existsSync(fileURLToPath(new URL(link, new URL(page, root))))).map((link) => `${page}: ${link}`);
  });
  expect(missing).toEqual([]);
});
