/** The live screen: nothing is missed, nothing moves below a pointer, and whatever is not listed is said to be. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LeaseQueue, unwrap } from '../../src/client/index.ts';
import { findings } from '../support/axe.ts';
import { type ConsoleStage, startConsole, type Visit, type VisitOptions } from '../support/console.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

/** The screen, following the log. */
async function follow(visit: (path: string, options?: VisitOptions) => Promise<Visit>, path = 'live', options?: VisitOptions): Promise<Visit> {
  const visited = await visit(path, options);
  await visited.page.getByRole('heading', { level: 1, name: 'Live' }).waitFor();
  await expect.poll(() => visited.page.locator('.live-words').textContent()).toMatch(/events\/s|list is full/);
  await expect.poll(() => visited.page.locator('.foot').textContent()).toContain('live');
  return visited;
}

const rows = (page: Page): Locator => page.locator('.live-list tbody tr');
const cells = async (page: Page, column: number): Promise<readonly string[]> => page.locator(`.live-list tbody td:nth-child(${column})`).allTextContents();
const kinds = (page: Page): Promise<readonly string[]> => cells(page, 2);
const tasks = (page: Page): Promise<readonly string[]> => cells(page, 4);

async function submit(lq: LeaseQueue, task: string, queue = 'default', count = 1): Promise<void> {
  await lq.submitJobs({ jobs: Array.from({ length: count }, () => ({ task, queue })) });
}

test('a job is seen on its whole way, newest on top, and whose work it was is text', async () => {
  const { visit, lq } = await stage.tenant();
  const { page, complaints, foreign } = await follow(visit);
  const workerId = '<img/src=x/onerror=alert(1)>';
  await submit(lq, 'invoice.send', 'billing');
  const { leases } = await lq.claimJobs({ workerId, queues: ['billing'] });
  const [lease] = leases;
  unwrap(await lq.completeJob({ jobId: lease?.job.id ?? '', leaseToken: lease?.leaseToken ?? '' }));
  await expect
    .poll(() => kinds(page))
    .toEqual([expect.stringContaining('completed'), expect.stringContaining('claimed'), expect.stringContaining('submitted')]);
  expect(await cells(page, 8)).toEqual([workerId, workerId, 'test']);
  expect(await rows(page).first().getByRole('link').getAttribute('href')).toContain(`/jobs/${lease?.job.id}`);
  await page.locator('.live-time').first().click();
  await page.getByRole('dialog').getByText('Fencing token').waitFor();
  expect(await findings(page)).toEqual([]);
  expect([complaints, foreign]).toEqual([[], []]);
});

test('a filter is in the address, leaves out what does not match, and survives a reload', async () => {
  const { visit, lq } = await stage.tenant();
  const { page } = await follow(visit);
  await submit(lq, 'a.one', 'left');
  await submit(lq, 'b.one', 'right');
  await expect.poll(() => tasks(page)).toEqual(['b.one', 'a.one']);
  await page.getByLabel('Queue', { exact: true }).fill('right');
  await page.keyboard.press('Enter');
  await page.getByText('The filter was changed').waitFor();
  expect(new URL(page.url()).searchParams.get('queue')).toBe('right');
  await submit(lq, 'a.two', 'left');
  await submit(lq, 'b.two', 'right');
  await expect.poll(async () => (await tasks(page)).join()).toBe('b.two,b.one');
  await page.reload();
  await expect.poll(() => page.locator('.live-words').textContent()).toContain('events/s');
  expect(await page.getByLabel('Queue', { exact: true }).inputValue()).toBe('right');
  await submit(lq, 'a.three', 'left');
  await submit(lq, 'b.three', 'right');
  await expect.poll(async () => (await tasks(page)).join()).toBe('b.three');
});

test('while somebody points at the list nothing in it moves, and what is new waits behind a button', async () => {
  const { visit, lq } = await stage.tenant();
  const { page } = await follow(visit);
  await submit(lq, 'first');
  await rows(page).first().hover();
  const box = await rows(page).first().boundingBox();
  await submit(lq, 'second', 'default', 12);
  await page.getByRole('button', { name: '12 new – show' }).waitFor();
  expect([await tasks(page), await rows(page).first().boundingBox()]).toEqual([['first'], box]);
  await page.getByRole('button', { name: '12 new – show' }).click();
  expect((await tasks(page)).length).toBe(13);
  await page.mouse.move(5, 5);
  // The keyboard's place holds it too.
  await page.locator('.live-time').nth(1).focus();
  await submit(lq, 'third');
  await page.getByRole('button', { name: '1 new – show' }).waitFor();
  expect((await tasks(page))[0]).toBe('second');
  await page.getByLabel('Task', { exact: true }).focus();
  await expect.poll(async () => (await tasks(page))[0]).toBe('third');
});

test('a pause keeps the place: what happens meanwhile is counted, and comes without gap or repeat', async () => {
  const { visit, lq } = await stage.tenant();
  const { page } = await follow(visit);
  await submit(lq, 'before');
  await expect.poll(() => tasks(page)).toEqual(['before']);
  await page.keyboard.press('p');
  await page.getByText('Paused. 0 events wait.').waitFor();
  for (let number = 1; number <= 3; number += 1) await submit(lq, `meanwhile.${number}`);
  await page.getByText('Paused. 3 events wait.').waitFor();
  expect(await tasks(page)).toEqual(['before']);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(() => tasks(page)).toEqual(['meanwhile.3', 'meanwhile.2', 'meanwhile.1', 'before']);
  await submit(lq, 'after');
  await expect.poll(async () => (await tasks(page)).join()).toBe('after,meanwhile.3,meanwhile.2,meanwhile.1,before');
});

test('a long pause waits with a number, however much happens, and goes on with the newest', async () => {
  const { visit, lq } = await stage.tenant();
  const { page } = await follow(visit);
  await submit(lq, 'before');
  await expect.poll(() => tasks(page)).toEqual(['before']);
  await page.keyboard.press('p');
  for (let batch = 0; batch < 12; batch += 1) await submit(lq, 'meanwhile', 'default', 500);
  await page.getByText('Paused. 6,000 events wait.').waitFor();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('5,800 events passed over').waitFor();
  await expect.poll(() => page.locator('.live-time').count()).toBe(201);
  expect((await tasks(page)).at(-1)).toBe('before');
  await page.getByRole('button', { name: 'Read them' }).click();
  await page.getByText('The list is full. 5,500 events wait to be read.').waitFor();
});

describe('reading from a place', () => {
  test('history fills the list once, then waits for its reader, who may skip the rest', async () => {
    const { visit, lq } = await stage.tenant();
    for (let batch = 0; batch < 3; batch += 1) await submit(lq, `old.${batch}`, 'default', 400);
    const { page } = await follow(visit, 'live?from=oldest');
    await page.getByText('The list is full. 700 events wait to be read.').waitFor();
    await expect.poll(async () => [await rows(page).count(), (await tasks(page)).at(-1)]).toEqual([500, 'old.0']);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('The list is full. 200 events wait to be read.').waitFor();
    await page.getByText('500 older events left the list').waitFor();
    await page.getByRole('button', { name: 'Skip to now' }).click();
    await page.getByText('Skipped to').waitFor();
    await submit(lq, 'new');
    await expect.poll(async () => (await tasks(page))[0]).toBe('new');
  });

  test('a cursor leads back to its place, and one of an event that is gone says so', async () => {
    const { visit, lq } = await stage.tenant();
    await submit(lq, 'gone');
    const { cursor } = await lq.eventPage();
    const [job] = (await lq.jobs()).nodes;
    unwrap(await lq.cancelJob({ id: job?.id ?? '' }));
    await lq.purgeJobs({ target: { ids: [job?.id ?? ''] } });
    await submit(lq, 'kept');
    const { page } = await follow(visit);
    await page.getByRole('button', { name: 'Read from…' }).click();
    await page.getByLabel('After a cursor').fill(cursor);
    await page.getByRole('button', { name: 'Read after it' }).click();
    await page.getByText('Events are missing here.').waitFor();
    await expect.poll(() => tasks(page).then((found) => found[0])).toBe('kept');
    expect(new URL(page.url()).searchParams.get('from')).toBe(cursor);
    expect(await findings(page)).toEqual([]);
  });

  test('what is no cursor is refused with the reason', async () => {
    const { visit } = await stage.tenant();
    const { page } = await visit('live?from=nonsense');
    await page.getByText('The server does not let this be followed.').waitFor();
    await page.getByRole('button', { name: 'Begin with now' }).click();
    await expect.poll(() => page.locator('.live-words').textContent()).toContain('events/s');
  });
});

test('a burst does not freeze the page: the newest are listed, and the rest is counted', async () => {
  const { visit, lq } = await stage.tenant();
  const { page } = await follow(visit);
  await Promise.all(Array.from({ length: 6 }, () => submit(lq, 'burst', 'default', 500)));
  await page.getByText('events passed over').first().waitFor();
  const rate = async (): Promise<number> => Number.parseFloat((await page.locator('.live-words').textContent())?.replaceAll(',', '') ?? '');
  await expect.poll(rate).toBeGreaterThan(450);
  const askedAtMs = performance.now();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(performance.now() - askedAtMs).toBeLessThan(3_000);
  await submit(lq, 'last');
  await expect.poll(async () => (await tasks(page))[0]).toBe('last');
  const words = await page.locator('.frame').textContent();
  const told = [...(words ?? '').matchAll(/([\d,]+) (?:events passed over|older events? left)/g)].reduce(
    (sum, [, number]) => sum + Number(number?.replaceAll(',', '')),
    0,
  );
  expect(told + (await page.locator('.live-time').count())).toBe(3_001);
});

test.each(['light', 'dark'] as const)('in the %s theme and on a narrow screen, everybody can use it', async (theme) => {
  const { visit, lq } = await stage.tenant();
  await submit(lq, 'x'.repeat(64), 'y'.repeat(64), 3);
  const { page } = await follow(visit, 'live?from=oldest', { theme, width: 320 });
  await expect.poll(() => rows(page).count()).toBe(3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await findings(page)).toEqual([]);
});
