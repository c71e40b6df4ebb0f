/** An error as a worker told it: text of somebody else, never interpreted. */
import type { DeadLetterGroupFieldsFragment } from '../../../client/index.ts';
import { Spark } from '../../parts/spark.tsx';
import { counted } from '../../parts/words.ts';

export function ErrorWords({ type, message }: { readonly type: string | null; readonly message: string }) {
  return (
    <span title={type === null ? message : `${type}: ${message}`}>
      {type === null ? null : (
        <>
          <bdi class="error-type">{type}</bdi>{' '}
        </>
      )}
      <bdi>{message === '' ? '(no message)' : message}</bdi>
    </span>
  );
}

export function Trend({ trend }: Pick<DeadLetterGroupFieldsFragment, 'trend'>) {
  const values = trend.map(({ died }) => died);
  const all = values.reduce((sum, each) => sum + each, 0);
  return (
    <span data-state="dead">
      <Spark values={values} label={`${counted(all, 'job')} died in the last 24 hours`} />
    </span>
  );
}
