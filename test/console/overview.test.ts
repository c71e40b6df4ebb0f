/** The overview: is anything wrong, and where. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unwrap } from '../../src/client/index.ts';
import { typed } from '../support/command.ts';
import { type ConsoleStage, startConsole } from '../support/console.ts';
import { dead, submitted } from '../support/console-jobs.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

test('a tenant without a job is given commands that work, and its first queue appears by itself', async () => {
  const { visit, key } = await stage.tenant();
  const { page, complaints, foreign } = await visit('overview');
  await page.getByRole('heading', { name: /No job yet/ }).waitFor();
  const [submit = '', work = '', follow = ''] = await page.locator('.command code').allTextContents();
  const shell = { env: { LEASEQUEUE_API_KEY: await key() } };
  expect(await typed(submit, shell)).toMatchObject({ code: 0 });
  await page.getByRole('row', { name: /hello/ }).waitFor();
  expect(await typed(work.replace(' -- ', ' --max-jobs 1 -- '), shell)).toMatchObject({ code: 0 });
  expect(await typed(follow.replace('--follow', '--last 3'), shell)).toMatchObject({ code: 0, stdout: expect.stringMatching(/COMPLETED/) as unknown });
  expect([complaints, foreign]).toEqual([[], []]);
});

test('what is wrong is named first, in words that lead to the queue', async () => {
  const { visit, lq } = await stage.tenant();
  await submitted(lq, { queue: 'calm' });
  await dead(lq, { type: 'SmtpError', message: 'no' });
  unwrap(await lq.pauseQueue({ name: 'reports', reason: 'vendor down' }));
  const { page } = await visit('overview');
  const needs = page.locator('.needs li');
  await expect.poll(() => needs.allTextContents()).toEqual([expect.stringMatching(/mail.*1 new dead letter/), expect.stringMatching(/reports.*vendor down/)]);
  expect(await page.getByRole('row').nth(1).textContent()).toContain('mail');
  await needs.first().getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: /mail/ }).waitFor();
  expect(page.url()).toContain('/queues/mail');
});

test('rows keep their place until the person asks for another order', async () => {
  const { visit, lq } = await stage.tenant();
  await dead(lq, { message: 'no' }, { queue: 'first' });
  await submitted(lq, { queue: 'second' });
  const { page } = await visit('overview');
  const names = (): Promise<readonly string[]> => page.locator('tbody tr .queue-name').allTextContents();
  await expect.poll(names).toEqual(['first', 'second']);
  for (let job = 0; job < 3; job++) await dead(lq, { message: 'no' }, { queue: 'second' });
  const apply = page.getByRole('button', { name: /would move/ });
  await apply.waitFor();
  expect(await names()).toEqual(['first', 'second']);
  await apply.click();
  await expect.poll(names).toEqual(['second', 'first']);
});

test('the rates are a chart also in a browser whose word for its language is none', async () => {
  const { visit, lq } = await stage.tenant();
  await submitted(lq);
  const { page, go } = await visit('queues');
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' }));
  await go('overview');
  await page.locator('.chart canvas').waitFor();
});

test('the rates are a chart with a table that has the same figures, and the period is in the address', async () => {
  const { visit, lq } = await stage.tenant();
  await submitted(lq);
  const { page, complaints } = await visit('overview');
  await page.locator('.chart canvas').waitFor();
  await page.getByRole('button', { name: 'As a table' }).click();
  expect(await page.getByRole('columnheader', { name: 'submitted' }).count()).toBe(1);
  await page.getByLabel('Period').selectOption('WEEK');
  await expect.poll(() => page.url()).toContain('period=WEEK');
  expect(complaints).toEqual([]);
});
