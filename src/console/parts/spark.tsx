/** A small line of how something went: for the eye; the words beside it say the same. */

interface SparkProps {
  readonly values: readonly number[];
  /** What it shows, for screen readers. */
  readonly label: string;
}

const WIDTH = 96;
const HEIGHT = 22;

export function Spark({ values, label }: SparkProps) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <path class="spark-area" d={`M0,${HEIGHT} L${points.join(' L')} L${WIDTH},${HEIGHT} Z`} />
      <path class="spark-line" d={`M${points.join(' L')}`} />
    </svg>
  );
}
