/** The server is killed and comes back: the page says how old it is, and goes on where it was. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ConsoleStage, startConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { startServer } from '../support/server-process.ts';

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await startConsole();
}, 60_000);
afterAll(() => stage[Symbol.asyncDispose]());

test('the stream goes on after its last cursor: nothing is missed, and nothing comes twice', async () => {
  const { visit, lq } = await stage.tenant();
  const { page } = await visit('live');
  const foot = (): Promise<string | null> => page.locator('.foot-live').textContent();
  const words = (): Promise<string | null> => page.locator('.live-words').textContent();
  const tasks = async (): Promise<string> => (await page.locator('.live-list tbody td:nth-child(4)').allTextContents()).join();
  await eventually(words).toContain('events/s');
  await eventually(foot).toContain('live');
  await lq.submitJob({ task: 'before' });
  await eventually(tasks).toBe('before');

  await stage.server.end('SIGKILL');
  await eventually(foot).toContain('reconnecting, showing');
  expect([await words(), await tasks()]).toEqual([expect.stringContaining('Not live'), 'before']);

  const again = await startServer(stage.settings);
  onTestFinished(async () => void (await again.end('SIGTERM')));
  await lq.submitJobs({ jobs: [{ task: 'while.away' }, { task: 'too' }] });
  await eventually(foot).toContain('live');
  await eventually(tasks).toBe('too,while.away,before');
  await lq.submitJob({ task: 'after' });
  await eventually(tasks).toBe('after,too,while.away,before');
}, 60_000);
