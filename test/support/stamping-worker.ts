/**
 * A program with a worker in it, which notes when each of its handlers begins and ends in a file of its own, and prints what
 * happens to the worker. Its one argument is its settings as JSON.
 */
import { openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LeaseQueue } from '../../src/client/index.ts';
import { type RunningJob, Worker } from '../../src/worker/index.ts';
import type { ProgramSettings, Stamp, Work } from './worker-process.ts';

const { url, notes, ...options } = JSON.parse(process.argv[2] ?? '{}') as ProgramSettings;
const file = openSync(notes, 'a');

/** Written before anything else happens. The clock is one for all processes of a machine. */
function note(what: Stamp['what'], { id, fence, attempt }: RunningJob): void {
  const stamp: Stamp = { what, job: id, fence, attempt, pid: process.pid, atUs: Number(process.hrtime.bigint() / 1_000n) };
  writeSync(file, `${JSON.stringify(stamp)}\n`);
}

function say(line: object): void {
  console.log(JSON.stringify(line));
}

/** Nothing else happens in this process meanwhile. */
function calculate(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

const QUIET: readonly string[] = ['job-started', 'job-completed', 'job-released', 'job-aborted', 'no-work'];

const worker = new Worker(new LeaseQueue({ url }), {
  ...options,
  onEvent: (event) => void (QUIET.includes(event.type) || say({ type: event.type })),
}).onAny(async ({ input, job, signal }) => {
  const { ms, firstBlocksMs = 0 } = input as unknown as Work;
  note('start', job);
  try {
    if (job.fence > 1 || firstBlocksMs === 0) await pause(ms, undefined, { signal });
    else calculate(firstBlocksMs);
  } catch {
    note('aborted', job);
    throw signal.reason;
  }
  note('done', job);
  return { fence: job.fence, pid: process.pid };
});

// A reader that is gone must not end the work.
process.stdout.on('error', () => {});

const report = worker.run();
say({ type: 'working' });
await report;
