/** Workers and leases: who holds what, until when, and who has fallen silent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleStage, startConsole } from '../support/console.ts';
import { claimed, submitted } from '../support/console-jobs.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

test('a lease runs out before the eyes: its time goes down, it is late, and the row is gone', async () => {
  const { visit, lq } = await stage.tenant();
  const id = await submitted(lq);
  await claimed(lq, 'mail', 'worker-9', 6);
  const { page } = await visit('workers');
  const row = page.getByRole('row', { name: /mail\.send.*worker-9/ });
  await row.waitFor();
  const left = async (): Promise<string | null> =>
    row
      .locator('.countdown-words')
      .textContent({ timeout: 1_000 })
      .catch(() => null);
  const first = await left();
  await expect.poll(left, { timeout: 5_000 }).not.toBe(first);
  await expect.poll(() => row.count(), { timeout: 12_000 }).toBe(0);
  expect((await lq.job({ id }))?.state).toBe('RETRY');
});

test('what one worker holds is shown alone, and what becomes of it without a word', async () => {
  const { visit, lq } = await stage.tenant();
  await submitted(lq, { maxAttempts: 1 });
  await submitted(lq, { maxAttempts: 3 });
  await claimed(lq, 'mail', 'one');
  await claimed(lq, 'mail', 'two');
  const { page, complaints } = await visit('workers');
  const leases = page.getByRole('region', { name: /Leases/ });
  await expect.poll(() => leases.locator('tbody tr').count()).toBe(2);
  await leases.getByRole('link', { name: 'one' }).click();
  await expect.poll(() => leases.locator('tbody tr').count()).toBe(1);
  expect(await leases.locator('tbody').textContent()).toContain('dead letter');
  expect(page.url()).toContain('worker=one');
  expect(complaints).toEqual([]);
});

test('nobody works yet: the next command is there', async () => {
  const { visit } = await stage.tenant();
  const { page } = await visit('workers');
  await page.getByText('No worker was heard of lately.').waitFor();
  await page.getByText(/worker run/).waitFor();
});
