/** A job that is not there: never was, or not any more. */
import { viewer } from '../../api/session.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Ago, At } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Button } from '../../parts/button.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { Link } from '../../route/link.tsx';
import { tenantInPath } from '../../route/route.ts';
import type { Gone } from './use-job.ts';

export function GoneNotice({ gone: { at, by, isExact } }: { readonly gone: Gone }) {
  return (
    <Notice tone="warn" title="This job is gone.">
      <p>
        {isExact ? (
          <>
            It was removed at <At at={at} /> (<Ago at={at} />){by === null ? '' : ' by the key '}
            <bdi>{by}</bdi>.
          </>
        ) : (
          <>
            It was missed at <At at={at} /> (<Ago at={at} />
            ): retention or somebody removed it.
          </>
        )}{' '}
        You see what was known of it; nothing of this can be loaded again, and its link leads nowhere from now on.
      </p>
    </Notice>
  );
}

export function NoSuchJob({ id, onRetry }: { readonly id: string; readonly onRetry: () => void }) {
  const queues = viewer.value?.apiKey.queues ?? [];
  return (
    <>
      <ScreenHead
        name="No such job"
        title="There is no such job."
        lead={
          <>
            <bdi class="code job-id">{id}</bdi> <CopyButton text={id} what="id" words="Copy id" />
          </>
        }
      />
      <Notice title="What to check">
        <ul>
          <li>The id: all 36 characters of it, as they were given when it was submitted.</li>
          <li>
            The tenant: this address is about <bdi>{tenantInPath.value}</bdi>.
          </li>
          <li>Its age: retention removes jobs some time after their end, and an operator can remove them before.</li>
          {queues.length === 0 ? null : <li>Your key, which sees some queues only: {queues.join(', ')}.</li>}
        </ul>
        <p class="row middle">
          <Button onPress={onRetry}>Look again</Button> <Link to="jobs">All jobs</Link>
        </p>
      </Notice>
    </>
  );
}
