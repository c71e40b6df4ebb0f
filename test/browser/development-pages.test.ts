import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { leasequeue } from '../support/command.ts';
import { ask, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/store.ts';

const SUBSCRIPTION = 'subscription { jobEvents { ... on JobEventBatch { events { kind task toState } caughtUp } } }';

describe('in a browser', () => {
  const folder = temporaryFolder();
  let server: ServerProcess;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServer({ LEASEQUEUE_DATABASE_PATH: folder.file('x.db') });
    browser = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await server.end('SIGTERM');
    folder[Symbol.dispose]();
  });

  test('GraphiQL follows events live, without another origin', async () => {
    const { page, foreign, complaints } = await openPage(browser);
    await page.goto(`${server.url}/graphql?query=${encodeURIComponent(SUBSCRIPTION)}`);
    await page.locator('button.graphiql-execute-button').click();
    await page.locator('.result-window', { hasText: 'caughtUp' }).waitFor();
    await ask(server.url, 'mutation { submitJob(input: {task: "seen.live"}) { __typename } }');
    await page.locator('.result-window', { hasText: 'seen.live' }).waitFor();
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  }, 60_000);

  test('GraphiQL signs with the key of its headers pane, queries and subscriptions alike', async () => {
    const env = { LEASEQUEUE_DATABASE_PATH: folder.file('keys.db') };
    const { stdout } = await leasequeue(['keys', 'create', '--name', 'seen', '--scopes', 'READ'], { env });
    const own = await startServer({ ...env, LEASEQUEUE_AUTH: 'required' });
    onTestFinished(() => void own.kill('SIGKILL'));
    const { page, foreign } = await openPage(browser);
    const result = (hasText: string) => page.locator('.result-window', { hasText }).waitFor();
    const open = (query: string) => page.goto(`${own.url}/graphql?query=${encodeURIComponent(query)}`);
    const sign = async () => {
      await page.getByRole('button', { name: 'Headers' }).click();
      await page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden)').click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(JSON.stringify({ authorization: `Bearer ${stdout.trim()}` }));
      // What the editor added by itself, to close what it took for open.
      await page.keyboard.press('ControlOrMeta+Shift+End');
      await page.keyboard.press('Delete');
    };
    const run = () => page.locator('button.graphiql-execute-button').click();

    await open('{ viewer { apiKey { name } } }');
    await run();
    await result('UNAUTHENTICATED');
    await sign();
    await run();
    await result('"seen"');

    await open(SUBSCRIPTION);
    await sign();
    await run();
    await result('caughtUp');
    expect(foreign).toEqual([]);
  }, 120_000);
});
