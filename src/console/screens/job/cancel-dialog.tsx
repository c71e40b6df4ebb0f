/** Ends a job before it has ended by itself: asks a worker that holds it, or takes the lease away. */
import { useSignal } from '@preact/signals';
import { unwrap } from '../../../client/index.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Field, Tick } from '../../parts/field.tsx';
import { type AboutJob, JobDialog } from './job-dialog.tsx';

export function CancelDialog(about: AboutJob) {
  const { id, state } = about.job;
  const reason = useSignal('');
  const isForced = useSignal(false);
  const isRunning = state === 'RUNNING';
  const action = useAction(async () => {
    const { finished } = unwrap(await lq.value.cancelJob({ id, reason: reason.value.trim() || null, force: isRunning && isForced.value }));
    return finished ? 'The job is cancelled.' : 'Cancel is asked for: the worker learns it with its next heartbeat.';
  });
  const fault = reason.value.length > LIMITS.reasonCharactersMax ? `has ${reason.value.length} characters, ${LIMITS.reasonCharactersMax} at most` : null;
  return (
    <JobDialog {...about} name="cancel" title="Cancel the job" words="Cancel the job" tone="danger" action={action} isFaulty={fault !== null}>
      <p>
        {isRunning
          ? 'Its worker is asked to stop: it learns that with its next heartbeat, and may still complete the job first.'
          : 'It ends as cancelled at once and never runs. This cannot be taken back; submit another like it instead.'}
      </p>
      <Field
        label="Reason"
        value={reason.value}
        onInput={(text) => (reason.value = text)}
        fault={fault}
        help="For people: it stays in the timeline."
        isAutofocused
      />
      {isRunning ? (
        <>
          <Tick label="Take the lease away now (force)" isTicked={isForced.value} onTick={(isTicked) => (isForced.value = isTicked)} />
          <p class="muted small">
            The job ends at once, and whatever its worker still answers is refused. What the worker is doing at the moment does not stop by that: it goes on
            until it notices.
          </p>
        </>
      ) : null}
    </JobDialog>
  );
}
