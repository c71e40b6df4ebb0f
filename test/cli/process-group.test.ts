import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { processGroup } from '../../src/cli/worker/process-group.ts';
import { ManualClock } from '../support/manual-clock.ts';

test('a program that is gone is neither waited for nor killed, whose number may be that of another one', async () => {
  const clock = new ManualClock();
  const program = spawn(process.execPath, ['--version'], { detached: true, stdio: 'ignore' });
  const group = processGroup(program.pid ?? 0, { clock, killAfterMs: 1_000 });
  await once(program, 'exit');
  await group.gone();
  group.stop();
  expect(group.isStopped()).toBe(true);
  expect(clock.untilWakeMs()).toBeNull();
});
