/** The settings: who is signed in, keys and tenants, and what a browser keeps for its person. */
import { type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LeaseQueue, unwrap } from '../../src/client/index.ts';
import { findings } from '../support/axe.ts';
import { type ConsoleStage, startConsole, type Visit, type VisitOptions } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

async function settings(visit: (path: string, options?: VisitOptions) => Promise<Visit>, tab: string, options?: VisitOptions): Promise<Visit> {
  const visited = await visit(`settings/${tab}`, options);
  await visited.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  return visited;
}

const tabs = (page: Page): Promise<readonly string[]> => page.getByRole('navigation', { name: 'Settings' }).getByRole('link').allTextContents();
const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name });

async function makeKey(page: Page, name: string): Promise<string> {
  await button(page, 'Make a key').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await button(page, 'Make the key').click();
  await page.getByText('Copy it now: it is shown this once.').waitFor();
  return page.getByRole('group', { name: 'the new key' }).innerText();
}

test('a key is shown once and works until it is revoked, which shows whoever used it the door, with the reason', async () => {
  const { visit, tenant } = await stage.tenant();
  const { page, complaints } = await settings(visit, 'keys');
  const name = '<img src=x onerror=alert(1)> של';
  const secret = await makeKey(page, name);
  expect(await findings(page)).toEqual([]);
  await button(page, 'I have it').click();
  await page.getByRole('row').filter({ hasText: name }).waitFor();
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(secret);

  const other = await visit('live', { key: secret });
  await eventually(() => other.page.locator('.foot').textContent()).toContain('live');
  expect(await new LeaseQueue({ url: stage.server.url, apiKey: secret }).viewer()).toMatchObject({
    tenant: { id: tenant },
    apiKey: { name, scopes: ['READ'] },
  });

  await button(page, `Revoke ${name}…`).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.textContent()).not.toContain('signed in with');
  await dialog.getByRole('button', { name: `Revoke ${name}` }).click();
  await other.page.getByLabel('API key').waitFor({ timeout: 5_000 });
  expect(await other.page.locator('.notice').textContent()).toContain('The API key was revoked.');
  await page.getByText('1 revoked key').click();
  await page.getByRole('region', { name: 'Revoked keys' }).getByText(name).waitFor();
  expect(complaints).toEqual([]);
});

test('whoever revokes the key at hand is warned before, and told after', async () => {
  const { visit } = await stage.tenant();
  const { page } = await settings(visit, 'keys');
  await button(page, /^Revoke operator 1/).click();
  await page.getByText('This is the key that you are signed in with.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke operator 1' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.locator('.notice').textContent()).toContain('Your sign-in has ended');
});

test('a name that is taken and a quota that is full are said at the field, which keeps its text', async () => {
  const { visit, lq, tenant } = await stage.tenant();
  const { page } = await settings(visit, 'keys');
  await button(page, 'Make a key').click();
  await page.getByLabel('Name', { exact: true }).fill('operator 1');
  await button(page, 'Make the key').click();
  await page.getByText('Another key has this name.').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('operator 1');
  unwrap(await lq.updateTenant({ id: tenant, quotas: { maxApiKeys: 1 } }));
  await page.getByLabel('Name', { exact: true }).fill('operator 2');
  await button(page, 'Make the key').click();
  await page.getByText('The tenant has as many keys as it may have, 1.').waitFor();
  await page.getByRole('textbox', { name: 'Queues' }).fill('not a queue!');
  await button(page, 'Make the key').click();
  await page.locator('.field', { hasText: 'Queues' }).locator('.fault').waitFor();
});

test('a key that expires while somebody looks leads to the door, with the reason', async () => {
  const { visit, lq } = await stage.tenant();
  const expiresAt = new Date(Date.parse((await lq.viewer()).serverTime) + 4_000).toISOString();
  const { secret } = unwrap(await lq.createApiKey({ name: 'short', scopes: ['READ'], expiresAt }));
  const { page } = await settings(visit, 'me', { key: secret });
  await page.getByLabel('API key').waitFor({ timeout: 10_000 });
  expect(await page.locator('.notice').textContent()).toMatch(/The API key has expired/);
});

describe('what a key may not do is not there', () => {
  test('without ADMIN there are no keys and no tenants, and an address that leads there says so', async () => {
    const { visit } = await stage.tenant();
    const { page, go } = await settings(visit, 'me', { scopes: ['READ'] });
    expect(await tabs(page)).toEqual(['Who am I', 'Redaction', 'This browser']);
    expect(await page.locator('.scopes [data-has="true"]').allTextContents()).toEqual([expect.stringContaining('READ')]);
    await go('settings/keys');
    await page.getByText('Your key may not see this.').waitFor();
  });

  test('a key without READ is told what it may do, and asks for nothing that it may not have', async () => {
    const { visit } = await stage.tenant();
    const { page, complaints } = await settings(visit, 'keys', { scopes: ['ADMIN'] });
    await page.getByText('1 key', { exact: true }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allTextContents()).toEqual(['Settings']);
    expect(complaints).toEqual([]);
  });
});

test('an administrator sees what the tenant uses of its quotas, and lowers one', async () => {
  const { visit, lq } = await stage.tenant();
  await lq.submitJobs({ jobs: [{ task: 'a' }, { task: 'b' }, { task: 'c' }] });
  const { page } = await settings(visit, 'tenants');
  await page.getByText('3 of 100,000,000').waitFor();
  await button(page, 'Change quotas…').click();
  await page.getByRole('spinbutton', { name: 'Waiting jobs' }).fill('3');
  expect(await findings(page)).toEqual([]);
  await button(page, 'Change 1 quota').click();
  await page.getByText('Full: one more is refused.').waitFor();
  await button(page, 'Change quotas…').click();
  await page.getByRole('spinbutton', { name: 'Queues' }).fill('999999');
  await button(page, 'Change 1 quota').click();
  await page.locator('.field', { hasText: 'Queues' }).locator('.fault').waitFor();
});

test('a key for every tenant makes one, suspends it and lets it go on', async () => {
  const { visit, lq, tenant } = await stage.tenant();
  const { page } = await settings(visit, 'tenants', { scopes: ['READ', 'ADMIN', 'SYSTEM'] });
  await button(page, 'Make a tenant').click();
  await page.getByLabel('Name', { exact: true }).fill(tenant);
  await button(page, 'Make the tenant').click();
  await page.getByText('Another tenant has it.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill(`Beside ${tenant}`);
  await button(page, 'Make the tenant').click();
  const made = `beside-${tenant}`;
  const row = page.getByRole('row').filter({ hasText: made });
  await row.waitFor();
  await button(page, `Suspend ${made}…`).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Suspend ${made}` })
    .click();
  await row.getByText('suspended').waitFor();
  expect(await lq.tenant(made)).toMatchObject({ suspended: true });
  await button(page, `Let ${made} go on`).click();
  await eventually(() => row.getByText('suspended').count()).toBe(0);
});

test('signing out ends at the door, and the key works elsewhere as before', async () => {
  const { visit, key } = await stage.tenant();
  const secret = await key();
  const { page } = await settings(visit, 'me', { key: secret });
  await button(page, 'Sign out').click();
  await page.getByText('You are signed out of this browser.').waitFor();
  await page.reload();
  await page.getByLabel('API key').waitFor();
  expect(await new LeaseQueue({ url: stage.server.url, apiKey: secret }).viewer()).toMatchObject({ apiKey: { name: 'operator 1' } });
});

test('what is chosen for a browser survives a reload, and read only leaves no button that changes anything', async () => {
  const { visit } = await stage.tenant();
  const { page, go } = await settings(visit, 'browser', { scopes: ['READ', 'SUBMIT', 'OPERATE', 'ADMIN', 'SYSTEM'] });
  await page.getByLabel('Theme').selectOption('dark');
  await page.getByLabel('Rows', { exact: true }).selectOption('compact');
  await page.getByLabel('Times in UTC').check();
  await page.getByLabel('Read only').check();
  await page.reload();
  await eventually(() => page.getByLabel('Theme').inputValue()).toBe('dark');
  const { theme, density } = await page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset)));
  expect([theme, density]).toEqual(['dark', 'compact']);
  expect([await page.getByLabel('Rows', { exact: true }).inputValue(), await page.getByLabel('Read only').isChecked()]).toEqual(['compact', true]);
  expect(await page.locator('.foot').textContent()).toContain('in UTC');
  await page.getByText('read only', { exact: true }).waitFor();
  await go('settings/keys');
  await page.getByRole('region', { name: 'Keys' }).waitFor();
  expect(await button(page, /Make|Revoke/).count()).toBe(0);
  await go('settings/tenants');
  await page.getByRole('region', { name: 'Tenants' }).waitFor();
  expect(await button(page, /Make|Suspend|Let/).count()).toBe(0);
});

test.each([
  ['light', 1360],
  ['dark', 1360],
  ['light', 320],
  ['dark', 320],
] as const)('every part is open to everybody, in the %s theme and %i pixels wide', async (theme, width) => {
  const { visit, lq } = await stage.tenant();
  unwrap(await lq.setRedactionRules({ rules: [{ task: 'x'.repeat(64), path: 'y'.repeat(256) }] }));
  unwrap(await lq.createApiKey({ name: 'x'.repeat(128), scopes: ['READ', 'WORK'], queues: ['q'.repeat(64), 'r'.repeat(64)] }));
  const { page, go, complaints } = await settings(visit, 'me', { theme, width, scopes: ['READ', 'ADMIN', 'SYSTEM'] });
  for (const tab of ['me', 'keys', 'tenants', 'audit', 'redaction', 'browser']) {
    await go(`settings/${tab}`);
    await page.locator('.panel, .table').first().waitFor();
    expect([tab, await findings(page), await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([tab, [], width]);
  }
  expect(complaints).toEqual([]);
});
