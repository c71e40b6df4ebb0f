/** The goals for performance, computed from what was measured. They are ratios of one run wherever they can be. */
import { bestDurablePeer } from './report.ts';
import type { Measurement } from './row.ts';

export interface Goal {
  readonly id: string;
  /** With its target. */
  readonly text: string;
  /** Null where a row that it needs was not measured. */
  readonly value: number | null;
  readonly met: boolean | null;
}

/** A row's figure; its headline where none is named. */
type Figure = readonly [row: string, figure?: string];
type Target = { readonly atLeast: number } | { readonly atMost: number };

export function goalsOf(measurements: readonly Measurement[]): readonly Goal[] {
  const byName = new Map(measurements.map((measurement) => [measurement.row.name, measurement]));
  const read = ([name, figure]: Figure): number | null => {
    const measurement = byName.get(name);
    return measurement?.median[figure ?? measurement.row.headline] ?? null;
  };
  const goal = (id: string, text: string, value: number | null, target: Target): Goal => {
    const met = value === null ? null : 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
    return { id, text: `${text} ${'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`}`, value, met };
  };
  const one = (id: string, text: string, figure: Figure, target: Target): Goal => goal(id, text, read(figure), target);
  const ratio = (id: string, text: string, above: Figure, below: Figure, target: Target): Goal => {
    const [upper, lower] = [read(above), read(below)];
    return goal(id, text, upper === null || lower === null ? null : upper / lower, target);
  };
  const submit: Figure = ['submit/http/64'];
  return [
    ratio('P1', 'submitJob at 64 connections, to bare node:http', submit, ['ceiling/echo/64'], { atLeast: 0.45 }),
    ratio('P1', 'submitJob at 64 connections, to the empty mutation', submit, ['http/empty-mutation/64'], { atLeast: 0.9 }),
    ratio('P1', 'submitJob at 64 connections, to one transaction a request', submit, ['submit/one-a-commit/64'], { atLeast: 6 }),
    ratio('P1', 'the same where a sync takes 2 ms more', ['submit/http-2ms/64'], ['submit/one-a-commit-2ms/64'], { atLeast: 25 }),
    ...peerGoals(measurements),
    one('P3', 'jobs processed per second at concurrency 100', best(byName, 'process/100', 'process/100-two-claims'), { atLeast: 20_000 }),
    one('P3', 'the same with prefetch', best(byName, 'process/100-prefetch', 'process/100-prefetch-two-claims'), { atLeast: 28_000 }),
    ratio('P4', 'p50 of a claim at 11,000,000 jobs, to that at 10,000', ['depth/claim/11m', 'p50Ms'], ['depth/claim/10k', 'p50Ms'], { atMost: 1.3 }),
    ratio('P4', 'p99 of a claim, likewise', ['depth/claim/11m', 'p99Ms'], ['depth/claim/10k', 'p99Ms'], { atMost: 2 }),
    ratio('P4', 'p50 of a claim of 100, likewise', ['depth/claim-100/11m', 'p50Ms'], ['depth/claim-100/10k', 'p50Ms'], { atMost: 1.3 }),
    ratio('P4', 'p50 of a submission, likewise', ['depth/submit/11m', 'p50Ms'], ['depth/submit/10k', 'p50Ms'], { atMost: 1.5 }),
    one('P4', 'p95 in ms of the slowest read of console and metrics at 11,000,000 jobs', ['depth/reads/11m', 'worstP95Ms'], { atMost: 50 }),
    one('P4', 'p95 in ms of stats at 11,000,000 jobs', ['depth/reads/11m', 'statsP95Ms'], { atMost: 5 }),
    one('P5', 'p99 in ms of a submission at half the peak load', ['steady/half-peak', 'p99Ms'], { atMost: 10 }),
    one('P5', 'p99 in ms of a submission at 64 saturated connections', ['submit/http/64', 'p99Ms'], { atMost: 12 }),
    one('P5', 'longest stall in ms of the event loop under mixed load', ['steady/mixed', 'stallMaxMs'], { atMost: 20 }),
    one('P6', 'event deliveries per second to 100 followers', ['events/100-websocket'], { atLeast: 300_000 }),
    one('P6', 'KiB for each of 1,000 followers', ['events/memory-websocket'], { atMost: 30 }),
    one('P6', 'percent of a core for 1,000 idle followers', ['events/idle-websocket'], { atMost: 1 }),
    one('P7', 'MiB resident under load at 11,000,000 jobs', ['depth/memory/11m'], { atMost: 200 }),
    one('P7', 'ms from start to ready', ['start/compiled'], { atMost: 1_000 }),
    one('P7', 'ms from start to ready at 11,000,000 jobs', ['depth/start/11m'], { atMost: 1_000 }),
    one('P8', 'bytes on disk for a finished job, payload aside', ['disk/finished-job'], { atMost: 450 }),
    one('P10', 'submitJob at 64 connections with keys, to an open server', ['access/submit/64'], { atLeast: 0.95 }),
    one('P10', 'claims and completions at 100 with keys, to an open server', ['access/process/100'], { atLeast: 0.95 }),
    one('P11', 'claims and completions at 100 with 20 open consoles, to none', ['consoles/20', 'rateRatio'], { atLeast: 0.97 }),
    goal('P11', 'p95 in ms of the slowest question of a screen', slowestScreen(measurements), { atMost: 50 }),
    one('P12', '64 submissions in flight through the library, to single ones over 64 connections', ['sdk/submit/64-by-single', 'rateRatio'], { atLeast: 2 }),
  ];
}

function slowestScreen(measurements: readonly Measurement[]): number | null {
  const figures = measurements.flatMap(({ row, median }) => (row.name.startsWith('screens/') ? (median['p95Ms'] ?? []) : []));
  return figures.length === 0 ? null : Math.max(...figures);
}

/** Ahead of every durable peer, for each work that both were measured with: the best of our ways counts. */
function peerGoals(measurements: readonly Measurement[]): readonly Goal[] {
  const works = new Set(measurements.flatMap(({ row }) => (row.peer?.durable === true && row.peer.isServer && row.work !== undefined ? [row.work] : [])));
  return [...works].map((work) => {
    const own = measurements.filter(({ row }) => row.work === work && row.peer === undefined);
    const ratios = own.flatMap((measurement) => bestDurablePeer(measurement, measurements)?.ratio ?? []);
    const value = ratios.length === 0 ? null : Math.max(...ratios);
    return { id: 'P2', text: `${work}, to the best durable peer > 1`, value, met: value === null ? null : value > 1 };
  });
}

function best(byName: ReadonlyMap<string, Measurement>, ...names: readonly [string, ...string[]]): Figure {
  const figureOf = (name: string): number => {
    const measurement = byName.get(name);
    return measurement?.median[measurement.row.headline] ?? Number.NEGATIVE_INFINITY;
  };
  return [names.toSorted((a, b) => figureOf(b) - figureOf(a))[0] ?? names[0]];
}
