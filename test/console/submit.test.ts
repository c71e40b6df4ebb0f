/** The form that submits a job by hand. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LeaseQueue, unwrap } from '../../src/client/index.ts';
import { parseJson } from '../../src/domain/json.ts';
import { type ConsoleStage, startConsole } from '../support/console.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

const LONG = '98765432109876543210';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const send = (page: Page): Promise<void> => page.getByRole('button', { name: 'Submit the job' }).click();

async function storedId(page: Page): Promise<string> {
  const link = page.locator('.submit-outcome').getByRole('link', { name: /^Job / });
  return ((await link.getAttribute('aria-label')) ?? '').replace('Job ', '');
}

test('a job with every field is stored as it was written, and its repeat under the same key finds it', async () => {
  const tenant = await stage.tenant();
  await tenant.lq.configureQueue({ name: 'billing' });
  const { page, complaints } = await tenant.visit('submit');
  await field(page, 'Task').fill('invoice.send');
  await page.getByRole('combobox', { name: 'Queue' }).fill('billing');
  expect(await page.locator('datalist option').getAttribute('value')).toBe('billing');
  await field(page, 'Payload').fill(`{"big":${LONG}}`);
  await page.getByRole('button', { name: 'Format' }).click();
  expect(await field(page, 'Payload').inputValue()).toBe(`{\n  "big": ${LONG}\n}`);
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel('Start').selectOption('after');
  await field(page, 'After').fill('2h');
  await field(page, 'Priority').fill('9');
  await field(page, 'Attempts').fill('7');
  await field(page, 'Retry after').fill('30');
  await field(page, 'Retry at most after').fill('600');
  await field(page, 'Concurrency key').fill('customer 42');
  await field(page, 'Tags').fill('team=sales\nplan=a=b');
  await field(page, 'Idempotency key').fill('invoice-42');
  await send(page);
  await page.getByText('The job is stored.').waitFor();
  const id = await storedId(page);
  const exact = new LeaseQueue({ url: stage.server.url, apiKey: await tenant.key(), parseJson });
  const job = await exact.job({ id });
  expect(JSON.stringify(job?.payload)).toBe(`{"big":${LONG}}`);
  expect(job).toMatchObject({ queueName: 'billing', task: 'invoice.send', priority: 9, maxAttempts: 7, retryBaseSeconds: 30, retryMaxSeconds: 600 });
  expect(job).toMatchObject({
    concurrencyKey: 'customer 42',
    tags: [
      { key: 'team', value: 'sales' },
      { key: 'plan', value: 'a=b' },
    ],
    state: 'QUEUED',
  });
  expect(Date.parse(job?.runAt ?? '') - Date.parse(job?.createdAt ?? '')).toBe(7_200_000);

  await send(page);
  await page.getByText('Nothing new was stored.').waitFor();
  expect(await storedId(page)).toBe(id);
  await field(page, 'Priority').fill('8');
  await send(page);
  await page.getByText('belongs to a job that was submitted with another request').waitFor();
  await page.getByText('Its request was another one in: priority.').waitFor();
  expect(await field(page, 'Priority').inputValue()).toBe('8');
  expect(complaints).toEqual([]);
});

test('wrong input is said at its field before and after the server has seen it, and nothing that was typed is lost', async () => {
  const tenant = await stage.tenant();
  const { page } = await tenant.visit('submit');
  await field(page, 'Payload').fill('{"a": ');
  await field(page, 'Task').fill('no spaces, please');
  await send(page);
  await page.getByText('This is not JSON').waitFor();
  await page.getByText('begins with a letter or digit').waitFor();
  await field(page, 'Task').fill('t');
  await field(page, 'Payload').fill(`{"deep":${'['.repeat(32)}${']'.repeat(32)}}`);
  await page.getByText('is nested deeper than 32 levels').waitFor();
  await field(page, 'Payload').fill(JSON.stringify({ long: 'x'.repeat(65_536) }));
  await page.getByText('64 KiB at most').waitFor();
  await field(page, 'Payload').fill('{}');
  await page.getByText('More', { exact: true }).click();
  // Only the server knows that the longest wait must not be below the first.
  await field(page, 'Retry after').fill('100');
  await field(page, 'Retry at most after').fill('10');
  await send(page);
  await page.locator('.fault').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('Nothing was changed.');
  expect((await tenant.lq.jobs()).nodes).toEqual([]);
});

test('a full quota is said at the field, and the same form goes through when there is room', async () => {
  const tenant = await stage.tenant();
  unwrap(await tenant.lq.updateTenant({ id: tenant.tenant, quotas: { maxWaitingJobs: 0 } }));
  const { page } = await tenant.visit('submit');
  await field(page, 'Task').fill('t');
  await send(page);
  await page.locator('.fault').getByText('quota').waitFor();
  unwrap(await tenant.lq.updateTenant({ id: tenant.tenant, quotas: { maxWaitingJobs: 1 } }));
  await send(page);
  await page.getByText('The job is stored.').waitFor();
});

test('another job like one that is there begins with its fields, the payload only for a key that may see it', async () => {
  const tenant = await stage.tenant();
  const { job } = unwrap(
    await tenant.lq.submitJob({ queue: 'mail', task: 'mail.send', payload: { to: 'ada' }, priority: 5, tags: [{ key: 'team', value: 'a' }] }),
  );
  const { page } = await tenant.visit(`jobs/${job.id}`);
  await page.getByRole('link', { name: 'Submit another like it' }).click();
  await expect.poll(() => field(page, 'Task').inputValue()).toBe('mail.send');
  expect(await page.getByRole('combobox', { name: 'Queue' }).inputValue()).toBe('mail');
  expect(await field(page, 'Payload').inputValue()).toBe('{\n  "to": "ada"\n}');
  expect(await field(page, 'Tags').inputValue()).toBe('team=a');
  await send(page);
  await page.getByText('The job is stored.').waitFor();
  expect(await storedId(page)).not.toBe(job.id);

  const { page: other } = await tenant.visit(`submit?like=${job.id}`, { scopes: ['READ', 'SUBMIT'] });
  await other.getByText('Its payload is kept from your key').waitFor();
  expect(await field(other, 'Payload').inputValue()).toBe('{}');
});
