/** Pages of a list whose place is in the address as `after`. */
import { Button } from '../../parts/button.tsx';
import { setSearch } from '../../route/route.ts';

/** `next`: where the next page begins; null where there is none. Nothing is drawn where one page is all. */
export function Pager({ after, next }: { readonly after: string | null; readonly next: string | null }) {
  if (after === null && next === null) return null;
  return (
    <div class="pager">
      <Button isDisabled={after === null} onPress={() => setSearch({ after: null })}>
        First page
      </Button>
      <Button isDisabled={next === null} onPress={() => setSearch({ after: next })}>
        Next page
      </Button>
    </div>
  );
}
