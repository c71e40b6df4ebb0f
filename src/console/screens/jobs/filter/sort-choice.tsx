/** In which order jobs are listed: a part of the filter, so that a link keeps it. */
import type { JobQuery, Sort } from '../../../../domain/job-query/query.ts';
import { Choice } from '../../../parts/field.tsx';
import { ask } from '../asked.ts';

const SORTS: readonly (readonly [Sort, string])[] = [
  ['newest', 'newest first'],
  ['oldest', 'oldest first'],
  ['next', 'next to run'],
  ['finished', 'just finished'],
];

export function SortChoice({ query }: { readonly query: JobQuery }) {
  return <Choice label="Order" isBare value={query.sort} options={SORTS} onChoose={(sort) => ask({ ...query, sort })} />;
}
