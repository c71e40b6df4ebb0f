/** A test queue in whatever runs the tests: beside false timers, and in a process that ends by itself when it is closed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { createTestQueue } from '../../src/testing/test-queue.ts';
import { sendInvoice } from './tasks.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('false timers of the code under test do not stop it', async () => {
  vi.useFakeTimers();
  await using queue = await createTestQueue();
  queue.on(sendInvoice, () => {});
  await queue.lq.submit(sendInvoice, { invoiceId: 'i-1' }, { start: { in: '1h' } });
  await queue.advance('1h');
  expect(await queue.drain()).toMatchObject([{ outcome: 'completed' }]);
});

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url));

/** How the process ended, and what it printed. */
async function run(args: readonly string[]): Promise<{ readonly code: number | null; readonly printed: string }> {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '' } });
  const [printed, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, printed: printed + complaints };
}

test('a process that closes its queue ends by itself, whatever was open', async () => {
  expect(await run([PROGRAM])).toEqual({ code: 0, printed: 'open until closed\nclosed\n' });
});

test("Node's own test runner runs it, and ends", async () => {
  const { code, printed } = await run(['--test', '--test-reporter=tap', fileURLToPath(new URL('node-test.ts', import.meta.url))]);
  expect(printed).toContain('# pass 2');
  expect(code).toBe(0);
});
