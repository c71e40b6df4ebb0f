/** A chart over time: lines with their names and values, and the same as a table for whoever reads rather than looks. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { preferences } from '../api/preferences.ts';
import { nowMs } from '../api/time.ts';
import { Notice } from '../parts/notice.tsx';
import { clockTime } from '../parts/words.ts';
import type { Drawing, DrawnChart, Line } from './draw.ts';
import { ensureLanguage } from './language.ts';

interface TimeChartProps {
  readonly title: string;
  readonly at: readonly number[];
  readonly lines: readonly Line[];
  /** A value as a person reads it. */
  readonly words: (value: number) => string;
}

export function TimeChart({ title, at, lines, words }: TimeChartProps) {
  const hovered = useSignal<number | null>(null);
  const isTable = useSignal(false);
  const index = hovered.value ?? lastKnown(lines);
  const shownAt = at[index];
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend">
          {lines.map(({ label, tone, values, isDashed = false }) => (
            <li key={label}>
              <span class="legend-mark" data-tone={tone} data-dashed={isDashed} aria-hidden="true" />
              {label} <b>{wordsOf(values[index], words)}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      {isTable.value ? (
        <ChartTable title={title} at={at} lines={lines} words={words} />
      ) : (
        <Canvas title={title} drawing={{ at, lines, words, isUtc: preferences.value.isUtc }} onHover={(place) => (hovered.value = place)} />
      )}
      <div class="chart-foot">
        <span class="muted">{shownAt === undefined ? '' : `at ${clockTime(shownAt * 1_000, nowMs.peek(), preferences.value.isUtc)}`}</span>
        <button type="button" class="button" data-tone="quiet" aria-pressed={isTable.value} onClick={() => (isTable.value = !isTable.value)}>
          {isTable.value ? 'As a chart' : 'As a table'}
        </button>
      </div>
    </figure>
  );
}

/** The latest place that every line has a value for, where there is one. */
function lastKnown(lines: readonly Line[]): number {
  const length = lines[0]?.values.length ?? 0;
  for (let index = length - 1; index >= 0; index--) if (lines.every(({ values }) => values[index] != null)) return index;
  return length - 1;
}

function wordsOf(value: number | null | undefined, words: (value: number) => string): string {
  return value == null ? '–' : words(value);
}

interface CanvasProps {
  readonly title: string;
  readonly drawing: Drawing;
  readonly onHover: (index: number | null) => void;
}

function Canvas({ title, drawing, onHover }: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<DrawnChart | null>(null);
  const hasFailed = useSignal(false);
  const latest = useRef(drawing);
  latest.current = drawing;
  const { theme } = preferences.value;

  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    let isGone = false;
    const watch = new ResizeObserver(([entry]) => entry !== undefined && chart.current?.resize(Math.max(1, entry.contentRect.width)));
    ensureLanguage();
    import('./draw.ts').then(
      ({ draw }) => {
        if (isGone) return;
        chart.current = draw(current, latest.current, onHover);
        watch.observe(current);
      },
      () => (hasFailed.value = true),
    );
    return () => {
      isGone = true;
      watch.disconnect();
      chart.current?.remove();
      chart.current = null;
    };
    // Another theme has other colours, another set of lines another chart.
  }, [theme, drawing.isUtc, drawing.lines.map(({ label }) => label).join('\n')]);

  useEffect(() => chart.current?.update(drawing), [drawing.at, drawing.lines]);

  if (hasFailed.value) return <Notice tone="warn" title="The charts could not be loaded. The tables have the same figures." />;
  return <div class="chart-room" ref={place} role="img" aria-label={`${title}: a chart. The table has the same figures.`} />;
}

function ChartTable({ title, at, lines, words }: TimeChartProps) {
  return (
    <div class="table-room chart-table" role="region" aria-label={`${title}, as a table`} tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Time</th>
            {lines.map(({ label }) => (
              <th key={label} scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {at
            .map((seconds, index) => (
              <tr key={seconds}>
                <td>{clockTime(seconds * 1_000, nowMs.peek(), preferences.value.isUtc)}</td>
                {lines.map(({ label, values }) => (
                  <td key={label} class="number">
                    {wordsOf(values[index], words)}
                  </td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </div>
  );
}
