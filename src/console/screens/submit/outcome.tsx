/** What came of a submission: the job that was stored, the one that was there already, or why neither. */
import { JobLink } from '../../parts/links.tsx';
import type { LeaseQueueError, SubmitJobMutation } from '../../../client/index.ts';
import { can } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';

type Result = NonNullable<SubmitJobMutation['submitJob']>;
export type Stored = Extract<Result, { readonly __typename: 'SubmitJobSuccess' }>;
type Conflict = Extract<Result, { readonly __typename: 'IdempotencyConflict' }>;

/** A key that may not read has no use for a link. */
function StoredJob({ id }: { readonly id: string }) {
  return can('READ') ? <JobLink id={id} label={`Job ${id}`} /> : <span class="code">{id}</span>;
}

export function StoredNotice({ stored: { job, deduplicated }, onAnother }: { readonly stored: Stored; readonly onAnother: () => void }) {
  return (
    <Notice tone={deduplicated ? 'info' : 'good'} title={deduplicated ? 'Nothing new was stored.' : 'The job is stored.'}>
      <p class="row middle">
        {deduplicated ? 'The same request came before under this idempotency key, and this is its job: ' : null}
        <StoredJob id={job.id} /> <CopyButton text={job.id} what="id" words="Copy id" /> <StateBadge state={job.state} />
      </p>
      <Button onPress={onAnother}>Another one</Button>
    </Notice>
  );
}

export function Refused({ error }: { readonly error: LeaseQueueError }) {
  if (error.code !== 'IDEMPOTENCY_CONFLICT') return <Trouble error={error} what="Submitting the job" isChange />;
  const { existingJob, differingFields } = error.details as Conflict;
  return (
    <Notice tone="bad" title="The idempotency key is taken. Nothing was stored.">
      <p class="row middle">
        It belongs to <StoredJob id={existingJob.id} /> <StateBadge state={existingJob.state} />
      </p>
      <p>{`Its request was another one in: ${differingFields.join(', ')}. Take another key for new work, or send what was sent first.`}</p>
    </Notice>
  );
}
