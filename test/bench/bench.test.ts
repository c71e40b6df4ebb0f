import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { goalsOf } from '../../bench/goals.ts';
import type { Measurement } from '../../bench/row.ts';
import { GROUPS_WITH_PEERS } from '../../bench/suites/all.ts';
import { temporaryFolder } from '../support/store.ts';

const run = promisify(execFile);

function bench(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return run(process.execPath, ['bench/main.ts', ...args]);
}

interface Result {
  readonly conditions: { readonly node: string };
  readonly measurements: readonly Measurement[];
}

describe('the benchmark', () => {
  test('measures the rows that are asked for, prints them and keeps them with their conditions', async () => {
    using folder = temporaryFolder();
    const { stdout } = await bench(
      '--quick',
      '--only',
      'http/empty-query,ceiling/sqlite-submit/10',
      '--folder',
      folder.path,
      '--out',
      folder.file('result.json'),
    );
    const { conditions, measurements } = JSON.parse(readFileSync(folder.file('result.json'), 'utf8')) as Result;
    expect(conditions.node).toBe(process.versions.node);
    expect(measurements.map(({ row, problem }) => [row.name, problem])).toEqual([
      ['ceiling/sqlite-submit/10', null],
      ['ceiling/sqlite-submit/100', null],
      ['http/empty-query/64', null],
    ]);
    for (const { median, row } of measurements) {
      expect(median[row.headline]).toBeGreaterThan(0);
      expect(stdout).toContain(row.name);
    }
  }, 60_000);

  test('opens consoles beside those who work, and asks what every screen asks of a database that it makes', async () => {
    using folder = temporaryFolder();
    const database = folder.file('screens.db');
    const result = folder.file('result.json');
    await bench(
      ...['--quick', '--only', 'consoles,screens/database,screens/overview/stats,screens/jobs/rare-task,screens/dead/group-jobs'],
      ...['--screen-jobs', '2000', '--screen-database', database, '--folder', folder.path, '--out', result],
    );
    const { measurements } = JSON.parse(readFileSync(result, 'utf8')) as Result;
    expect(measurements.flatMap(({ row, problem }) => (problem === null ? [] : [row.name, problem.reason]))).toEqual([]);
    expect(measurements.map(({ row }) => row.name)).toContain('consoles/20');
    for (const { median, row } of measurements) expect(median[row.headline]).toBeGreaterThan(0);
    // It ends with 1 where the database disagrees with itself.
    await run(process.execPath, ['src/cli/main.ts', 'db', 'check'], { env: { ...process.env, LEASEQUEUE_DATABASE_PATH: database } });
  }, 120_000);

  test('refuses a row that does not exist, with exit code 2', async () => {
    await expect(bench('--only', 'no-such-row')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('no-such-row') });
  });

  test('has a name of its own for each row, and measures everything that a goal is about', () => {
    const rows = GROUPS_WITH_PEERS.flatMap((suites) => suites.flatMap((suite) => suite.rows));
    expect(rows.length).toBe(new Set(rows.map(({ name }) => name)).size);
    const median = new Proxy({}, { get: () => 1 });
    const measurements = rows.map((row): Measurement => ({ row, runs: [], median, spread: 0, problem: null, note: null }));
    const goals = goalsOf(measurements);
    expect(new Set(goals.map(({ id }) => id))).toEqual(new Set(['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8', 'P10', 'P11', 'P12']));
    expect(goals.filter(({ value }) => value === null)).toEqual([]);
  });

  test('a row that is compared with a ceiling names one that is measured', () => {
    const rows = GROUPS_WITH_PEERS.flatMap((suites) => suites.flatMap((suite) => suite.rows));
    const names = new Set(rows.map(({ name }) => name));
    expect(rows.flatMap(({ ceiling }) => (ceiling === undefined || names.has(ceiling) ? [] : [ceiling]))).toEqual([]);
  });
});
