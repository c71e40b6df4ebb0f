/** The jobs of a group, the latest first. */
import { JobLink } from '../../parts/links.tsx';
import { useSignal } from '@preact/signals';
import type { DeadLetterGroupFieldsFragment, JobSummaryFragment } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Ago } from '../../parts/moment.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { nextOf, Pager } from '../../parts/pager.tsx';
import { type Column, Table } from '../../parts/table.tsx';

const PAGE = 20;

const COLUMNS: readonly Column<JobSummaryFragment>[] = [
  {
    name: 'Job',
    cell: ({ id }) => <JobLink id={id} />,
  },
  { name: 'What it said', isWide: true, cell: ({ lastError }) => <bdi>{lastError?.message ?? ''}</bdi> },
  { name: 'Attempts', isNumber: true, cell: ({ attempt, maxAttempts }) => `${attempt}/${maxAttempts}` },
  { name: 'Submitted', isMinor: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { name: 'Died', cell: ({ finishedAt }) => <Ago at={finishedAt} /> },
];

export function GroupJobs({ group: { id, count } }: { readonly group: DeadLetterGroupFieldsFragment }) {
  const after = useSignal<string | null>(null);
  const filter = { deadLetterGroups: [id] };
  const load = (signal: AbortSignal) => lq.value.jobs({ first: PAGE, filter, ...(after.value !== null && { after: after.value }) }, { signal });
  // Asked again when the group has another number of jobs.
  const { value, error, isLoading, reload } = useLoaded(`group jobs ${id} ${count} ${after.value}`, load, { isKept: true });
  return (
    <section class="stack">
      <h2>Its jobs</h2>
      {error === null ? null : <Trouble error={error} what="Loading the jobs" onRetry={reload} />}
      <Table caption="Jobs of the group" rows={value?.nodes ?? []} keyOf={(job) => job.id} columns={COLUMNS} isWaiting={isLoading && value === null} />
      <Pager after={after.value} next={nextOf(value)} onTurn={(place) => (after.value = place)} />
    </section>
  );
}
