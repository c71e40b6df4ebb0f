/** From page to page by the keys of rows: what comes meanwhile moves nothing. */
import type { Sort } from '../../../domain/job-query/query.ts';
import { useKey } from '../../parts/use-key.ts';
import { Button } from '../../parts/button.tsx';
import { turnTo } from './asked.ts';
import type { JobsPage } from './rows/page.ts';

/** What lies before a page and behind it. `[` leads to older jobs where the order is one of age. */
const WORDS: Readonly<Record<Sort, readonly [before: string, after: string]>> = {
  newest: ['Newer', 'Older'],
  oldest: ['Older', 'Newer'],
  next: ['Sooner', 'Later'],
  finished: ['Later', 'Earlier'],
};

interface PagerProps {
  readonly page: JobsPage;
  readonly sort: Sort;
  readonly isFirst: boolean;
}

export function Pager({ page: { pageInfo }, sort, isFirst }: PagerProps) {
  const { startCursor, endCursor, hasNextPage, hasPreviousPage } = pageInfo;
  const after = hasNextPage && endCursor !== null ? () => turnTo({ after: endCursor }) : null;
  const before = hasPreviousPage && startCursor !== null && !isFirst ? () => turnTo({ before: startCursor }) : null;
  const [older, newer] = sort === 'oldest' ? [before, after] : [after, before];
  useKey('[', older);
  useKey(']', newer);
  if (isFirst && after === null) return null;
  const [beforeWord, afterWord] = WORDS[sort];
  return (
    <nav class="pager" aria-label="Pages">
      <span class="actions">
        <Button onPress={() => turnTo({})} isDisabled={isFirst}>
          First page
        </Button>
        <Button onPress={() => before?.()} isDisabled={before === null} hint={sort === 'oldest' ? '[' : ']'}>
          {`‹ ${beforeWord}`}
        </Button>
      </span>
      <Button onPress={() => after?.()} isDisabled={after === null} hint={sort === 'oldest' ? ']' : '['}>
        {`${afterWord} ›`}
      </Button>
    </nav>
  );
}
