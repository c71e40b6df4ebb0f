/** Every screen, in both themes, narrow and wide: no finding of axe-core, nothing that scrolls sideways, no complaint of the browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unwrap } from '../../src/client/index.ts';
import { findings } from '../support/axe.ts';
import { type ConsoleStage, startConsole, type TenantStage } from '../support/console.ts';
import { claimed, dead, submitted } from '../support/console-jobs.ts';

const LONG = `${'a-very-long-name.'.repeat(3)}of-64-chars`.slice(0, 64);
const RIGHT_TO_LEFT = 'خادم البريد الإلكتروني';
const MARKUP = '<script>alert(1)</script> & "quotes" '.repeat(8);

let stage: ConsoleStage;
let tenant: TenantStage;
let ids: { readonly running: string; readonly dead: string; readonly group: string };

/** Something of everything, with names that a layout may not like. */
async function fill({ lq, tenant: name }: TenantStage): Promise<typeof ids> {
  for (let number = 0; number < 30; number++)
    await submitted(lq, {
      queue: number % 2 === 0 ? 'mail' : LONG,
      task: LONG,
      payload: { number, text: MARKUP },
      tags: [{ key: RIGHT_TO_LEFT, value: MARKUP.slice(0, 200) }],
    });
  await submitted(lq, { queue: 'work' });
  const { job } = await claimed(lq, 'work', `${RIGHT_TO_LEFT.replaceAll(' ', '-')}-${'w'.repeat(90)}`, 3_600);
  const died = await dead(lq, { type: RIGHT_TO_LEFT, message: MARKUP.repeat(4), details: { markup: MARKUP } }, { queue: 'broken' });
  unwrap(await lq.pauseQueue({ name: 'mail', reason: MARKUP }));
  unwrap(await lq.setRedactionRules({ rules: [{ task: '*', path: '**.card' }] }));
  unwrap(await lq.createApiKey({ tenantId: name, name: RIGHT_TO_LEFT, scopes: ['READ'] }));
  const [group] = (await lq.deadLetterGroups()).nodes;
  return { running: job.id, dead: died, group: group?.id ?? '' };
}

beforeAll(async () => {
  stage = await startConsole();
  tenant = await stage.tenant();
  ids = await fill(tenant);
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

const SCREENS: readonly (readonly [path: () => string, heading: RegExp])[] = [
  [() => 'overview', /Overview/],
  [() => 'queues', /Queues/],
  [() => `queues/${LONG}`, /Queue/],
  [() => 'queues/mail', /mail/],
  [() => 'jobs', /Jobs/],
  [() => 'jobs?q=state:dead', /Jobs/],
  [() => `jobs/${ids.running}`, /./],
  [() => `jobs/${ids.dead}`, /./],
  [() => 'jobs/00000000-0000-7000-8000-000000000000', /./],
  [() => 'dead-letters', /Dead letters/],
  [() => `dead-letters/${ids.group}`, /./],
  [() => 'workers', /Workers/],
  [() => 'live?from=oldest', /Live/],
  [() => 'settings/me', /Settings/],
  [() => 'settings/keys', /Settings/],
  [() => 'settings/tenants', /Settings/],
  [() => 'settings/audit', /Settings/],
  [() => 'settings/redaction', /Settings/],
  [() => 'settings/browser', /Settings/],
  [() => 'submit', /Submit/],
  [() => 'play', /Play/],
  [() => 'nowhere', /./],
];

test.each(SCREENS.map(([path, heading], index) => ({ index, path, heading, name: path.toString().replace(/^\(\) => ?/, '') })))(
  '$name: reads well for everybody',
  { timeout: 60_000 },
  async ({ path, heading }) => {
    const { page, complaints, foreign } = await tenant.visit(path());
    await page.locator('#screen h1').filter({ hasText: heading }).first().waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 1360]) {
        await page.setViewportSize({ width, height: 840 });
        expect(await findings(page), `${colorScheme}, ${width} px`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBeLessThanOrEqual(width);
      }
    }
    expect([complaints, foreign]).toEqual([[], []]);
  },
);
