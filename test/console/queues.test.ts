/** Queues: found among thousands, paused with a reason, changed without overwriting somebody. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unwrap } from '../../src/client/index.ts';
import { type ConsoleStage, startConsole } from '../support/console.ts';
import { submitted } from '../support/console-jobs.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

test('a queue is paused with a reason that whoever looks at it reads at once, and resumed', async () => {
  const { visit, lq } = await stage.tenant();
  await submitted(lq);
  const { page } = await visit('queues/mail');
  const other = await visit('queues/mail', { scopes: ['READ'] });
  await page.getByRole('button', { name: 'Pause…' }).click();
  const pause = page.getByRole('dialog').getByRole('button', { name: 'Pause' });
  expect(await pause.isDisabled()).toBe(true);
  await page.getByLabel(/Reason/).fill('vendor down');
  await pause.click();
  await other.page.getByText(/paused.*vendor down/).waitFor();
  expect(await lq.queue('mail')).toMatchObject({ paused: true, pauseReason: 'vendor down' });
  await page.getByRole('button', { name: 'Resume…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await expect.poll(async () => (await lq.queue('mail'))?.paused).toBe(false);
  await expect.poll(() => other.page.getByText(/vendor down/).count()).toBe(0);
});

test('a setting that somebody else changed meanwhile is not overwritten', async () => {
  const { visit, lq } = await stage.tenant();
  await submitted(lq);
  const { page } = await visit('queues/mail');
  await page.getByRole('button', { name: "Change the queue's defaults" }).click();
  await page.getByLabel('Attempts', { exact: true }).fill('7');
  await page.getByLabel('Dead letters', { exact: true }).fill('30d');
  unwrap(await lq.configureQueue({ name: 'mail', defaults: { maxAttempts: 9 } }));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/Somebody changed this queue/).waitFor();
  expect(await page.getByLabel('Attempts', { exact: true }).inputValue()).toBe('7');
  expect((await lq.queue('mail'))?.defaults.maxAttempts).toBe(9);
  await page.getByRole('button', { name: 'Take over their changes' }).click();
  await expect.poll(() => page.getByText(/Somebody changed this queue/).count()).toBe(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await lq.queue('mail'))?.defaults.maxAttempts).toBe(7);
  expect((await lq.queue('mail'))?.retention.deadSeconds).toBe(30 * 86_400);
});

test('one of ten thousand queues is found by the beginning of its name', { timeout: 60_000 }, async () => {
  const { visit, lq, tenant } = await stage.tenant();
  unwrap(await lq.updateTenant({ id: tenant, quotas: { maxQueues: 10_000 } }));
  for (let start = 0; start < 10_000; start += 500)
    await lq.submitJobs({
      jobs: Array.from({ length: 500 }, (_, index) => ({ queue: `q-${String(start + index).padStart(5, '0')}`, task: 't', payload: {} })),
    });
  const { page, complaints } = await visit('queues');
  await page.locator('tbody tr').nth(50).waitFor();
  await page.getByLabel('Name begins with').fill('q-0999');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('tbody tr .queue-name').allTextContents()).toEqual(Array.from({ length: 10 }, (_, digit) => `q-0999${digit}`));
  expect(complaints).toEqual([]);
});

test('a queue that is not there says so, and how it comes into being', async () => {
  const { visit } = await stage.tenant();
  const { page } = await visit('queues/nowhere');
  await page.getByText(/Nothing is known of a queue/).waitFor();
});
