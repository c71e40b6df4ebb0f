/** A program for `leasequeue worker run` that writes down when it starts, when it is told to end, when it ends, and that it lives. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export interface Stamp {
  readonly what: 'start' | 'alive' | 'term' | 'end';
  readonly job: string;
  readonly fence: number;
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

const PROGRAM = `import { appendFileSync, existsSync } from 'node:fs';
const [notes, ms, ...manners] = process.argv.slice(2);
const { LEASEQUEUE_JOB_ID: job, LEASEQUEUE_JOB_FENCE: fence } = process.env;
const note = (what) => appendFileSync(notes, JSON.stringify({ what, job, fence: Number(fence), pid: process.pid, atMs: Date.now() }) + '\\n');
const end = (code) => { note('end'); process.exit(code); };
process.on('SIGTERM', () => { note('term'); if (!manners.includes('stubborn')) end(0); });
note('start');
setInterval(() => note('alive'), 50);
if (manners.includes('once') && Number(fence) > 1) end(0);
if (manners.includes('gate')) setInterval(() => { if (existsSync(notes + '.' + job)) end(0); }, 10);
if (ms !== 'never') setTimeout(end, Number(ms), 0);
`;

export interface JobProgram {
  /**
   * The words behind \`--\`. \`stubborn\`: goes on when it is told to end. \`once\`: ends at once unless the job is claimed for
   * the first time. \`gate\`: ends when the job's gate is opened.
   */
  words(ms: number | 'never', ...manners: readonly ('stubborn' | 'once' | 'gate')[]): readonly string[];
  open(job: string): void;
  stamps(): readonly Stamp[];
}

/** Files named after `path`. */
export function jobProgram(path: string): JobProgram {
  const [program, notes] = [`${path}.mjs`, `${path}.notes`];
  writeFileSync(program, PROGRAM);
  return {
    words: (ms, ...manners) => [process.execPath, program, notes, String(ms), ...manners],
    open: (job) => writeFileSync(`${notes}.${job}`, ''),
    stamps: () =>
      existsSync(notes)
        ? readFileSync(notes, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Stamp)
        : [],
  };
}
