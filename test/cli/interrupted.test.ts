/** What a command leaves behind that is interrupted while it writes a file: nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/store.ts';

const TIDYING = new URL('../../src/cli/database/interrupted.ts', import.meta.url).href;

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the process as it ends any other, once its unfinished file is gone', async (signal) => {
  using folder = temporaryFolder();
  const file = folder.file('unfinished');
  writeFileSync(file, 'half');
  const program = `
    const { tidyingUp } = await import(${JSON.stringify(TIDYING)});
    const work = tidyingUp([${JSON.stringify(file)}], () => new Promise((resolve) => setTimeout(resolve, 1_000_000)));
    console.log('at work');
    await work;`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([null, signal]);
  expect(existsSync(file)).toBe(false);
});
