/** The console's files over real sockets: which address answers what, in which form, and for how long it may be kept. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConsole } from '../../src/server/console-files.ts';
import { chooseEncoding } from '../../src/server/content-encoding.ts';
import { CONSOLE_POLICY, SECURITY_HEADERS } from '../../src/server/security-headers.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ASSETS, assetContent, PAGE } from '../support/built-files.ts';
import { temporaryFolder } from '../support/store.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ config: { environment: 'production', auth: 'required' } });
});
afterAll(() => server.app.stop());

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** As it comes over the wire; fetch would decode it. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Received> {
  const asking = request({ host: '127.0.0.1', port: server.app.port, path, method, headers }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

const script = ASSETS.find((name) => name.endsWith('.js')) ?? '';
const SCREENS = ['/', '/?x=1', '/console', '/console/', '/console/acme/jobs/123', '/console/acme/jobs?state=dead', '/console/assets/x.js'];

describe('the page', () => {
  test.each(SCREENS)('is at %s, without a key, in production', async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, headers['content-type'], body.toString()]).toEqual([200, 'text/html; charset=utf-8', PAGE]);
  });

  test('is asked for again each time, and not sent again where it is the same', async () => {
    const { headers } = await get('/');
    expect(headers['cache-control']).toBe('no-cache');
    const etag = String(headers['etag']);
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/console/acme', { 'if-none-match': known });
      expect([again.status, again.body.length, again.headers['etag'], again.headers['cache-control']]).toEqual([304, 0, etag, 'no-cache']);
    }
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('lets a browser load from and speak to this server only, and run nothing that is written into it', async () => {
    const { headers } = await get('/console/acme');
    expect(headers).toMatchObject({ ...SECURITY_HEADERS, 'cache-control': 'no-cache', 'content-security-policy': CONSOLE_POLICY });
    expect(CONSOLE_POLICY).not.toMatch(/unsafe|https?:|data:|blob:|\*/);
    expect(PAGE).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)|(?:src|href)="(?:https?:|\/\/|data:)/i);
  });
});

describe('an asset', () => {
  test.each(ASSETS)('%s comes as it was built and may be kept for ever', async (name) => {
    const { status, headers, body } = await get(`/assets/${name}`);
    expect([status, headers['cache-control'], body.equals(assetContent(name))]).toEqual([200, 'public, max-age=31536000, immutable', true]);
    expect(headers['content-type']).toMatch(/^(text\/(javascript|css)|image\/svg\+xml); charset=utf-8$|^(font\/woff2|image\/png)$/);
    expect(headers).toMatchObject({ ...SECURITY_HEADERS, 'cache-control': expect.anything() as unknown });
  });

  test.each(ASSETS)('%s is the same in every form', async (name) => {
    const content = assetContent(name);
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await get(`/assets/${name}`, { 'accept-encoding': encoding });
      if (headers['content-encoding'] === undefined) {
        expect([body.equals(content), content.length]).toEqual([true, expect.toSatisfy((length: number) => length < 1_024)]);
        continue;
      }
      expect([headers['content-encoding'], Number(headers['content-length']), decode(body).equals(content)]).toEqual([encoding, body.length, true]);
      expect(body.length).toBeLessThan(content.length);
    }
  });

  test.each(['/assets/', '/assets', '/assets/nope-12345678.js', `/assets/../${script}`, `/assets/${script}.br`, '/assets/__proto__', '/assets/index.html'])(
    '%s is none, and no page in its place',
    async (path) => {
      const { status, headers, body } = await get(path, { accept: 'text/html' });
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([404, 'application/json; charset=utf-8', 'no-store']);
      expect(JSON.parse(body.toString()).errors[0].extensions.code).toBe('NOT_FOUND');
    },
  );
});

describe.each(['/', '/console/acme', `/assets/${script}`])('%s', (path) => {
  test('has a tag of its own in each form, which caches keep apart', async () => {
    const forms = await Promise.all(['br', 'gzip', 'identity'].map((encoding) => get(path, { 'accept-encoding': encoding })));
    expect(new Set(forms.map(({ headers }) => headers['etag'])).size).toBe(3);
    expect(forms.map(({ headers }) => headers['vary'])).toEqual(['accept-encoding', 'accept-encoding', 'accept-encoding']);
    const [brotli, gzip] = forms;
    const known = { 'accept-encoding': 'br', 'if-none-match': String(brotli?.headers['etag']) };
    expect(await get(path, known)).toMatchObject({ status: 304, headers: { vary: 'accept-encoding', etag: brotli?.headers['etag'] } });
    expect((await get(path, { ...known, 'if-none-match': String(gzip?.headers['etag']) })).status).toBe(200);
  });

  test('answers HEAD with the same head, and no other method', async () => {
    for (const encoding of ['br', 'identity']) {
      const [whole, head] = [await get(path, { 'accept-encoding': encoding }), await get(path, { 'accept-encoding': encoding }, 'HEAD')];
      expect([head.status, head.body.length]).toEqual([200, 0]);
      const { date: _one, ...expected } = whole.headers;
      const { date: _other, ...found } = head.headers;
      expect(found).toEqual(expected);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await get(path, {}, method);
      expect([method, status, headers['allow']]).toEqual([method, 405, 'GET, HEAD']);
    }
  });
});

test.each([
  [undefined, null],
  ['', null],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br; q=0, gzip; q=0', null],
  ['gzip;q=0.5, identity', null],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['deflate', null],
  ['br;q=nonsense', null],
  ['br;q=7', null],
  [',,;;=', null],
])('whoever accepts %o gets %o', (header, expected) => {
  expect(chooseEncoding(header, () => true)).toBe(expected);
});

test('a form that there is not is not chosen', () => {
  expect(chooseEncoding('br, gzip', (encoding) => encoding === 'gzip')).toBe('gzip');
});

test('where nothing was built, every screen says so and what to do', async () => {
  using folder = temporaryFolder();
  const files = await loadConsole('', pathToFileURL(`${folder.path}/`));
  const page = files('/console/acme');
  expect([page?.status, page?.headers['cache-control'], files('/assets/x.js')]).toEqual([503, undefined, null]);
  expect(page?.content.toString()).toContain('npm run build:console');
});

test('a page that the base path cannot be written into is refused at the start', async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file('assets'));
  writeFileSync(folder.file('index.html'), '<!doctype html><title>x</title>');
  await expect(loadConsole('', pathToFileURL(`${folder.path}/`))).rejects.toThrow('no <base href="/">');
});

test('the log names no address of the console, which may tell of jobs and tenants', async () => {
  await get('/console/acme/jobs/secret-job');
  await get(`/assets/${script}`);
  const paths = server.logs.filter(({ message }) => message === 'request').map(({ path }) => path);
  expect(paths.slice(-2)).toEqual(['console', 'console']);
  expect(JSON.stringify(server.logs)).not.toContain('secret-job');
});
