/** Series of the server as lines of charts. Pure. */
import type { SeriesQuery } from '../../client/index.ts';
import type { Line } from './draw.ts';

export type Series = NonNullable<SeriesQuery['series']>;
type Point = Series['points'][number];

export const PERIODS = [
  ['HOUR', 'Last hour'],
  ['DAY', 'Last 24 hours'],
  ['WEEK', 'Last 7 days'],
] as const;
export type Period = (typeof PERIODS)[number][0];

export const periodOf = (text: string | null): Period => PERIODS.find(([period]) => period === text)?.[0] ?? 'HOUR';

/** Epoch seconds of every point. */
export const instantsOf = ({ points }: Series): readonly number[] => points.map(({ at }) => Date.parse(at) / 1_000);

type CountName = 'submitted' | 'claimed' | 'completed' | 'failed' | 'died' | 'expired';
type LevelName = 'ready' | 'delayed' | 'running' | 'retry' | 'dead';
type SecondsName = 'waitP50Seconds' | 'waitP95Seconds' | 'waitP99Seconds' | 'runP50Seconds' | 'runP95Seconds' | 'runP99Seconds';

const line = (label: string, tone: string, values: Line['values'], isDashed = false): Line => ({ label, tone, values, isDashed });

/** Events per minute; nothing for a step that is not over, of which they would tell too little. */
export function rates({ points, stepSeconds, to }: Series, names: readonly (readonly [CountName, label: string, tone: string])[]): readonly Line[] {
  const isOver = (point: Point): boolean => Date.parse(point.at) + stepSeconds * 1_000 <= Date.parse(to);
  return names.map(([name, label, tone]) =>
    line(
      label,
      tone,
      points.map((point) => (isOver(point) ? (point[name] * 60) / stepSeconds : null)),
    ),
  );
}

export function levels({ points }: Series, names: readonly (readonly [LevelName, label: string, tone: string])[]): readonly Line[] {
  return names.map(([name, label, tone]) =>
    line(
      label,
      tone,
      points.map((point: Point) => point[name]),
    ),
  );
}

export function seconds({ points }: Series, names: readonly (readonly [SecondsName, label: string, tone: string])[]): readonly Line[] {
  return names.map(([name, label, tone], index) =>
    line(
      label,
      tone,
      points.map((point: Point) => point[name]),
      index > 0,
    ),
  );
}
