/** The console in a real browser, beside a server of its own whose tenants the tests share out: each test has one to itself. */
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { LeaseQueue, type Scope, unwrap } from '../../src/client/index.ts';
import { openBrowser, openPage } from './browser.ts';
import { leasequeue } from './command.ts';
import { type ServerProcess, type Settings, startServer } from './server-process.ts';
import { temporaryFolder } from './store.ts';

const EVERY_SCOPE: readonly Scope[] = ['READ', 'PAYLOADS', 'SUBMIT', 'WORK', 'OPERATE', 'ADMIN'];

export interface VisitOptions {
  /** Absent: every scope but SYSTEM. */
  readonly scopes?: readonly Scope[];
  readonly queues?: readonly string[];
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** A key to come with; null comes without any. Absent: one is made for these scopes. */
  readonly key?: string | null;
}

export interface Visit {
  readonly page: Page;
  readonly foreign: readonly string[];
  /** What the page wrote to its console as errors. */
  readonly complaints: readonly string[];
  /** Goes to a screen of the tenant, such as `jobs/…?q=…`. */
  go(path: string): Promise<void>;
}

export interface TenantStage {
  readonly tenant: string;
  /** May do everything in the tenant. */
  readonly lq: LeaseQueue;
  key(options?: Pick<VisitOptions, 'scopes' | 'queues'>): Promise<string>;
  /** Opens a screen, signed in, and waits until it is drawn. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
}

export interface ConsoleStage extends AsyncDisposable {
  readonly browser: Browser;
  readonly server: ServerProcess;
  /** The settings to start the same server again with, on the same port. */
  readonly settings: Settings;
  /** A tenant that nobody else uses. */
  tenant(): Promise<TenantStage>;
}

/** A production server that asks for keys. Dispose of it after the tests. */
export async function startConsole(): Promise<ConsoleStage> {
  const folder = temporaryFolder();
  const path = folder.file('console.db');
  const made = await leasequeue(['keys', 'create', '--name', 'test', '--scopes', [...EVERY_SCOPE, 'SYSTEM'].join(','), '--json'], {
    env: { LEASEQUEUE_DATABASE_PATH: path },
  });
  const { secret } = JSON.parse(made.stdout) as { readonly secret: string };
  const start: Settings = { LEASEQUEUE_DATABASE_PATH: path, LEASEQUEUE_ENVIRONMENT: 'production' };
  const server = await startServer(start);
  const settings = { ...start, LEASEQUEUE_PORT: new URL(server.url).port };
  const browser = await openBrowser();
  let tenants = 0;
  return {
    browser,
    server,
    settings,
    async tenant() {
      tenants += 1;
      return stageOf(browser, server.url, secret, `t${tenants}`);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.end('SIGTERM');
      folder[Symbol.dispose]();
    },
  };
}

async function stageOf(browser: Browser, url: string, secret: string, tenant: string): Promise<TenantStage> {
  const system = new LeaseQueue({ url, apiKey: secret });
  unwrap(await system.createTenant({ id: tenant, name: tenant }));
  let keys = 0;
  const key: TenantStage['key'] = async ({ scopes = EVERY_SCOPE, queues = [] } = {}) => {
    keys += 1;
    return unwrap(await system.createApiKey({ tenantId: tenant, name: `operator ${keys}`, scopes: [...scopes], queues: [...queues] })).secret;
  };
  const lq = new LeaseQueue({ url, apiKey: secret, tenant });
  return {
    tenant,
    lq,
    key,
    async visit(screen, options = {}) {
      const given = options.key === undefined ? await key(options) : options.key;
      return visitOf(browser, url, tenant, screen, given, options);
    },
  };
}

async function visitOf(browser: Browser, url: string, tenant: string, screen: string, key: string | null, options: VisitOptions): Promise<Visit> {
  const { page, foreign, complaints } = await openPage(browser, options.theme);
  onTestFinished(() => page.context().close());
  const { width = 1360, height = 840 } = options;
  await page.setViewportSize({ width, height });
  // As /session sets it.
  if (key !== null) await page.context().addCookies([{ name: 'leasequeue_session', value: key, url, httpOnly: true, sameSite: 'Strict' }]);
  const go = async (path: string): Promise<void> => {
    await page.goto(`${url}/console/${tenant}/${path}`);
    await page.locator('h1').first().waitFor();
  };
  await go(screen);
  return { page, foreign, complaints, go };
}
