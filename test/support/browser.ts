/** A real browser, from the development dependencies, that reaches the loopback and nothing else. */
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright, type Page } from 'playwright-core';

export interface OpenedPage {
  readonly page: Page;
  /** Requests that left the loopback; none is answered. */
  readonly foreign: readonly string[];
  /** What the page wrote to its console as errors. */
  readonly complaints: readonly string[];
}

/** Its package is made for places with one process and no rules of the web, which are what some tests are about. */
const NOT_AS_PEOPLE_HAVE_IT = ['--single-process', '--disable-web-security', '--allow-running-insecure-content', '--disable-site-isolation-trials'];

export async function openBrowser(): Promise<Browser> {
  const args = chromium.args.filter((arg) => !NOT_AS_PEOPLE_HAVE_IT.includes(arg));
  return playwright.launch({ args, executablePath: await chromium.executablePath(), headless: true });
}

export async function openPage(browser: Browser, colorScheme: 'light' | 'dark' = 'light'): Promise<OpenedPage> {
  // A browser takes its language from the machine, which may have none.
  const context = await browser.newContext({ viewport: { width: 1360, height: 840 }, colorScheme, locale: 'en-GB' });
  const page = await context.newPage();
  const foreign: string[] = [];
  const complaints: string[] = [];
  await page.route(
    (url) => url.hostname !== '127.0.0.1' && !['data:', 'blob:'].includes(url.protocol),
    (route) => {
      foreign.push(route.request().url());
      return route.abort();
    },
  );
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, foreign, complaints };
}
