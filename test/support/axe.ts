/** What axe-core finds wrong with a page as it is drawn now, for people who use it without a mouse, without colours or without eyes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** WCAG 2.2 AA, and what axe-core recommends beside it. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** As much of axe-core's answer as is told. */
interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[] }[];
}

const SAYS_WHY = /^Fix .*$/gm;

/** One line for each place: the rule, the element, and what is wrong with it. Empty where nothing is. */
export async function findings(page: Page): Promise<readonly string[]> {
  // By way of the debugger, which the page's content policy does not concern.
  await page.evaluate(await readFile(SCRIPT, 'utf8'));
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(TAGS)} }, resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} (${failureSummary.replace(SAYS_WHY, '').replace(/\s+/g, ' ').trim()})`),
  );
}
