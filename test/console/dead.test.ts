/** Dead letters: grouped by what went wrong, redriven one first and then the rest. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unwrap } from '../../src/client/index.ts';
import { type ConsoleStage, startConsole } from '../support/console.ts';
import { claimed, dead } from '../support/console-jobs.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

test('a group is redriven: first a canary, which is followed until it is done, then the rest', async () => {
  const { visit, lq } = await stage.tenant();
  for (const number of [11, 222, 3_333]) await dead(lq, { type: 'SmtpError', message: `421 too many connections (${number})` });
  await dead(lq, { type: 'Other', message: 'something else' });
  const { page, complaints } = await visit('dead-letters');
  const group = page.getByRole('row', { name: /SmtpError/ });
  await group.waitFor();
  expect(await group.textContent()).toMatch(/SmtpError 421 too many connections.*3/);
  await group.getByRole('link').first().click();
  await page.getByRole('button', { name: 'Redrive one first' }).click();
  const canary = page.getByRole('status').filter({ hasText: 'canary' });
  await canary.getByText('queued').waitFor();
  const { job, leaseToken } = await claimed(lq, 'mail');
  await canary.getByText('running').waitFor();
  unwrap(await lq.completeJob({ jobId: job.id, leaseToken }));
  await canary.getByText('completed').waitFor();
  await page.getByRole('button', { name: 'Redrive 2…' }).click();
  await page.getByRole('button', { name: 'Redrive 2 jobs' }).click();
  await page.getByText('Redriven 2 jobs.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByText(/The group is empty now/).waitFor();
  expect((await lq.stats()).counts).toMatchObject({ queued: 2, dead: 1, completed: 1 });
  expect(complaints).toEqual([]);
});

test('nothing is discarded before the number was typed', async () => {
  const { visit, lq } = await stage.tenant();
  for (let job = 0; job < 2; job++) await dead(lq, { message: 'gone wrong' });
  const { page } = await visit('dead-letters');
  await page.getByRole('link', { name: 'gone wrong' }).click();
  await page.getByRole('button', { name: 'Discard 2…' }).click();
  const discard = page.getByRole('button', { name: 'Discard 2 jobs' });
  expect(await discard.isDisabled()).toBe(true);
  await page.getByLabel(/Type 2/).fill('2');
  await discard.click();
  await page.getByText('Purged 2 jobs.').waitFor();
  expect((await lq.stats()).counts.dead).toBe(0);
});

test('an error full of markup is shown as the text that it is, also from right to left and without an end', async () => {
  const { visit, lq } = await stage.tenant();
  const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  await dead(lq, { type: '<b>Bold</b>', message: markup }, { task: 'one' });
  await dead(lq, { type: 'خطأ', message: 'تعذر الاتصال بالخادم '.repeat(100) }, { task: 'two' });
  const { page, complaints } = await visit('dead-letters', { width: 320 });
  await page.getByText(markup).waitFor();
  expect(await page.locator('main img, main script, main b').count()).toBe(0);
  expect(await page.title()).toContain('Dead letters');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(complaints).toEqual([]);
});

test('a key that may only read sees the groups and no button that would change them', async () => {
  const { visit, lq } = await stage.tenant();
  await dead(lq, { message: 'no' });
  const { page } = await visit('dead-letters', { scopes: ['READ'] });
  await page.getByRole('link', { name: 'no', exact: true }).click();
  await page.getByRole('heading', { name: 'Its jobs' }).waitFor();
  expect(await page.getByRole('button', { name: /Redrive|Discard/ }).count()).toBe(0);
  await page.getByText('read only').waitFor();
});
