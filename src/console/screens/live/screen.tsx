/** The event stream: every transition of the tenant's jobs, as it is committed. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { FollowedEvent } from '../../../client/index.ts';
import { namedTenant } from '../../api/session.ts';
import { useKey } from '../../parts/use-key.ts';
import { Button } from '../../parts/button.tsx';
import { Command } from '../../parts/copy.tsx';
import { submitCommand } from '../../parts/next-commands.ts';
import { Empty, Notice, Trouble } from '../../parts/notice.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { route, setSearch } from '../../route/route.ts';
import type { EventStream } from './event-stream.ts';
import { type Filter, filterOf, isFiltering } from './filter.ts';
import { Filters, withoutFilter } from './filters.tsx';
import { List, Stage } from './list.tsx';
import { EventDialog, PlaceDialog } from './place.tsx';
import { PauseButton, Status } from './status.tsx';
import { useStream } from './use-stream.ts';

/** Another tenant's log is another stream. */
export function Screen() {
  return <Live key={namedTenant.value ?? ''} />;
}

function Live() {
  const { search } = route.value;
  const filter = useMemo(() => filterOf(search), [search]);
  const { stream, start, refusal } = useStream(filter, search.get('from'));
  const isChoosing = useSignal(false);
  const opened = useSignal<FollowedEvent | null>(null);
  const open = useMemo(() => (event: FollowedEvent) => void (opened.value = event), [opened]);
  useKey('p', () => stream.toggle());
  return (
    <>
      <ScreenHead
        title="Live"
        name="Live"
        lead="What happens to jobs, as it is committed. Newest on top."
        actions={
          <>
            <Button onPress={() => (isChoosing.value = true)}>Read from…</Button>
            <PauseButton stream={stream} />
          </>
        }
      />
      <Filters filter={filter} stream={stream} />
      {start.error === null ? null : <Trouble error={start.error} what="Finding the place to begin" onRetry={start.reload} />}
      {refusal === null ? null : <Refused reason={refusal} onRetry={start.reload} />}
      <Stage stream={stream}>
        <Status stream={stream} />
        <List stream={stream} onOpen={open} />
      </Stage>
      <Nothing stream={stream} filter={filter} />
      {isChoosing.value ? <PlaceDialog cursor={stream.cursor} onClose={() => (isChoosing.value = false)} /> : null}
      {opened.value === null ? null : <EventDialog event={opened.value} onClose={() => (opened.value = null)} />}
    </>
  );
}

function Refused({ reason, onRetry }: { readonly reason: string; readonly onRetry: () => void }) {
  return (
    <Notice tone="bad" title="The server does not let this be followed.">
      <p>
        <bdi>{reason}</bdi> What is listed stays as it was.
      </p>
      <div class="row">
        <Button onPress={onRetry}>Try again</Button>
        <Button onPress={() => setSearch({ from: null })}>Begin with now</Button>
      </div>
    </Notice>
  );
}

/** Below the head of the list, so that the first event moves nothing but this. */
function Nothing({ stream, filter }: { readonly stream: EventStream; readonly filter: Filter }) {
  const { items, held } = stream.listing.value;
  if (stream.round.value === 0 || items.length > 0 || held.length > 0) return null;
  if (isFiltering(filter))
    return (
      <Empty title="Nothing that matches has happened yet.">
        <p>It appears here as soon as it does.</p>
        <Button onPress={withoutFilter}>Show everything</Button>
      </Empty>
    );
  return (
    <Empty title="Nothing has happened yet since you began to look.">
      <p>It appears here as soon as it does. Submit a job to see one on its way:</p>
      <Command what="the command that submits a job" text={submitCommand()} />
    </Empty>
  );
}
