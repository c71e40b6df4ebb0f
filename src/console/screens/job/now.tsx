/** How a job stands at the moment: its lease and progress while it runs, what it waits for, or how it ended. */
import { QueueLink } from '../../parts/links.tsx';
import type { ComponentChildren } from 'preact';
import type { AttemptFieldsFragment } from '../../../client/index.ts';
import { nowMs } from '../../api/time.ts';
import { Ago, At, Countdown, Lasted } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { counted } from '../../parts/words.ts';
import { ErrorText } from './error-text.tsx';
import { SameError } from './same-error.tsx';
import type { JobShown } from './use-job.ts';

interface NowProps {
  readonly job: JobShown;
  /** The latest one; null where it is not loaded, or there is none. */
  readonly attempt: AttemptFieldsFragment | null;
}

export function Now({ job, attempt }: NowProps) {
  return (
    <Panel title={TITLES[job.state]}>
      <div class="stack">
        <Situation job={job} attempt={attempt} />
        {job.cancelRequestedAt === null || job.state !== 'RUNNING' ? null : (
          <Notice tone="warn" title="Cancel was asked for">
            <p>
              <Ago at={job.cancelRequestedAt} />. Its worker learns it with the next heartbeat and may still complete it first.
            </p>
          </Notice>
        )}
        <LastError job={job} />
      </div>
    </Panel>
  );
}

const TITLES: Readonly<Record<JobShown['state'], string>> = {
  QUEUED: 'Waiting',
  RETRY: 'Waiting for its retry',
  RUNNING: 'Lease',
  COMPLETED: 'Completed',
  DEAD: 'Dead letter',
  CANCELLED: 'Cancelled',
};

function Situation({ job, attempt }: NowProps): ComponentChildren {
  if (job.lease !== null) return <LeaseLine job={job} lease={job.lease} attempt={attempt} />;
  if (job.finishedAt !== null) return <Ended job={job} attempt={attempt} />;
  return <Waiting job={job} />;
}

function Waiting({ job: { runAt, queue, queueName } }: { readonly job: JobShown }) {
  if (Date.parse(runAt) > nowMs.value)
    return (
      <p>
        Not before <At at={runAt} />: due <Ago at={runAt} />.
      </p>
    );
  if (!queue.paused)
    return (
      <p>
        Due since <Ago at={runAt} />: the next worker that asks for its queue and task may take it, in its order.
      </p>
    );
  return (
    <p>
      Due, but its queue <QueueLink name={queueName} /> is paused
      {queue.pauseReason === null ? '' : ': '}
      <bdi>{queue.pauseReason}</bdi>.
    </p>
  );
}

function Ended({ job: { finishedAt, createdAt }, attempt }: NowProps) {
  return (
    <p>
      <At at={finishedAt} />, <Ago at={finishedAt} />: <Lasted at={createdAt} until={finishedAt} /> after it was submitted
      {attempt === null ? null : (
        <>
          ; its last attempt took <Lasted at={attempt.startedAt} until={attempt.finishedAt} />
        </>
      )}
      .
    </p>
  );
}

function LeaseLine({ job, lease, attempt }: NowProps & { readonly lease: NonNullable<JobShown['lease']> }) {
  const { expiresAt, workerId, renewals } = lease;
  const beganAt = attempt?.lastHeartbeatAt ?? attempt?.startedAt;
  const lengthSeconds = beganAt === undefined ? 60 : (Date.parse(expiresAt) - Date.parse(beganAt)) / 1_000;
  return (
    <>
      <dl class="lease-line">
        <div>
          <dt>worker</dt>
          <dd>
            <Name text={workerId} isCode />
          </dd>
        </div>
        <div>
          <dt>expires in</dt>
          <dd>
            <Countdown at={expiresAt} lengthSeconds={lengthSeconds} />
          </dd>
        </div>
        <div>
          <dt>last heartbeat</dt>
          <dd>{attempt?.lastHeartbeatAt == null ? 'none yet' : <Ago at={attempt.lastHeartbeatAt} />}</dd>
        </div>
        <div>
          <dt>renewed</dt>
          <dd>{counted(renewals, 'time')}</dd>
        </div>
      </dl>
      <ProgressLine progress={job.progress} />
    </>
  );
}

function ProgressLine({ progress }: Pick<JobShown, 'progress'>) {
  if (progress === null) return <p class="muted small">Its worker has not said how far it is.</p>;
  const { percent, note, updatedAt } = progress;
  return (
    <div class="progress-line">
      {percent === null ? null : (
        <>
          <progress max={100} value={percent} aria-label="Progress, as its worker says" />
          <span class="progress-percent">{`${Math.round(percent)} %`}</span>
        </>
      )}
      <bdi class="progress-note">{note}</bdi>
      <span class="muted small">
        said <Ago at={updatedAt} />
      </span>
    </div>
  );
}

function LastError({ job }: { readonly job: JobShown }) {
  const { lastError, state } = job;
  if (lastError === null || state === 'COMPLETED') return null;
  return (
    <div class="last-error">
      <h3>
        Latest error, <Ago at={lastError.at} />
      </h3>
      <ErrorText error={lastError} />
      <SameError job={job} />
    </div>
  );
}
