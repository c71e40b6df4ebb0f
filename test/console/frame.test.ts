/** What surrounds every screen: keys, palette, help, addresses, and a server that does not answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCREEN_NAMES, SCREENS } from '../../src/console/route/screens.ts';
import { findings } from '../support/axe.ts';
import { type ConsoleStage, startConsole } from '../support/console.ts';
import { submitted } from '../support/console-jobs.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

test('every screen is reached by its keys, and none of them fires while somebody is typing', { timeout: 40_000 }, async () => {
  const { visit } = await stage.tenant();
  const { page, complaints } = await visit('overview');
  await page.locator('.foot').waitFor();
  for (const name of SCREEN_NAMES) {
    const { key, path } = SCREENS[name];
    await page.locator('h1').first().click();
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`/${path}$`));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  }
  await page.goBack();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const typed = page.getByRole('textbox').first();
  await typed.focus();
  const before = page.url();
  await page.keyboard.type('gq?');
  expect(page.url()).toBe(before);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('the help lists the keys, stays until it is closed, and gives the focus back', async () => {
  const { visit } = await stage.tenant();
  const { page } = await visit('queues');
  await page.locator('.foot').waitFor();
  const opener = page.getByRole('button', { name: 'Keys' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const help = page.getByRole('dialog', { name: 'Keys' });
  await help.getByText('Go to Overview').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => help.count()).toBe(0);
  expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('anything is done by typing its name, without the mouse', async () => {
  const { visit, lq } = await stage.tenant();
  const id = await submitted(lq);
  const { page } = await visit('overview');
  await page.locator('.foot').waitFor();
  const choose = async (words: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'What to do' }).waitFor();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
  };
  await choose('theme: dark');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await choose(id);
  await expect.poll(() => page.url()).toContain(`/jobs/${id}`);
  await choose('state:dead');
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('state:dead');
});

test('a link of another tenant says whose data is shown instead', async () => {
  const { visit, key } = await stage.tenant();
  const other = await stage.tenant();
  const { page } = await other.visit('queues', { key: await key() });
  await page.getByText('This address is about another tenant.').waitFor();
  await page.getByRole('link', { name: 'Go to your own overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(await page.getByText('This address is about another tenant.').count()).toBe(0);
  expect(await (await visit('queues')).page.getByText('another tenant').count()).toBe(0);
});

test('a server that does not answer is said to be away, and tried again when somebody asks', async () => {
  const { visit } = await stage.tenant();
  const { page } = await visit('overview');
  let isAway = true;
  await page.route('**/graphql', (route) => (isAway ? route.abort() : route.continue()));
  await page.reload();
  await page.getByText('Reaching the server failed.').waitFor();
  expect(await findings(page)).toEqual([]);
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});
