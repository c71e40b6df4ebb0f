/** Who holds what, until when, and who has fallen silent. */
import { Link } from '../../route/link.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { isScreenOpen } from '../../frame/rights.ts';
import { Leases } from './leases.tsx';
import { Workers } from './workers.tsx';

export function Screen() {
  return (
    <>
      <ScreenHead
        title="Workers & leases"
        name="Workers & leases"
        lead="A worker is known by the name it gives itself. A lease that runs out gives its job back to the queue."
        actions={
          isScreenOpen('play') ? (
            <Link to="play" class="button">
              Play a worker
            </Link>
          ) : undefined
        }
      />
      <Leases />
      <Workers />
    </>
  );
}
