/** The page of one job: what happened to it, what happens while somebody looks, and what can be done about it. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LeaseQueue, type SubmitJobInput, unwrap } from '../../src/client/index.ts';
import { parseJson } from '../../src/domain/json.ts';
import { type ConsoleStage, startConsole, type TenantStage } from '../support/console.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

const LONG = '123456789012345678901234567890';

async function submit({ lq }: TenantStage, input: Partial<SubmitJobInput> = {}): Promise<string> {
  return unwrap(await lq.submitJob({ queue: 'q', task: 'report.build', ...input })).job.id;
}

/** Waits for a job of the queue, as a worker does. */
async function claim({ lq }: TenantStage, leaseSeconds = 60, workerId = 'worker-07') {
  const { leases } = await lq.claimJobs({ queues: ['q'], workerId, leaseSeconds, waitSeconds: 10 });
  const [lease] = leases;
  if (lease === undefined) throw new Error('no job came');
  return { jobId: lease.job.id, leaseToken: lease.leaseToken };
}

async function die(tenant: TenantStage, input: Partial<SubmitJobInput>, message = 'broken'): Promise<string> {
  const id = await submit(tenant, { maxAttempts: 1, ...input });
  unwrap(await tenant.lq.failJob({ ...(await claim(tenant)), error: { type: 'Broken', message } }));
  return id;
}

const timeline = (page: Page) => page.getByRole('list', { name: 'What happened, oldest first' });
const standing = (page: Page) => page.locator('.job-standing');

test('an open page follows a job through claim, heartbeat, failure, retry and completion without being loaded anew', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant, { retryBaseSeconds: 1 });
  const { page, complaints, foreign } = await tenant.visit(`jobs/${id}`);
  await standing(page).getByText('queued').waitFor();
  await page.getByText('the next worker that asks').waitFor();

  const first = await claim(tenant);
  await standing(page).getByText('running').waitFor();
  const lease = page
    .getByRole('region')
    .or(page.locator('.panel'))
    .filter({ has: page.getByRole('heading', { name: 'Lease' }) });
  await lease.getByText('worker-07').waitFor();
  expect(await lease.locator('.countdown-words').textContent()).toMatch(/^(1m|5\ds)/);
  unwrap(await tenant.lq.heartbeat({ ...first, progress: { percent: 42, note: 'page 12 of 30' } }));
  await expect.poll(() => lease.textContent(), { timeout: 8_000 }).toMatch(/1 time.*42 %.*page 12 of 30/);

  unwrap(await tenant.lq.failJob({ ...first, error: { type: 'UpstreamError', message: '503 from vendor' } }));
  await standing(page).getByText('retry').waitFor();
  await timeline(page).getByText('503 from vendor').waitFor();
  unwrap(await tenant.lq.completeJob({ ...(await claim(tenant)), result: { pages: 30 } }));
  await standing(page).getByText('completed').waitFor();
  await page.getByText('pages').waitFor();
  const lines = timeline(page).getByRole('listitem').locator('.timeline-what');
  await expect.poll(() => lines.allTextContents()).toEqual(['submitted', 'attempt 1', 'waits for its retry', 'attempt 2', 'completed']);
  expect(await standing(page).textContent()).toContain('attempt 2 of 3');
  expect([complaints, foreign]).toEqual([[], []]);
});

/** Keeps what the countdown of a lease says from now on, for as long as there is one. */
async function watchCountdown(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const said = new Set<string>();
    Reflect.set(window, 'said', said);
    new MutationObserver(() => said.add(document.querySelector('.countdown-words')?.textContent ?? '')).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  return () => page.evaluate(() => [...(Reflect.get(window, 'said') as Set<string>)]);
}

test('a lease that nobody keeps runs out before the eyes of whoever looks', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  const { page } = await tenant.visit(`jobs/${id}`);
  await standing(page).getByText('queued').waitFor();
  const said = await watchCountdown(page);
  await claim(tenant, 5);
  await standing(page).getByText('retry').waitFor({ timeout: 12_000 });
  await timeline(page).getByText('the lease ran out: due again at once').waitFor();
  await timeline(page).locator('.attempt-outcome').getByText('lease ran out').waitFor();
  expect((await said()).join(' ')).toMatch(/\b[45]s .*\b(1s|over)/);
});

test('a redrive with another payload keeps the digits of numbers that no double holds', async () => {
  const tenant = await stage.tenant();
  const id = await die(tenant, { payload: parseJson(`{"id":${LONG},"step":1}`) as Record<string, unknown> });
  const { page } = await tenant.visit(`jobs/${id}`);
  await page.locator('.json').getByText(LONG).waitFor();
  await page.locator('body').press('r');
  const dialog = page.getByRole('dialog', { name: 'Redrive the job' });
  await dialog.getByLabel('Change the payload').check();
  const field = dialog.getByRole('textbox', { name: 'Payload' });
  expect(await field.inputValue()).toContain(LONG);
  await field.fill('[1]');
  expect(await dialog.getByText('It must be a JSON object').count()).toBe(1);
  expect(await dialog.getByRole('button', { name: 'Redrive the job' }).isDisabled()).toBe(true);
  await field.fill(`{"id": ${LONG}, "step": 2}`);
  await dialog.getByLabel('Attempts').fill('5');
  await dialog.getByRole('button', { name: 'Redrive the job' }).click();
  await standing(page).getByText('queued').waitFor();
  await standing(page).getByText('attempt 0 of 5').waitFor();
  await timeline(page).getByText('redriven').waitFor();
  const exact = new LeaseQueue({ url: stage.server.url, apiKey: await tenant.key(), parseJson });
  expect(JSON.stringify((await exact.job({ id }))?.payload)).toBe(`{"id":${LONG},"step":2}`);
});

test('cancel with force takes the lease away, and its reason stays in the timeline', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  const lease = await claim(tenant);
  const { page } = await tenant.visit(`jobs/${id}`);
  await standing(page).getByText('running').waitFor();
  await page.locator('body').press('c');
  const dialog = page.getByRole('dialog', { name: 'Cancel the job' });
  await dialog.getByLabel('Reason').fill('the vendor is down');
  await dialog.getByLabel(/force/).check();
  await dialog.getByRole('button', { name: 'Cancel the job' }).click();
  await standing(page).getByText('cancelled').waitFor();
  await timeline(page).getByText('the vendor is down').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  expect(await tenant.lq.completeJob(lease)).toMatchObject({ __typename: 'LeaseLost', reason: 'REVOKED' });
});

test('a job that is purged while its page is open stays to be read, and is said to be gone', async () => {
  const tenant = await stage.tenant();
  const id = await die(tenant, { payload: { customer: 'ada' } });
  const { page, complaints } = await tenant.visit(`jobs/${id}`);
  await page.getByText('"ada"').waitFor();
  await page.getByRole('button', { name: 'Purge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove 1 job' }).click();
  await page.getByText('This job is gone.').waitFor();
  await page.getByText('It was removed at').waitFor();
  expect(await page.getByText('"ada"').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Redrive' }).count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'There is no such job.' }).waitFor();
  await page.getByText('retention removes jobs').waitFor();
  expect(complaints).toEqual([]);
});

test('whatever a job contains is shown as text, and breaks no layout', async () => {
  const tenant = await stage.tenant();
  const markup = '<img src=x onerror="document.title=1">';
  const id = await submit(tenant, {
    payload: { note: '</script><script>alert(1)</script>', name: 'مرحبا بالعالم' },
    maxAttempts: 1,
    tags: [{ key: 'שלום', value: markup }],
  });
  const lease = await claim(tenant, 60, 'javascript:alert(1)');
  unwrap(await tenant.lq.failJob({ ...lease, error: { type: markup, message: `${markup} ${'x'.repeat(3_000)}`, details: { markup } } }));
  const { page, complaints } = await tenant.visit(`jobs/${id}`, { width: 320 });
  await timeline(page).locator('.error-type').getByText(markup).waitFor();
  await page.getByText('</script><script>alert(1)</script>').waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  await timeline(page).getByRole('button', { name: 'Details' }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await page.title()).toMatch(/^report\.build …/);
  expect(complaints).toEqual([]);
});

test('a payload of 64 KiB opens at once, can be copied whole, and is hidden from a key without PAYLOADS', async () => {
  const tenant = await stage.tenant();
  const words = Array.from({ length: 6_000 }, (_, index) => `w${index}`);
  const id = await submit(tenant, { payload: { words } });
  const { page } = await tenant.visit(`jobs/${id}`);
  await page.getByText('"w0"').waitFor();
  expect(await page.locator('.json-text').count()).toBeLessThan(200);
  await page.getByRole('button', { name: 'Payload as raw JSON' }).click();
  await page.getByRole('group', { name: 'Payload as JSON' }).getByText('"w5999"').waitFor();
  expect(page.url()).toContain('json=raw');

  const { page: hidden } = await tenant.visit(`jobs/${id}`, { scopes: ['READ'] });
  await hidden.getByText('Payload and result are kept from your key').waitFor();
  expect(await hidden.locator('main').textContent()).not.toContain('w0');
  expect(await hidden.getByRole('button', { name: /Cancel|Redrive|Reschedule|Purge/ }).count()).toBe(0);
});

test('a reschedule says when the job is due, and the table of events can be copied', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  const { page } = await tenant.visit(`jobs/${id}?tab=events`);
  await page.getByRole('button', { name: 'Reschedule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Start').selectOption('after');
  await dialog.getByLabel('After', { exact: true }).fill('10m');
  await dialog.getByLabel('Priority').fill('7');
  await dialog.getByRole('button', { name: 'Reschedule the job' }).click();
  await page.getByRole('cell', { name: 'RESCHEDULED' }).waitFor();
  await page.getByText(/due in (10m|9m)/).waitFor();
  expect(await tenant.lq.job({ id })).toMatchObject({ priority: 7, state: 'QUEUED' });
  await page.getByRole('button', { name: 'Timeline' }).click();
  await timeline(page).getByText('priority 7').waitFor();
});

test('a job with more events than one page shows them all, page by page', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  for (let priority = 1; priority <= 100; priority++) unwrap(await tenant.lq.rescheduleJob({ id, priority: priority % 50 }));
  const { page } = await tenant.visit(`jobs/${id}`);
  await page.getByRole('button', { name: 'Show the next 100 events' }).waitFor();
  expect(await timeline(page).locator('.timeline-what').count()).toBe(100);
  await claim(tenant);
  await timeline(page).getByText('attempt 1', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show the next 100 events' }).click();
  await expect.poll(() => timeline(page).locator('.timeline-what').count()).toBe(102);
  expect(await page.getByRole('button', { name: 'Show the next 100 events' }).count()).toBe(0);
});
