/** One job of the group first: redriven, and followed until it is known how that went. */
import { JobLink } from '../../parts/links.tsx';
import { useSignal } from '@preact/signals';
import { type DeadLetterGroupFieldsFragment, type JobState, unwrap } from '../../../client/index.ts';
import { FollowJobEventsDocument } from '../../../client/generated/graphql.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useLive } from '../../api/use-live.ts';
import { Button } from '../../parts/button.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';

interface CanaryProps {
  readonly group: DeadLetterGroupFieldsFragment;
  readonly onRedriven: () => void;
}

export function Canary({ group, onRedriven }: CanaryProps) {
  const canary = useSignal<{ readonly id: string; readonly state: JobState; readonly cursor: string } | null>(null);
  const send = useAction(async () => {
    const cursor = await lq.value.latestEventCursor();
    const { nodes } = await lq.value.jobs({ first: 1, filter: { deadLetterGroups: [group.id] }, orderBy: 'OLDEST_FIRST' });
    const [oldest] = nodes;
    if (oldest === undefined) return 'The group has no job any more.';
    const { job } = unwrap(await lq.value.redriveJob({ id: oldest.id }));
    canary.value = { id: job.id, state: job.state, cursor };
    onRedriven();
    return null;
  });
  const followed = canary.value;
  useLive(
    FollowJobEventsDocument,
    followed === null ? null : { after: followed.cursor, filter: { jobIds: [followed.id] }, everyMs: 200, maxBatch: 50 },
    ({ jobEvents }, variables) => {
      if (jobEvents.__typename !== 'JobEventBatch') return;
      variables.after = jobEvents.cursor;
      const latest = jobEvents.events.at(-1);
      if (latest !== undefined && canary.value !== null) canary.value = { ...canary.value, state: latest.toState };
    },
  );
  return (
    <>
      {followed === null ? null : (
        <span class="chip" role="status">
          canary <JobLink id={followed.id} /> <StateBadge state={followed.state} />
        </span>
      )}
      <Button tone="primary" isBusy={send.isBusy} onPress={() => void send.start()}>
        {followed === null ? 'Redrive one first' : 'Redrive another one'}
      </Button>
      {send.error === null ? null : <Trouble error={send.error} what="Redriving one" isChange />}
    </>
  );
}
