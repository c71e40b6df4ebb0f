/** The result as a table for people. */
import type { Conditions } from './conditions.ts';
import type { Goal } from './goals.ts';
import type { Measurement } from './row.ts';

const HEADINGS = ['row', 'figure', 'p50', 'p99', 'spread', 'of ceiling', 'to best durable peer', ''] as const;

const UNITS: readonly (readonly [suffix: string, unit: string])[] = [
  ['persecond', '/s'],
  ['ms', ' ms'],
  ['mib', ' MiB'],
  ['percent', ' %'],
  ['kibperfollower', ' KiB'],
  ['bytesperjob', ' B'],
];

function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

function withUnit(name: string, value: number): string {
  const [, unit = ''] = UNITS.find(([suffix]) => name.toLowerCase().endsWith(suffix)) ?? [];
  return `${number(value)}${unit}`;
}

function headlineOf({ row, median }: Measurement): number | undefined {
  return median[row.headline];
}

/** The peer's figure that is hardest to beat, of the servers that lose nothing that they acknowledged. */
export function bestDurablePeer(measurement: Measurement, all: readonly Measurement[]): { readonly name: string; readonly ratio: number } | null {
  const own = headlineOf(measurement);
  const { work, peer, better } = measurement.row;
  if (own === undefined || work === undefined || peer !== undefined) return null;
  const ratios = all.flatMap((other) => {
    const figure = headlineOf(other);
    if (other.row.work !== work || other.row.peer?.durable !== true || !other.row.peer.isServer || figure === undefined) return [];
    return [{ name: other.row.peer.name, ratio: better === 'higher' ? own / figure : figure / own }];
  });
  return ratios.toSorted((a, b) => a.ratio - b.ratio)[0] ?? null;
}

function line(measurement: Measurement, all: readonly Measurement[]): readonly string[] {
  const { row, median, spread, problem, note, runs } = measurement;
  if (problem !== null) return [row.name, problem.kind === 'failed' ? 'FAILED' : 'not measured', '', '', '', '', '', problem.reason.split('\n')[0] ?? ''];
  const own = headlineOf(measurement) ?? Number.NaN;
  const ceiling = all.find(({ row: { name } }) => name === row.ceiling);
  const ceilingFigure = ceiling === undefined ? undefined : headlineOf(ceiling);
  const peer = bestDurablePeer(measurement, all);
  const shown = new Set(['p50Ms', 'p99Ms', row.headline, 'perSecond', 'requests', 'jobs', 'p95Ms']);
  const rest = Object.entries(median).flatMap(([name, value]) => (shown.has(name) ? [] : [`${name} ${number(value)}`]));
  return [
    row.name,
    withUnit(row.headline, own),
    median['p50Ms'] === undefined ? '' : `${number(median['p50Ms'])} ms`,
    median['p99Ms'] === undefined ? '' : `${number(median['p99Ms'])} ms`,
    runs.length < 2 ? '' : `${Math.round(spread * 100)} %`,
    ceilingFigure === undefined ? '' : `${Math.round((own / ceilingFigure) * 100)} %`,
    peer === null ? '' : `${number(peer.ratio)}× ${peer.name}`,
    [...rest, ...(note === null ? [] : [note])].join(', '),
  ];
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const isNumber = (column: number): boolean => column > 0 && column < HEADINGS.length - 1;
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function tableOf(measurements: readonly Measurement[]): string {
  return aligned([HEADINGS, ...measurements.map((measurement) => line(measurement, measurements))]);
}

export function goalLines(goals: readonly Goal[]): string {
  return goals
    .map(({ id, text, value, met }) => {
      const verdict = met === null ? 'not measured' : met ? 'met         ' : 'MISSED      ';
      return `${id}  ${verdict}  ${text}${value === null ? '' : `: ${number(value)}`}`;
    })
    .join('\n');
}

export function conditionLine(conditions: Conditions): string {
  const { cpu, cores, memoryGib, system, fileSystem, node, sqlite, leasequeue, commit, modified, loadAverage } = conditions;
  return `LeaseQueue ${leasequeue} (${commit ?? 'no commit'}${modified ? ', modified' : ''}), Node ${node}, SQLite ${sqlite}, ${system}, ${cpu}, ${cores} cores, ${memoryGib} GiB, ${fileSystem}, load average before ${loadAverage}`;
}
