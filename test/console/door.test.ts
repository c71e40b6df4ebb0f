/** The console's door: who comes in, with what, and what they are told who do not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from '../support/axe.ts';
import { type ConsoleStage, startConsole } from '../support/console.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

test('a key that is typed in opens the console, and is nowhere that a script could read it', async () => {
  const { visit, key, tenant } = await stage.tenant();
  const secret = await key();
  const { page, complaints, foreign } = await visit('jobs', { key: null });
  await page.getByLabel('API key').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  await expect.poll(() => page.locator('.foot').textContent()).toContain('live');
  expect(page.url()).toContain(`/console/${tenant}/jobs`);
  const readable = await page.evaluate(
    () => `${document.cookie} ${JSON.stringify(localStorage)} ${JSON.stringify(sessionStorage)} ${document.documentElement.outerHTML}`,
  );
  expect(readable).not.toContain(secret);
  expect([complaints.filter((text) => !text.includes('401')), foreign]).toEqual([[], []]);
});

test('a key that is not taken is refused with the reason, and the field keeps what was typed', async () => {
  const { visit } = await stage.tenant();
  const { page } = await visit('jobs', { key: null });
  await page.getByLabel('API key').fill('lq_nonsense');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.fault').waitFor();
  expect(await page.locator('.fault').textContent()).toMatch(/key/i);
  expect(await page.getByLabel('API key').inputValue()).toBe('lq_nonsense');
});

test.each(['light', 'dark'] as const)('the door, in the %s theme, is open to people who see or type otherwise', async (theme) => {
  const { visit } = await stage.tenant();
  const { page } = await visit('jobs', { key: null, theme });
  await page.getByLabel('API key').waitFor();
  expect(await findings(page)).toEqual([]);
});
