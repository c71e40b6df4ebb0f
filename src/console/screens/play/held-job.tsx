/** The job that the played worker holds: what it is about, how long the lease still is, and the four things that can be done. */
import { JobLink } from '../../parts/links.tsx';
import { useSignal } from '@preact/signals';
import { LIMITS } from '../../../domain/limits.ts';
import { nowMs } from '../../api/time.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Countdown } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { counted } from '../../parts/words.ts';
import { SettleForm } from './settle-form.tsx';
import type { Held, PlayedWorker } from './use-worker.ts';

interface HeldProps {
  readonly held: Held;
  readonly worker: PlayedWorker;
}

export function HeldJob({ held, worker }: HeldProps) {
  const { job, attempt, fence, heartbeats, expiresAt, leaseSeconds, cancelReason } = held;
  const isOver = Date.parse(expiresAt) <= nowMs.value;
  return (
    <div class="two-columns">
      <div class="stack">
        <Panel
          title={
            <>
              <Name text={job.task} isCode /> <JobLink id={job.id} label={`Job ${job.id}: leaves the worker`} />
            </>
          }
        >
          <div class="stack">
            <p class="row middle">
              <span>
                queue <bdi>{job.queueName}</bdi>
              </span>
              <span>{`attempt ${attempt} of ${job.maxAttempts}`}</span>
              <span class="muted">{`fence ${fence}`}</span>
              <span class="play-lease">
                lease <Countdown at={expiresAt} lengthSeconds={leaseSeconds} />
              </span>
              <span class="muted">{counted(heartbeats, 'heartbeat')}</span>
            </p>
            {isOver ? (
              <Notice tone="warn" title="The lease is over.">
                <p>The server has taken the job back, or does so within a second. Whatever you answer now is refused: try it and see.</p>
              </Notice>
            ) : null}
            {cancelReason === null ? null : (
              <Notice tone="warn" title="Cancel was asked for.">
                <p>
                  {cancelReason === '' ? null : (
                    <>
                      <bdi>{cancelReason}</bdi>.{' '}
                    </>
                  )}
                  Stop the work, then fail or release: either ends the job as cancelled. Completing it first wins.
                </p>
              </Notice>
            )}
            <HeartbeatForm worker={worker} />
          </div>
        </Panel>
        <SettleForm worker={worker} />
      </div>
      <Panel title="Payload">
        <JsonView value={job.payload} />
      </Panel>
    </div>
  );
}

function percentFault(text: string): string | null {
  if (text.trim() === '') return null;
  const value = Number(text);
  return value >= 0 && value <= LIMITS.progressPercentMax ? null : `must be 0 to ${LIMITS.progressPercentMax}`;
}

function HeartbeatForm({ worker: { heartbeat } }: { readonly worker: PlayedWorker }) {
  const percent = useSignal('');
  const note = useSignal('');
  const fault = percentFault(percent.value);
  const isSilent = percent.value.trim() === '' && note.value === '';
  const send = (event: Event): void => {
    event.preventDefault();
    if (fault !== null) return;
    void heartbeat.start(isSilent ? null : { percent: percent.value.trim() === '' ? null : Number(percent.value), note: note.value || null });
  };
  return (
    <form class="stack" onSubmit={send} noValidate>
      <div class="field-row">
        <Field label="Progress in percent" value={percent.value} onInput={(text) => (percent.value = text)} fault={fault} />
        <Field label="Note" value={note.value} onInput={(text) => (note.value = text)} />
      </div>
      {heartbeat.error === null ? null : <Trouble error={heartbeat.error} what="The heartbeat" isChange />}
      <div class="row">
        <Button isSubmit isBusy={heartbeat.isBusy}>
          Send a heartbeat
        </Button>
      </div>
    </form>
  );
}
