/** One run: measures what is wanted, and keeps what came out. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadProcess, type LoadProcess } from './load/load-process.ts';
import type { Case, Figures, Measurement, Row, Run, Suite } from './row.ts';
import type { Scale } from './scale.ts';
import { medians, spread } from './statistics.ts';
import type { Workspace } from './workspace.ts';

export interface RunParts {
  /** Suites of one group are compared with each other, so that they take turns, repeat by repeat. */
  readonly groups: readonly (readonly Suite[])[];
  readonly wanted: ReadonlySet<string>;
  readonly scale: Scale;
  readonly workspace: Workspace;
  readonly say: (text: string) => void;
}

interface Entry {
  readonly runs: Figures[];
  problem: Measurement['problem'];
  note: string | null;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function namesOf({ rows }: Suite): readonly string[] {
  return rows.map(({ name }) => name);
}

function tooLate({ secondsMax }: Scale): string {
  return `the ${secondsMax} s of such a run were over: choose with --only, or leave --quick away`;
}

/** Measures every wanted row. A row that fails does not keep the others. */
export async function measure({ groups, wanted, scale, workspace, say }: RunParts): Promise<readonly Measurement[]> {
  const records = new Map<string, Entry>();
  const rows = groups.flatMap((suites) => suites.flatMap((suite) => suite.rows)).filter(({ name }) => wanted.has(name));
  for (const { name } of rows) records.set(name, { runs: [], problem: null, note: null });
  const deadlineMs = performance.now() + scale.secondsMax * 1_000;
  for (const group of groups) {
    const suites = group.filter((suite) => suite.rows.some(({ name }) => wanted.has(name)));
    const passes = suites.length > 1 ? scale.repeats : 1;
    const passScale = { ...scale, repeats: scale.repeats / passes };
    for (let pass = 0; pass < passes; pass++) {
      for (const suite of suites) {
        await measureSuite(suite, { scale: passScale, workspace, records, deadlineMs, say });
      }
    }
  }
  return rows.map((row) => measurementOf(row, records.get(row.name)));
}

interface Pass extends Pick<RunParts, 'scale' | 'workspace' | 'say'> {
  readonly records: ReadonlyMap<string, Entry>;
  /** Nothing is begun after it, and nothing goes on for long. */
  readonly deadlineMs: number;
}

async function measureSuite(suite: Suite, pass: Pass): Promise<void> {
  const { scale, workspace, records, deadlineMs, say } = pass;
  await using load = createLoadProcess();
  const run: Run = { scale, workspace, load, ...recorder(pass, load) };
  if (performance.now() > deadlineMs) return run.skip(namesOf(suite), tooLate(scale));
  say(`— ${suite.name}`);
  try {
    await suite.measure(run);
  } catch (error) {
    for (const name of namesOf(suite)) {
      const entry = records.get(name);
      if (entry !== undefined) entry.problem ??= { kind: 'failed', reason: reasonOf(error) };
    }
  }
}

const GRACE_MS = 5_000;

/** Null where it took too long: then its load has been ended. */
async function inTime(measureOnce: Case, load: LoadProcess, deadlineMs: number): Promise<Figures | null> {
  if (!Number.isFinite(deadlineMs)) return measureOnce();
  const over = new AbortController();
  const late = sleep(deadlineMs + GRACE_MS - performance.now(), null, { signal: over.signal });
  late.catch(() => {});
  const measuring = measureOnce();
  measuring.catch(() => {});
  try {
    const figures = await Promise.race([measuring, late]);
    if (figures === null) await load[Symbol.asyncDispose]();
    return figures;
  } finally {
    over.abort();
  }
}

function recorder({ records, scale, deadlineMs, say }: Pass, load: LoadProcess): Pick<Run, 'wants' | 'alternate' | 'skip' | 'note'> {
  const attempt = async (name: string, record: Entry, measureOnce: Case, repeat: number): Promise<void> => {
    if (record.problem !== null) return;
    try {
      const figures = performance.now() > deadlineMs ? null : await inTime(measureOnce, load, deadlineMs);
      if (figures === null) {
        record.problem = { kind: 'not measured', reason: tooLate(scale) };
        return;
      }
      record.runs.push(figures);
      say(`${name}${scale.repeats > 1 ? ` ${repeat}/${scale.repeats}` : ''}`);
    } catch (error) {
      record.problem = { kind: 'failed', reason: reasonOf(error) };
      say(`${name} FAILED: ${record.problem.reason}`);
    }
  };
  return {
    wants: (name) => records.has(name),
    note: (name, text) => {
      const record = records.get(name);
      if (record !== undefined) record.note = text;
    },
    skip: (names, reason) => {
      for (const name of names) {
        const record = records.get(name);
        if (record !== undefined && record.runs.length === 0) record.problem ??= { kind: 'not measured', reason };
      }
    },
    alternate: async (cases) => {
      for (let repeat = 1; repeat <= scale.repeats; repeat++) {
        for (const [name, measureOnce] of Object.entries(cases)) {
          const record = records.get(name);
          if (record !== undefined) await attempt(name, record, measureOnce, repeat);
        }
      }
    },
  };
}

function measurementOf(row: Row, record: Entry | undefined): Measurement {
  const runs = record?.runs ?? [];
  const headlines = runs.flatMap((figures) => figures[row.headline] ?? []);
  const problem = record?.problem ?? (runs.length === 0 ? { kind: 'not measured' as const, reason: 'its suite did not get there' } : null);
  return { row, runs, median: medians(runs), spread: spread(headlines), problem, note: record?.note ?? null };
}
