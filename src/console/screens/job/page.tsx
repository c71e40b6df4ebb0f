/** The page of one job: what happened to it, what happens now, and what can be done about it. */
import { useSignal } from '@preact/signals';
import type { OperatorAction } from '../../../domain/failures.ts';
import { useKey } from '../../parts/use-key.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { Panel, ScreenHead } from '../../parts/screen.tsx';
import { route, setSearch, tenantInPath } from '../../route/route.ts';
import { actionsFor } from './actions.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { CommandsDialog } from './commands-dialog.tsx';
import { Content, type JobContent, useContent } from './content.tsx';
import { EventsTable } from './events-table.tsx';
import { Facts } from './facts.tsx';
import { JobHead } from './head.tsx';
import type { AboutJob } from './job-dialog.tsx';
import { GoneNotice, NoSuchJob } from './missing.tsx';
import { Now } from './now.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { RedriveDialog } from './redrive-dialog.tsx';
import { RescheduleDialog } from './reschedule-dialog.tsx';
import { Timeline } from './timeline.tsx';
import { type JobShown, type JobView, useJob } from './use-job.ts';

/** Another job, or another tenant's, is another page. */
export function JobPage({ id }: { readonly id: string }) {
  return <OneJob key={`${tenantInPath.value} ${id}`} id={id} />;
}

function OneJob({ id }: { readonly id: string }) {
  const view = useJob(id);
  const { job, isMissing, error, reload } = view;
  if (job !== null) return <Loaded job={job} view={view} />;
  if (isMissing) return <NoSuchJob id={id} onRetry={reload} />;
  return (
    <>
      <ScreenHead name={`Job …${id.slice(-8)}`} title="Job" lead={<span class="code">{id}</span>} />
      {error === null ? <p class="muted">Loading…</p> : <Trouble error={error} what="Loading the job" onRetry={reload} />}
    </>
  );
}

type Opened = OperatorAction | 'commands' | null;

function Loaded({ job, view }: { readonly job: JobShown; readonly view: JobView }) {
  const opened = useSignal<Opened>(null);
  const content = useContent(job);
  const { gone, error, refusal, reload, attempts, events } = view;
  const actions = gone === null ? actionsFor(job.state) : [];
  useKey('r', actions.includes('redrive') ? () => (opened.value = 'redrive') : null);
  useKey('c', actions.includes('cancel') ? () => (opened.value = 'cancel') : null);
  const about: AboutJob = { job, onClose: () => (opened.value = null), onDone: reload };
  return (
    <>
      <JobHead job={job} isGone={gone !== null} actions={actions} onOpen={(dialog) => (opened.value = dialog)} />
      {gone === null ? null : <GoneNotice gone={gone} />}
      {error === null ? null : <Trouble error={error} what="Looking at the job again" onRetry={reload} />}
      {refusal === null ? null : (
        <Notice tone="warn" title="Events do not come by themselves.">
          <p>
            The server says: <bdi>{refusal}</bdi> What is shown is asked for again from time to time.
          </p>
        </Notice>
      )}
      <div class="job-page">
        <div class="stack">
          <Now job={job} attempt={attempts.at(-1) ?? null} />
          <History view={view} />
        </div>
        <div class="stack">
          <Content content={content} />
          <Facts job={job} events={events} />
        </div>
      </div>
      <Dialogs opened={gone === null || opened.value === 'commands' ? opened.value : null} about={about} content={content.value} />
    </>
  );
}

function History({ view }: { readonly view: JobView }) {
  const isTable = route.value.search.get('tab') === 'events';
  return (
    <Panel
      title="What happened"
      aside={
        <div class="row" role="group" aria-label="How it is shown">
          <Button tone="quiet" isPressed={!isTable} onPress={() => setSearch({ tab: null })}>
            Timeline
          </Button>
          <Button tone="quiet" isPressed={isTable} onPress={() => setSearch({ tab: 'events' })}>
            Table of events
          </Button>
        </div>
      }
    >
      {isTable ? <EventsTable events={view.events} isWhole={view.gapAfter === null} /> : <Timeline view={view} />}
    </Panel>
  );
}

function Dialogs({ opened, about, content }: { readonly opened: Opened; readonly about: AboutJob; readonly content: JobContent }) {
  switch (opened) {
    case 'cancel':
      return <CancelDialog {...about} />;
    case 'redrive':
      return <RedriveDialog {...about} content={content} />;
    case 'reschedule':
      return <RescheduleDialog {...about} />;
    case 'purge':
      return <PurgeDialog {...about} />;
    case 'commands':
      return <CommandsDialog id={about.job.id} onClose={about.onClose} />;
    case null:
      return null;
    default:
      return opened satisfies never;
  }
}
