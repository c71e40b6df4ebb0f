/** "12 new – show": what has come since waits until somebody wants to see it. */
import type { Sort } from '../../../../domain/job-query/query.ts';
import { Button } from '../../../parts/button.tsx';
import { count } from '../../../parts/words.ts';
import type { JobsPage } from './page.ts';
import { ARRIVALS_MAX, useArrivals } from './use-arrivals.ts';

interface ArrivalsButtonProps {
  readonly page: JobsPage | null;
  readonly sort: Sort;
  readonly isFirst: boolean;
  readonly onShow: () => void;
}

export function ArrivalsButton({ page, sort, isFirst, onShow }: ArrivalsButtonProps) {
  const found = useArrivals(page, sort, isFirst);
  if (found === 0) return null;
  return <Button onPress={onShow}>{`${count(found)}${found === ARRIVALS_MAX ? '+' : ''} new – show`}</Button>;
}
