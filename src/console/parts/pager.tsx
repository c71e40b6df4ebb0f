/** Pages of a list, forwards from its beginning. */
import { useKey } from './use-key.ts';
import { setSearch } from '../route/route.ts';
import { Button } from './button.tsx';

interface PagerProps {
  /** Where this page begins; null at the beginning. */
  readonly after: string | null;
  /** Where the next page begins; null where there is none. */
  readonly next: string | null | undefined;
  /** Absent: the place is in the address as `after`. */
  readonly onTurn?: (after: string | null) => void;
  /** `[` turns to the next page. */
  readonly hasKey?: boolean;
}

/** Nothing is drawn where one page is all. */
export function Pager({ after, next = null, onTurn = (place) => setSearch({ after: place }), hasKey = false }: PagerProps) {
  useKey('[', hasKey && next !== null ? () => onTurn(next) : null);
  if (after === null && next === null) return null;
  return (
    <div class="pager">
      <Button isDisabled={after === null} onPress={() => onTurn(null)}>
        First page
      </Button>
      <Button isDisabled={next === null} onPress={() => onTurn(next)} hint={hasKey ? '[' : undefined}>
        Next page
      </Button>
    </div>
  );
}

/** The next page of a connection. */
export function nextOf(page: { readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null } } | null): string | null {
  return page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null;
}
