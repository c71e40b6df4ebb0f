/** The worker that a person plays by hand. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unwrap } from '../../src/client/index.ts';
import { type ConsoleStage, startConsole, type TenantStage } from '../support/console.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

async function submit({ lq }: TenantStage): Promise<string> {
  return unwrap(await lq.submitJob({ queue: 'mail', task: 'mail.send', payload: { to: 'ada' }, retryBaseSeconds: 60 })).job.id;
}

async function claim(page: Page, leaseSeconds = 60): Promise<void> {
  await page.getByRole('textbox', { name: 'Queues' }).fill('mail');
  await page.getByRole('textbox', { name: 'Lease length in seconds' }).fill(String(leaseSeconds));
  await page.getByRole('button', { name: 'Claim one job' }).click();
  await page.getByRole('button', { name: 'Complete' }).waitFor();
}

test('a job is claimed, kept by a heartbeat that says how far it is, and completed with a result; its token is nowhere', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  const { page, complaints } = await tenant.visit('play');
  expect(await page.getByRole('textbox', { name: 'Worker' }).inputValue()).toMatch(/^console-\w+$/);
  const claimed = page.waitForResponse((answer) => answer.request().postData()?.includes('claimJobs') === true);
  await claim(page);
  const [, token = 'no token came'] = /"leaseToken":"([^"]+)"/.exec(await (await claimed).text()) ?? [];
  expect(token).not.toBe('no token came');
  await page.getByText('"ada"').waitFor();
  await page.getByRole('textbox', { name: 'Progress in percent' }).fill('50');
  await page.getByRole('textbox', { name: 'Note' }).fill('half of it');
  await page.getByRole('button', { name: 'Send a heartbeat' }).click();
  await page.getByText('1 heartbeat', { exact: true }).waitFor();
  expect(await tenant.lq.job({ id })).toMatchObject({ state: 'RUNNING', progress: { percent: 50, note: 'half of it' } });
  const seen = await page.evaluate(
    () => `${location.href} ${JSON.stringify(localStorage)} ${JSON.stringify(sessionStorage)} ${document.documentElement.outerHTML}`,
  );
  expect(seen).not.toContain(token);
  await page.getByRole('textbox', { name: 'Result' }).fill('{"sent": true}');
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.getByText('The job is completed').waitFor();
  expect(await tenant.lq.job({ id })).toMatchObject({ state: 'COMPLETED', result: { sent: true } });
  expect(complaints).toEqual([]);
});

test('a job fails with a type, a message and the way in which it is tried again', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  const { page } = await tenant.visit('play');
  await claim(page);
  await page.getByRole('textbox', { name: 'Error type' }).fill('SmtpError');
  await page.getByRole('textbox', { name: 'Message' }).fill('421 too many connections');
  await page.getByLabel('Try again').selectOption('after');
  await page.getByRole('textbox', { name: 'Seconds' }).fill('0');
  await page.getByRole('button', { name: 'Fail' }).click();
  await page.getByText('the job waits for its retry').waitFor();
  expect(await tenant.lq.job({ id })).toMatchObject({ state: 'RETRY', lastError: { type: 'SmtpError', message: '421 too many connections' } });
  await claim(page);
  await page.getByLabel('Try again').selectOption('never');
  await page.getByRole('button', { name: 'Fail' }).click();
  await page.getByText('the job is a dead letter').waitFor();
});

test('a lease that was taken away is told in words, and so is a cancel that was asked for', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  const { page } = await tenant.visit('play');
  await claim(page);
  unwrap(await tenant.lq.cancelJob({ id, reason: 'the vendor is down' }));
  await page.getByRole('button', { name: 'Send a heartbeat' }).click();
  await page.getByText('Cancel was asked for.').waitFor();
  await page.getByText('the vendor is down').waitFor();
  unwrap(await tenant.lq.cancelJob({ id, force: true }));
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.getByText('The lease is lost').waitFor();
  await page.getByText('An operator cancelled the job with force').waitFor();
  expect(await tenant.lq.job({ id })).toMatchObject({ state: 'CANCELLED' });
});

test('a lease that runs out is over on the screen, and what is answered then is refused', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  const { page } = await tenant.visit('play');
  await claim(page, 5);
  await page.getByText('The lease is over.').waitFor({ timeout: 8_000 });
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.getByText('The lease ran out before the answer came.').waitFor();
  await expect.poll(async () => (await tenant.lq.job({ id }))?.state).toBe('RETRY');
});

test('waiting for a job ends with the job, or when the person has had enough', async () => {
  const tenant = await stage.tenant();
  const { page } = await tenant.visit('play');
  await page.getByRole('textbox', { name: 'Queues' }).fill('mail');
  await page.getByRole('button', { name: 'Claim one job' }).click();
  await page.getByText('No job of these queues is due.').waitFor();
  await page.getByRole('button', { name: /Wait for one/ }).click();
  await page.getByRole('button', { name: 'Stop waiting' }).click();
  await page.getByText('You stopped waiting.').waitFor();
  await page.getByRole('button', { name: /Wait for one/ }).click();
  await page.getByRole('button', { name: 'Stop waiting' }).waitFor();
  await submit(tenant);
  await page.getByRole('button', { name: 'Complete' }).waitFor();
});

test('the browser asks before it closes the page with a job in hand, and leaving the screen hands it back', async () => {
  const tenant = await stage.tenant();
  const id = await submit(tenant);
  const { page } = await tenant.visit('play');
  await claim(page);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByRole('link', { name: 'Queues', exact: true }).click();
  await page.getByText('the job that it held is handed back').waitFor();
  expect(await tenant.lq.job({ id })).toMatchObject({ state: 'QUEUED', attempt: 0 });
});
