/** One run: measures what is wanted, and keeps what came out. */
import { createLoadProcess } from './load/load-process.ts';
import type { Case, Figures, Measurement, Row, Run, Suite } from './row.ts';
import type { Scale } from './scale.ts';
import { medians, spread } from './statistics.ts';
import type { Workspace } from './workspace.ts';

export interface RunParts {
  readonly suites: readonly Suite[];
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

/** Measures every wanted row. A row that fails does not keep the others. */
export async function measure({ suites, wanted, scale, workspace, say }: RunParts): Promise<readonly Measurement[]> {
  const records = new Map<string, Entry>();
  const rows = suites.flatMap((suite) => suite.rows).filter(({ name }) => wanted.has(name));
  for (const { name } of rows) records.set(name, { runs: [], problem: null, note: null });

  for (const suite of suites) {
    if (!suite.rows.some(({ name }) => wanted.has(name))) continue;
    say(`— ${suite.name}`);
    await using load = createLoadProcess();
    const run: Run = { scale, workspace, load, ...recorder(records, scale, say) };
    try {
      await suite.measure(run);
    } catch (error) {
      for (const { name } of suite.rows) {
        const entry = records.get(name);
        if (entry !== undefined) entry.problem ??= { kind: 'failed', reason: reasonOf(error) };
      }
    }
  }
  return rows.map((row) => measurementOf(row, records.get(row.name)));
}

function recorder(records: ReadonlyMap<string, Entry>, scale: Scale, say: (text: string) => void): Pick<Run, 'wants' | 'alternate' | 'skip' | 'note'> {
  const attempt = async (name: string, record: Entry, measureOnce: Case, repeat: number): Promise<void> => {
    if (record.problem !== null) return;
    try {
      record.runs.push(await measureOnce());
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
