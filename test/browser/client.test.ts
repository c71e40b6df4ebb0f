/** The client in a page of the server's own origin, signed in by the cookie. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as Client from '../../src/client/index.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { leasequeue } from '../support/command.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

/** What a page pays for the client at most. */
const GZIPPED_BYTES_MAX = 16_384;

interface Seen {
  readonly deduplicated: boolean;
  readonly kinds: readonly string[];
  readonly state: string | undefined;
  readonly tenant: string;
  readonly refused: string;
}

async function bundleClient(outDir: string): Promise<string> {
  const entry = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));
  await build({ configFile: false, logLevel: 'silent', build: { outDir, emptyOutDir: true, lib: { entry, formats: ['es'], fileName: 'client' } } });
  return readFileSync(`${outDir}/client.js`, 'utf8');
}

/** In the page. */
async function useClient({ client: { LeaseQueue, unwrap }, key }: { readonly client: typeof Client; readonly key: string }): Promise<Seen> {
  await fetch('/session', { method: 'POST', headers: { authorization: `Bearer ${key}`, 'x-leasequeue-csrf': '1' } });
  const lq = new LeaseQueue({ url: location.origin, headers: { 'x-leasequeue-csrf': '1' } });
  const events = lq.events({ after: await lq.latestEventCursor() });
  const submissions = Array.from({ length: 5 }, (_, number) => lq.submitJob({ queue: 'page', task: 'seen', payload: { number } }));
  const results = (await Promise.all(submissions)).map((result) => unwrap(result));
  const id = results[0]?.job.id ?? '';
  unwrap(await lq.cancelJob({ id }));
  const kinds: string[] = [];
  for await (const { kind } of events) if (kinds.push(kind) === 6) break;
  const { state } = (await lq.job({ id })) ?? {};
  const refused = await new LeaseQueue({ url: location.origin }).stats().then(
    () => 'nobody',
    (error: { readonly code: string }) => error.code,
  );
  return { deduplicated: results.some((each) => each.deduplicated), kinds, state, tenant: (await lq.viewer()).tenant.id, refused };
}

describe('in a browser', () => {
  const folder = temporaryFolder();
  const env = { LEASEQUEUE_DATABASE_PATH: folder.file('x.db') };
  let server: ServerProcess;
  let browser: Browser;
  let key: string;
  beforeAll(async () => {
    key = (await leasequeue(['keys', 'create', '--name', 'page', '--scopes', 'READ,SUBMIT,OPERATE,PAYLOADS'], { env })).stdout.trim();
    server = await startServer({ ...env, LEASEQUEUE_AUTH: 'required' });
    browser = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await server.end('SIGTERM');
    folder[Symbol.dispose]();
  });

  test('it signs in with the cookie, submits, follows events and reads, without a complaint', async () => {
    const code = await bundleClient(folder.file('bundle'));
    expect(code).not.toMatch(/\bfrom\s*["']|\brequire\(|getBuiltinModule\(["']node:(?:net|tls|https?)/);
    const { page, foreign, complaints } = await openPage(browser);
    await page.route('**/page/', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><link rel="icon" href="data:,">' }));
    await page.route('**/page/client.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
    await page.goto(`${server.url}/page/`);
    // As text: what this file imports, the tests' own loader would import.
    const client = await page.evaluateHandle<typeof Client>("import('/page/client.js')");
    expect(await page.evaluate(useClient, { client, key })).toEqual({
      deduplicated: false,
      kinds: ['SUBMITTED', 'SUBMITTED', 'SUBMITTED', 'SUBMITTED', 'SUBMITTED', 'CANCELLED'],
      state: 'CANCELLED',
      tenant: 'default',
      // Without the header a page of another site could have made the request.
      refused: 'FORBIDDEN',
    });
    expect(foreign).toEqual([]);
    expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
  }, 60_000);

  test('it costs a page few bytes', async () => {
    const code = await bundleClient(folder.file('bundle'));
    const bytes = gzipSync(code, { level: 9 }).length;
    process.stdout.write(`The client for a browser: ${code.length} bytes, ${bytes} gzipped.\n`);
    expect(bytes).toBeLessThan(GZIPPED_BYTES_MAX);
  }, 60_000);
});
