/** What operators did, and what is hidden from readers, as the settings show it. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unwrap } from '../../src/client/index.ts';
import { findings } from '../support/axe.ts';
import { type ConsoleStage, startConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

const ready = (page: Page): Promise<void> => page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();

test('what operators did is listed with who, to what and why, and can be looked through by action', async () => {
  const { visit, lq } = await stage.tenant();
  await lq.submitJob({ task: 'report.build', queue: 'reports' });
  const [job] = (await lq.jobs()).nodes;
  const reason = '<script>alert(1)</script>';
  unwrap(await lq.cancelJob({ id: job?.id ?? '', reason }));
  unwrap(await lq.pauseQueue({ name: 'reports', reason: 'vendor down' }));
  const { page, complaints } = await visit('settings/audit');
  await ready(page);
  const row = page.getByRole('row').filter({ hasText: 'cancelled a job' });
  await row.waitFor();
  expect(await row.textContent()).toContain(reason);
  expect(await row.getByRole('link').first().getAttribute('href')).toContain(`/jobs/${job?.id}`);
  await page.getByLabel('Action').selectOption('PAUSE_QUEUE');
  await eventually(() => row.count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('action')).toBe('pause_queue');
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'vendor down' }).getByRole('button').click();
  await page.getByRole('dialog').getByText('paused a queue').waitFor();
  expect([await findings(page), complaints]).toEqual([[], []]);
});

test('a long log is read in pages', async () => {
  const { visit, lq } = await stage.tenant();
  for (let number = 1; number <= 51; number += 1) unwrap(await lq.pauseQueue({ name: `q${number}` }));
  const { page } = await visit('settings/audit?action=pause_queue');
  await ready(page);
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('link', { name: 'q1', exact: true }).waitFor();
  await eventually(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('button', { name: 'First page' }).click();
  await page.getByRole('link', { name: 'q51' }).waitFor();
});

test('a rule is tried on a value before it is saved, and hides what it names from then on', async () => {
  const { visit, lq } = await stage.tenant();
  const { page } = await visit('settings/redaction');
  await ready(page);
  await page.getByText('Nothing is hidden.').waitFor();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Hides').fill('**.number');
  await page.getByLabel('Payload, result').fill('{ "card": { "number": 12345678901234567890, "month": 12345678901234567891 } }');
  await page.getByRole('button', { name: 'Show what' }).click();
  await eventually(() => page.locator('.json').textContent()).toMatch(/month: 12345678901234567891.*number: "\[redacted\]"/);
  expect(await lq.redactionRules()).toEqual({ rules: [], version: 0 });
  await page.getByRole('button', { name: 'Save the rules' }).click();
  await page.getByText('version 1').waitFor();
  expect(await lq.redactionRules()).toEqual({ rules: [{ task: '*', path: '**.number' }], version: 1 });
  await page.getByLabel('Payload, result').fill('{');
  await page.getByRole('button', { name: 'Show what' }).click();
  await page.getByText('It is no JSON').waitFor();
  await page.getByLabel('Hides').fill('a..b');
  await page.getByRole('button', { name: 'Save the rules' }).click();
  await page.getByText('It must name a key between its dots.').waitFor();
  expect(await findings(page)).toEqual([]);
});

test('rules that somebody else set meanwhile are not overwritten unseen', async () => {
  const { visit, lq } = await stage.tenant();
  const { page } = await visit('settings/redaction');
  await ready(page);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Hides').fill('mine');
  unwrap(await lq.setRedactionRules({ rules: [{ task: 'a.*', path: 'theirs' }], expectedVersion: 0 }));
  await page.getByRole('button', { name: 'Save the rules' }).click();
  await page.getByText('Somebody else set the rules meanwhile. Nothing was changed.').waitFor();
  expect(await page.locator('.notice').textContent()).toMatch(/Only in theirs: a\.\* → theirs.*Only in yours: \* → mine/);
  expect((await lq.redactionRules()).rules).toEqual([{ task: 'a.*', path: 'theirs' }]);
  await page.getByRole('button', { name: 'Save yours over theirs' }).click();
  await page.getByText('version 2').waitFor();
  expect((await lq.redactionRules()).rules).toEqual([{ task: '*', path: 'mine' }]);
});

test('whoever may only read sees the rules and may try them, and whoever sees a part of the queues does not see them', async () => {
  const { visit, lq } = await stage.tenant();
  unwrap(await lq.setRedactionRules({ rules: [{ task: '*', path: 'password' }] }));
  const { page } = await visit('settings/redaction', { scopes: ['READ'] });
  await page.getByRole('cell', { name: 'password' }).waitFor();
  expect(await page.getByRole('button', { name: /Add|Save|Remove/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show what' }).click();
  await eventually(() => page.locator('.json').textContent()).toContain('password: "[redacted]"');
  const other = await visit('settings', { scopes: ['READ'], queues: ['q'] });
  await ready(other.page);
  expect(await other.page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents()).toEqual(['Who am I', 'This browser']);
});
