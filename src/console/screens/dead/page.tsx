/** One group of dead letters: its jobs, and the way to redrive them, first one and then the rest. */
import { QueueLink } from '../../parts/links.tsx';
import { useSignal } from '@preact/signals';
import type { DeadLetterGroupFieldsFragment } from '../../../client/index.ts';
import { can, lq } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Ago } from '../../parts/moment.tsx';
import { Empty, Notice, Trouble } from '../../parts/notice.tsx';
import { Panel, ScreenHead } from '../../parts/screen.tsx';
import { counted } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { Canary } from './canary.tsx';
import { DiscardDialog } from './discard.tsx';
import { ErrorWords, Trend } from './error-words.tsx';
import { GroupJobs } from './jobs.tsx';
import { RedriveDialog } from './redrive.tsx';

const AGAIN_MS = 5_000;

export function GroupPage({ id }: { readonly id: string }) {
  const { value, error, isLoading, reload } = useLoaded(`group ${id}`, (signal) => lq.value.deadLetterGroup(id, { signal }), { everyMs: AGAIN_MS });
  const shown = useSignal<DeadLetterGroupFieldsFragment | null>(null);
  if (value !== null) shown.value = value;
  const group = value ?? shown.value;
  const isGone = value === null && error === null && !isLoading;
  return (
    <>
      <ScreenHead
        title={group === null ? 'A group of dead letters' : <ErrorWords type={group.errorType} message={group.message} />}
        name="Dead letters"
        lead={<Link to="dead">All groups</Link>}
        actions={group === null || isGone || !can('OPERATE') ? undefined : <GroupActions group={group} onChanged={reload} />}
      />
      {error === null ? null : <Trouble error={error} what="Loading the group" onRetry={reload} />}
      {isGone && group === null ? (
        <Empty title="There is no such group.">
          <p>Its jobs were redriven or removed, or the address is wrong.</p>
        </Empty>
      ) : null}
      {isGone && group !== null ? <Notice tone="good" title="The group is empty now: every job was redriven or removed." /> : null}
      {group === null ? null : <GroupFacts group={group} isGone={isGone} />}
      {group === null || isGone ? null : <GroupJobs group={group} />}
    </>
  );
}

function GroupFacts({ group, isGone }: { readonly group: DeadLetterGroupFieldsFragment; readonly isGone: boolean }) {
  return (
    <Panel title={isGone ? 'As it was' : counted(group.count, 'dead letter')} aside={<Trend trend={group.trend} />}>
      <dl class="facts">
        <dt>Task</dt>
        <dd>{group.task}</dd>
        <dt>Queue</dt>
        <dd>
          <QueueLink name={group.queueName} />
        </dd>
        <dt>First</dt>
        <dd>
          <Ago at={group.firstAt} />
        </dd>
        <dt>Last</dt>
        <dd>
          <Ago at={group.lastAt} />
        </dd>
      </dl>
    </Panel>
  );
}

type Asked = 'redrive' | 'discard' | null;

function GroupActions({ group, onChanged }: { readonly group: DeadLetterGroupFieldsFragment; readonly onChanged: () => void }) {
  const asked = useSignal<Asked>(null);
  const close = (): void => {
    asked.value = null;
    onChanged();
  };
  return (
    <>
      <Canary group={group} onRedriven={onChanged} />
      <Button onPress={() => (asked.value = 'redrive')}>{`Redrive ${group.count}…`}</Button>
      <Button tone="danger" onPress={() => (asked.value = 'discard')}>{`Discard ${group.count}…`}</Button>
      {asked.value === 'redrive' ? <RedriveDialog group={group} onClose={close} /> : null}
      {asked.value === 'discard' ? <DiscardDialog group={group} onClose={close} /> : null}
    </>
  );
}
