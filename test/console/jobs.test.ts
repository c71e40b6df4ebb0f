/** The list of jobs: finding some, watching them change, and acting on many of them. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JobFilter, type LeaseQueue, type SubmitJobInput, unwrap } from '../../src/client/index.ts';
import { type ConsoleStage, startConsole } from '../support/console.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

/** Rows follow their jobs within some seconds. */
const soon = <Value>(look: () => Value, timeout = 5_000) => expect.poll(look, { timeout });

const BATCH = 500;

/** Ids of the jobs, in the order of their submission. */
async function submit(lq: LeaseQueue, jobs: readonly SubmitJobInput[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < jobs.length; from += BATCH) {
    const { results } = await lq.submitJobs({ jobs: jobs.slice(from, from + BATCH) });
    ids.push(...results.map((result) => unwrap(result).job.id));
  }
  return ids;
}

const some = (count: number, job: Partial<SubmitJobInput> = {}): readonly SubmitJobInput[] =>
  Array.from({ length: count }, () => ({ task: 'mail.send', ...job }));

async function claim(lq: LeaseQueue, queue: string, max = 100, workerId = 'w1') {
  return (await lq.claimJobs({ workerId, queues: [queue], max })).leases;
}

/** Claims and buries everything that waits in the queue. Answers how many that were. */
async function bury(lq: LeaseQueue, queue: string, message = 'HTTP 503'): Promise<number> {
  let buried = 0;
  for (;;) {
    const leases = await claim(lq, queue);
    if (leases.length === 0) return buried;
    const error = { type: 'UpstreamError', message };
    await Promise.all(leases.map(({ job, leaseToken }) => lq.failJob({ jobId: job.id, leaseToken, error, retry: { never: true } })));
    buried += leases.length;
  }
}

const stateOf = async (lq: LeaseQueue, id: string) => (await lq.job({ id }))?.state;
const countOf = async (lq: LeaseQueue, filter: JobFilter) => (await lq.countJobs(filter)).value;
const row = (page: Page, id: string) => page.locator('tbody tr', { hasText: id.slice(-8) });
const rows = (page: Page) => page.locator('tbody tr');
const asked = (page: Page) => new URL(page.url()).searchParams.get('q');
const filterField = (page: Page) => page.getByRole('searchbox', { name: 'Which jobs' });
/** A key, once what was just drawn listens for it: that is after its first frame. */
async function press(page: Page, key: string): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.keyboard.press(key);
}
const line = (page: Page) => page.locator('.jobs-line');

test('jobs are found by task and tag, without the mouse, and the address says how', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(lq, some(3, { tags: [{ key: 'customer', value: '7' }] }));
  const [wanted = ''] = await submit(lq, some(1, { task: 'invoice.generate', tags: [{ key: 'customer', value: '42' }] }));
  await submit(lq, some(2, { task: 'invoice.generate', tags: [{ key: 'customer', value: '7' }] }));
  const { page, complaints } = await visit('jobs');
  await soon(() => line(page).textContent()).toContain('6 jobs match');
  await press(page, '/');
  await page.keyboard.type('task:invoice.generate   tag:customer=42');
  await press(page, 'Enter');
  await soon(() => rows(page).count()).toBe(1);
  await row(page, wanted).waitFor();
  expect(asked(page)).toBe('task:invoice.generate tag:customer=42');
  await soon(() => line(page).textContent()).toContain('1 job matches');
  expect(complaints).toEqual([]);
});

test('chips, form, text and address are one, and Back leads to the filter before', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(lq, [...some(2, { queue: 'billing' }), ...some(3, { queue: 'mail' })]);
  const { page } = await visit('jobs');
  await page.getByRole('button', { name: /^queued 5$/ }).click();
  expect(asked(page)).toBe('state:queued');
  await page.getByRole('button', { name: '+ Add filter' }).click();
  const form = page.getByRole('form', { name: 'Filter' });
  await form.getByLabel('Queues').fill('billing, reports');
  await form.getByLabel('Submitted within').fill('yesterday');
  await form.getByRole('button', { name: 'Apply' }).click();
  expect(await form.locator('.fault').textContent()).toContain('15m, 1h, 7d');
  await form.getByLabel('Submitted within').fill('1h');
  await form.getByRole('button', { name: 'Apply' }).click();
  const whole = 'state:queued queue:billing,reports age<1h';
  await soon(() => filterField(page).inputValue()).toBe(whole);
  expect(asked(page)).toBe(whole);
  await soon(() => rows(page).count()).toBe(2);
  await page.getByRole('button', { name: 'Remove queue:billing,reports' }).click();
  await soon(() => rows(page).count()).toBe(5);
  await page.goBack();
  await soon(() => rows(page).count()).toBe(2);
  expect([asked(page), await filterField(page).inputValue()]).toEqual([whole, whole]);
  await page.goForward();
  await soon(() => filterField(page).inputValue()).toBe('state:queued age<1h');
});

test('a filter that cannot be read asks for nothing, and points at the column with what is possible', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(lq, some(2));
  const { page } = await visit(`jobs?q=${encodeURIComponent('task:mail.send state:deed')}`);
  const fault = page.getByRole('alert');
  await soon(() => fault.textContent()).toContain('Column 22: There is no such value. Possible here: queued, running, retry, completed, dead, cancelled.');
  expect(await fault.locator('mark').textContent()).toBe('deed');
  expect(await rows(page).count()).toBe(0);
  await filterField(page).fill('-state:dead');
  await filterField(page).press('Enter');
  await soon(() => fault.textContent()).toContain('Nothing can be excluded');
  expect(await filterField(page).evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd])).toEqual([0, 11]);
  await filterField(page).fill('task:mail.send');
  await filterField(page).press('Enter');
  await soon(() => rows(page).count()).toBe(2);
});

test('where nothing matches, the screen says which term removes everything', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(lq, some(3, { queue: 'billing' }));
  const { page } = await visit('jobs?q=queue:billing+task:mail.sent');
  const removal = page.getByRole('button', { name: 'Remove task:mail.sent' }).last();
  await soon(() => page.locator('.empty').textContent()).toContain('Without task:mail.sent: 3 jobs match');
  expect(await page.locator('.empty').textContent()).not.toContain('Without queue:billing');
  await removal.click();
  await soon(() => rows(page).count()).toBe(3);
});

test('redriving all that match tells their number first, and changes each once and no other, though they die again meanwhile', async () => {
  const { lq, visit } = await stage.tenant();
  const ids = await submit(lq, some(520, { queue: 'a' }));
  const [other = ''] = await submit(lq, some(3, { queue: 'b' }));
  await Promise.all([bury(lq, 'a'), bury(lq, 'b')]);
  const { page, complaints } = await visit('jobs?q=queue:a+state:dead');
  await soon(() => line(page).textContent()).toContain('520 jobs match');
  await press(page, '.');
  const dialog = page.getByRole('dialog');
  await soon(() => dialog.textContent()).toContain('All jobs of queue:a state:dead, on every page');
  const go = dialog.getByRole('button', { name: 'Redrive 520 jobs' });
  await go.waitFor();
  // Somebody else is quicker with some of them, and they run.
  const [quick, slow] = [ids.slice(0, 5), ids.slice(5)];
  await lq.redriveJobs({ target: { ids: [...quick] } });
  await claim(lq, 'a');
  await go.click();
  let again = 0;
  const panel = page.locator('section', { hasText: 'Redriving jobs' });
  await soon(async () => {
    again += await bury(lq, 'a', 'again');
    return panel.textContent();
  }, 15_000).toContain('Redriven 515 jobs.');
  expect(await panel.textContent()).toMatch(/515 done.*0 left/);
  expect(await stateOf(lq, other)).toBe('DEAD');
  again += await bury(lq, 'a', 'again');
  expect(again).toBe(515);
  const redriven: string[] = [];
  for (let after: string | undefined; ; ) {
    const { nodes, cursor, hasMore } = await lq.eventPage({ first: 100, filter: { kinds: ['REDRIVEN'] }, after });
    redriven.push(...nodes.map(({ jobId }) => jobId));
    if (!hasMore) break;
    after = cursor;
  }
  expect(redriven.toSorted()).toEqual([...quick, ...slow].toSorted());
  expect(complaints).toEqual([]);
}, 30_000);

test('jobs are selected and cancelled with the keyboard alone, and change their state where they are', async () => {
  const { lq, visit } = await stage.tenant();
  const ids = await submit(lq, some(4));
  const { page, complaints } = await visit('jobs');
  await row(page, ids[3] ?? '').waitFor();
  for (const key of ['j', 'x', 'j', 'j', 'x']) await press(page, key);
  await soon(() => line(page).textContent()).toContain('2 selected');
  await press(page, 'c');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel 2 jobs' }).waitFor();
  await press(page, 'Tab');
  await dialog.getByLabel('Reason').focus();
  await page.keyboard.type('ordered twice');
  await press(page, 'Enter');
  await soon(() => row(page, ids[3] ?? '').textContent()).toContain('cancelled');
  await soon(() => row(page, ids[1] ?? '').textContent()).toContain('cancelled');
  const states = await Promise.all(ids.map((id) => stateOf(lq, id)));
  expect(states).toEqual(['QUEUED', 'CANCELLED', 'QUEUED', 'CANCELLED']);
  const { nodes } = await lq.eventPage({ filter: { kinds: ['CANCELLED'] } });
  expect(nodes.map(({ detail }) => detail)).toEqual([{ reason: 'ordered twice' }, { reason: 'ordered twice' }]);
  expect(complaints).toEqual([]);
});

test('selected jobs whose state does not allow it are left out, and a purge is typed', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(lq, some(2, { queue: 'a' }));
  await bury(lq, 'a');
  const [waiting = ''] = await submit(lq, some(1, { queue: 'b' }));
  const { page } = await visit('jobs');
  await row(page, waiting).waitFor();
  await page.getByLabel('Select every row of this page').click();
  await line(page).getByRole('button', { name: 'Purge 2' }).click();
  const dialog = page.getByRole('dialog');
  await soon(() => dialog.textContent()).toContain('1 more is left out');
  const go = dialog.getByRole('button', { name: 'Purge 2 jobs' });
  expect(await go.isDisabled()).toBe(true);
  await dialog.getByLabel('Type 2 to go on').fill('2');
  await go.click();
  await soon(() => rows(page).allTextContents()).toEqual([
    expect.stringContaining('queued'),
    expect.stringContaining('removed'),
    expect.stringContaining('removed'),
  ]);
  expect(await countOf(lq, {})).toBe(1);
});

test('a run through many jobs can be stopped, goes on where it was, and ends when the list is left', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(lq, some(1_600));
  const { page } = await visit('jobs?q=state:queued');
  // Each batch waits until it is let through: its turn to be answered, or lost on its way.
  const batches: ((deed: 'send' | 'lose') => void)[] = [];
  await page.route('**/graphql', async (route) => {
    const isBatch = /cancelJobs.*"dryRun":false/s.test(route.request().postData() ?? '');
    const deed = isBatch ? await new Promise<'send' | 'lose'>((resolve) => batches.push(resolve)) : 'send';
    await (deed === 'send' ? route.continue() : route.abort());
  });
  const next = async (deed: 'send' | 'lose') => {
    await soon(() => batches.length).toBe(1);
    batches.shift()?.(deed);
  };
  await soon(() => line(page).textContent()).toContain('1,600 jobs match');
  await press(page, '.');
  await page.getByRole('button', { name: 'Cancel 1,600 jobs' }).click();
  const panel = page.locator('section', { hasText: 'Cancelling jobs' });
  await next('send');
  await soon(() => panel.textContent()).toMatch(/500 done.*1,100 left/);
  await panel.getByRole('button', { name: 'Stop' }).click();
  await next('send');
  await soon(() => panel.textContent()).toContain('Cancelled 1,000 jobs, then it was stopped. The others are as they were.');
  await panel.getByRole('button', { name: 'Go on' }).click();
  await next('lose');
  await soon(() => panel.textContent()).toContain('Whether anything changed is not known');
  await panel.getByRole('button', { name: 'Go on' }).click();
  await soon(() => batches.length).toBe(1);
  await page.getByRole('link', { name: 'Queues', exact: true }).click();
  await page.getByText('Cancelling was stopped, because you left the list of jobs.').waitFor();
  await next('send');
  await soon(() => countOf(lq, { states: ['CANCELLED'] })).toBe(1_500);
  expect(await countOf(lq, { states: ['QUEUED'] })).toBe(100);
}, 30_000);

test('pages lead to and fro by keys and by Back, and what is new waits to be shown', async () => {
  const { lq, visit } = await stage.tenant();
  const ids = await submit(lq, some(120));
  const [newest, middle, oldest] = [ids[119] ?? '', ids[60] ?? '', ids[0] ?? ''];
  const { page } = await visit('jobs');
  await row(page, newest).waitFor();
  expect(await rows(page).count()).toBe(50);
  await press(page, '[');
  await row(page, middle).waitFor();
  await press(page, '[');
  await row(page, oldest).waitFor();
  expect(await rows(page).count()).toBe(20);
  expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
  await press(page, ']');
  await row(page, middle).waitFor();
  await page.goBack();
  await row(page, oldest).waitFor();
  await page.getByRole('button', { name: 'First page' }).click();
  await row(page, newest).waitFor();
  await press(page, '[');
  await row(page, middle).waitFor();
  await press(page, ']');
  await row(page, newest).waitFor();
  await soon(() => new URL(page.url()).search).toBe('');
  const [latest = ''] = await submit(lq, some(1));
  await page.getByRole('button', { name: '1 new – show' }).waitFor();
  expect(await row(page, latest).count()).toBe(0);
  await page.getByRole('button', { name: '1 new – show' }).click();
  await row(page, latest).waitFor();
  expect(await page.getByRole('button', { name: /new – show/ }).count()).toBe(0);
});

test('a row changes in place when its job does, also where it no longer matches', async () => {
  const { lq, visit } = await stage.tenant();
  const ids = await submit(lq, some(3));
  const { page, complaints } = await visit('jobs?q=state:queued');
  await row(page, ids[0] ?? '').waitFor();
  const before = await rows(page).locator('a').allTextContents();
  const hostile = 'javascript:alert(1)';
  const [lease] = await claim(lq, 'default', 1, hostile);
  await soon(() => row(page, ids[0] ?? '').textContent()).toMatch(/running.*1\/3.*lease.*javascript:alert\(1\)/);
  await lq.failJob({
    jobId: ids[0] ?? '',
    leaseToken: lease?.leaseToken ?? '',
    error: { type: 'E', message: '<img src=x onerror=alert(1)>' },
    retry: { never: true },
  });
  await soon(() => row(page, ids[0] ?? '').textContent()).toMatch(/dead.*E: <img src=x onerror=alert\(1\)>/);
  expect(await rows(page).locator('a').allTextContents()).toEqual(before);
  await page.getByRole('button', { name: /^queued 2$/ }).waitFor();
  expect([await page.locator('img').count(), complaints]).toEqual([0, []]);
});

test('a key that may only read sees the same list without check boxes and without ways to change it', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(lq, some(2));
  const { page } = await visit('jobs?q=state:queued', { scopes: ['READ'] });
  await soon(() => rows(page).count()).toBe(2);
  await press(page, 'j');
  for (const key of ['x', 'c', '.']) await press(page, key);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: /act on|cancel \d|redrive|purge/i }).count()).toBe(0);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(1);
});

test('on a narrow screen nothing but the table scrolls sideways', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(lq, some(2, { task: `t${'x'.repeat(63)}`, queue: `q${'x'.repeat(63)}`, tags: [{ key: 'k'.repeat(64), value: 'v'.repeat(256) }] }));
  const { page } = await visit(`jobs?q=${encodeURIComponent(`state:queued tag:${'k'.repeat(64)}=${'v'.repeat(256)}`)}`, { width: 320, height: 640 });
  await soon(() => rows(page).count()).toBe(2);
  const isWide = () => page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) > innerWidth);
  expect(await isWide()).toBe(false);
  await page.getByRole('button', { name: '+ Add filter' }).click();
  expect(await isWide()).toBe(false);
  await page.getByRole('button', { name: 'Leave as it is' }).click();
  await page.getByRole('button', { name: /^Act on all/ }).click();
  await page.getByRole('button', { name: 'Cancel 2 jobs' }).waitFor();
  expect(await isWide()).toBe(false);
});

test('ten thousand queues leave the form quick: some are suggested, any can be typed', async () => {
  const { lq, visit } = await stage.tenant();
  await submit(
    lq,
    Array.from({ length: 10_001 }, (_, index) => ({ task: 'mail.send', queue: `q${String(Math.min(index, 9_998)).padStart(5, '0')}` })),
  );
  const { page } = await visit('jobs?q=state:queued');
  await soon(() => line(page).textContent()).toContain('at least 10,000 jobs match');
  await press(page, '.');
  await page.getByLabel('Type 10000 to go on').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel at least 10,000 jobs' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Leave them as they are' }).click();
  await page.getByRole('button', { name: '+ Add filter' }).click();
  const field = page.getByLabel('Queues');
  await soon(() => page.locator('datalist').first().locator('option').count()).toBe(100);
  await field.fill('q09997');
  await field.press('Enter');
  await soon(() => rows(page).count()).toBe(1);
}, 30_000);

test('what matches is kept as a file of JSON Lines, every digit of it', async () => {
  const { lq, visit } = await stage.tenant();
  const ids = await submit(lq, some(230, { queue: 'a', payload: { amount: 0.1 } }));
  await submit(lq, some(2, { queue: 'b' }));
  const { page, complaints } = await visit('jobs?q=queue:a');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
  const text = await readFile(await download.path(), 'utf8');
  const jobs = text
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each) as { readonly id: string; readonly payload: unknown });
  expect(download.suggestedFilename()).toMatch(/^jobs-.*\.jsonl$/);
  expect(jobs.map(({ id }) => id)).toEqual(ids.toReversed());
  expect(jobs[0]?.payload).toEqual({ amount: 0.1 });
  await page.getByText('Exported 230 jobs.').waitFor();
  expect(complaints).toEqual([]);
});
