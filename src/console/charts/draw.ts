/** Draws one chart with uPlot. Loaded when the first chart comes into view. */
import uPlot from 'uplot';

export interface Line {
  readonly label: string;
  /** One value for each instant; null where nothing is known. */
  readonly values: readonly (number | null)[];
  /** The name of a colour token. */
  readonly tone: string;
  readonly isDashed?: boolean;
}

export interface Drawing {
  /** Epoch seconds. */
  readonly at: readonly number[];
  readonly lines: readonly Line[];
  readonly words: (value: number) => string;
  readonly isUtc: boolean;
}

export interface DrawnChart {
  update(drawing: Drawing): void;
  resize(width: number): void;
  remove(): void;
}

const HEIGHT = 168;
/** Charts of one page show the same instant under the pointer. */
const SYNC = 'charts';

const token = (place: Element, name: string): string => getComputedStyle(place).getPropertyValue(name).trim();

/** The colour itself: a canvas knows no `light-dark()`, so that an element has to work it out. */
function colour(place: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function dataOf({ at, lines }: Drawing): uPlot.AlignedData {
  return [[...at], ...lines.map(({ values }) => [...values])];
}

function linesOf(place: HTMLElement, { lines }: Drawing): uPlot.Series[] {
  return lines.map(({ label, tone, isDashed = false }) => {
    const stroke = colour(place, `--${tone}`);
    return {
      label,
      stroke,
      width: 1.75,
      points: { show: false },
      ...(isDashed ? { dash: [5, 4] } : { fill: stroke.replace('rgb(', 'rgba(').replace(')', ', 0.07)') }),
    };
  });
}

const DAY_SECONDS = 86_400;

/** The time of day, or the day where the axis spans more than one. */
function instantWords(splits: readonly number[], isUtc: boolean): string[] {
  const isDays = (splits.at(-1) ?? 0) - (splits[0] ?? 0) >= 2 * DAY_SECONDS;
  const parts: Intl.DateTimeFormatOptions = isDays ? { month: 'short', day: '2-digit' } : { hour: '2-digit', minute: '2-digit' };
  const format = new Intl.DateTimeFormat('en-GB', { ...parts, ...(isUtc && { timeZone: 'UTC' }) });
  return splits.map((seconds) => format.format(seconds * 1_000));
}

function axesOf(place: HTMLElement, { words, isUtc }: Drawing): uPlot.Axis[] {
  const shared = {
    stroke: colour(place, '--ink-quiet'),
    font: `11px ${token(place, '--sans')}`,
    grid: { stroke: colour(place, '--line'), width: 1 },
    ticks: { show: false },
  };
  return [
    { ...shared, grid: { show: false }, space: 70, size: 26, gap: 4, values: (_chart, splits) => instantWords(splits, isUtc) },
    { ...shared, size: 56, gap: 6, space: 34, values: (_chart, splits) => splits.map(words) },
  ];
}

/** `onHover` is told the place in `at` under the pointer, null where there is none. */
export function draw(place: HTMLElement, drawing: Drawing, onHover: (index: number | null) => void): DrawnChart {
  const { isUtc } = drawing;
  const chart = new uPlot(
    {
      width: Math.max(1, place.clientWidth),
      height: HEIGHT,
      padding: [10, 8, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: SYNC }, y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: { y: { range: (_chart, _min, max) => [0, Math.max(1, max ?? 0) * 1.05] } },
      ...(isUtc && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') }),
      series: [{}, ...linesOf(place, drawing)],
      axes: axesOf(place, drawing),
      hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? null)] },
    },
    dataOf(drawing),
    place,
  );
  return {
    update: (next) => chart.setData(dataOf(next)),
    resize: (width) => chart.setSize({ width, height: HEIGHT }),
    remove: () => chart.destroy(),
  };
}
