/** The few statistics of a run. */
import type { Figures } from './row.ts';

/** The value below which `share` of the samples lie; NaN of none. Sorts a copy. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}

/** The median of each figure. */
export function medians(runs: readonly Figures[]): Figures {
  const names = new Set(runs.flatMap((run) => Object.keys(run)));
  return Object.fromEntries([...names].map((name) => [name, median(runs.flatMap((run) => run[name] ?? []))]));
}

/** (largest - smallest) / median; 0 of one value. */
export function spread(values: readonly number[]): number {
  return values.length < 2 ? 0 : (Math.max(...values) - Math.min(...values)) / median(values);
}

/** How long things took, in milliseconds. */
export function latencies(samplesMs: readonly number[]): { readonly p50Ms: number; readonly p95Ms: number; readonly p99Ms: number; readonly maxMs: number } {
  return { p50Ms: percentile(samplesMs, 0.5), p95Ms: percentile(samplesMs, 0.95), p99Ms: percentile(samplesMs, 0.99), maxMs: percentile(samplesMs, 1) };
}
