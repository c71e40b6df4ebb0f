/** The console's page in a real browser, of a production server: it loads, speaks to its server only, and breaks no policy. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { createTestKey, type TestKey } from '../support/keys.ts';
import { startPrefixProxy } from '../support/prefix-proxy.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);
afterAll(() => browser.close());

const NOTE_VIOLATIONS = `
  globalThis.violations = [];
  addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective + ' ' + event.blockedURI));
`;

interface Visit {
  readonly page: Page;
  readonly foreign: readonly string[];
  /** Requests to addresses outside the base path. */
  readonly outside: readonly string[];
  readonly complaints: readonly string[];
  violations(): Promise<readonly string[]>;
}

async function visit(url: string, path: string): Promise<Visit> {
  const { page, foreign, complaints } = await openPage(browser);
  onTestFinished(() => page.context().close());
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) outside.push(request.url());
  });
  await page.addInitScript(NOTE_VIOLATIONS);
  await page.goto(url + path);
  await page.locator('#console > *').first().waitFor();
  return { page, foreign, outside, complaints, violations: () => page.evaluate<readonly string[]>('violations') };
}

const ofPolicy = (complaints: readonly string[]): readonly string[] => complaints.filter((text) => /policy|trusted|refused to/i.test(text));

/** Runs in the page, as the console does it: addresses are relative to the page's base. */
const signIn = (key: TestKey): string => `fetch(new URL('session', document.baseURI), {
  method: 'POST', headers: { authorization: 'Bearer ${key.text}', 'x-leasequeue-csrf': '1' },
}).then(({ status }) => status)`;
const VIEWER = `fetch(new URL('graphql', document.baseURI), {
  method: 'POST', headers: { 'content-type': 'application/json', 'x-leasequeue-csrf': '1' }, body: '{"query":"{ viewer { apiKey { id } } }"}',
}).then((response) => response.json())`;
const OPEN_SOCKET = `new Promise((resolve, reject) => {
  const socket = new WebSocket(new URL('graphql', document.baseURI).href.replace('http', 'ws'), 'graphql-transport-ws');
  socket.onopen = () => socket.send('{"type":"connection_init"}');
  socket.onmessage = ({ data }) => { socket.close(); resolve(JSON.parse(data).type); };
  socket.onclose = ({ code, reason }) => resolve(code + ' ' + reason);
})`;

async function startClosed(basePath: string): Promise<{ readonly server: TestApp; readonly key: TestKey }> {
  const server = await startApp({ config: { basePath, auth: 'required', environment: 'production' } });
  onTestFinished(() => server.app.stop());
  return { server, key: await createTestKey(server.store) };
}

describe.each([
  ['at the root', '', null],
  ['below a path that a proxy takes away', '/queue', true],
  ['below a path that a proxy leaves', '/tools/queue', false],
])('%s', (_where, basePath, strips) => {
  async function start(): Promise<{ readonly url: string; readonly key: TestKey }> {
    const { server, key } = await startClosed(basePath);
    if (strips === null) return { url: server.url, key };
    const proxy = await startPrefixProxy({ target: server.url, prefix: basePath, strips });
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    return { url: proxy.url, key };
  }

  test.each(['/', '/console/acme/jobs/123'])('%s shows the console, and asks for nothing elsewhere', async (path) => {
    const { url } = await start();
    const { foreign, outside, complaints, violations } = await visit(url, path);
    expect({ foreign, outside, complaints: ofPolicy(complaints), violations: await violations() }).toEqual({
      foreign: [],
      outside: [],
      complaints: [],
      violations: [],
    });
  });

  test('a key signs in by a cookie that no script sees, for requests and sockets', async () => {
    const { url, key } = await start();
    const { page, complaints, violations } = await visit(url, '/');
    expect(await page.evaluate(OPEN_SOCKET)).toMatch(/^44\d\d /);
    expect(await page.evaluate(signIn(key))).toBe(204);
    expect(await page.evaluate(VIEWER)).toMatchObject({ data: { viewer: { apiKey: { id: key.id } } } });
    expect(await page.evaluate(OPEN_SOCKET)).toBe('connection_ack');
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.context().cookies()).toMatchObject([{ path: basePath || '/', httpOnly: true, sameSite: 'Strict' }]);
    expect([await violations(), ofPolicy(complaints)]).toEqual([[], []]);
  });
});

test('what the policy forbids is stopped, and noticed here', async () => {
  const { server } = await startClosed('');
  const { page, violations } = await visit(server.url, '/');
  await page.evaluate(`fetch('http://127.0.0.1:1/').catch(() => {})`);
  await page.evaluate(`document.body.append(Object.assign(document.createElement('img'), { src: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' }))`);
  await page.evaluate(`try { document.body.innerHTML = '<b>x</b>' } catch {}`);
  await page.evaluate(`document.body.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }))`);
  await expect.poll(violations).toEqual(expect.arrayContaining([expect.stringMatching(/^connect-src/), expect.stringMatching(/^img-src data/)]));
  expect(await violations()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^require-trusted-types-for/), expect.stringMatching(/^style-src-elem inline/)]),
  );
});
