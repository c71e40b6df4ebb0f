/** Changes when a waiting job runs, or its place in line. */
import { useSignal } from '@preact/signals';
import { unwrap } from '../../../client/index.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Field } from '../../parts/field.tsx';
import { At } from '../../parts/moment.tsx';
import { AS_IT_IS, startFault, StartField, startInput } from '../../parts/start-field.tsx';
import { wholeFault, wholeOf } from '../../parts/whole.ts';
import { type AboutJob, JobDialog } from './job-dialog.tsx';

export function RescheduleDialog(about: AboutJob) {
  const { id, priority: now, runAt } = about.job;
  const start = useSignal(AS_IT_IS);
  const priority = useSignal('');
  const priorityFault = wholeFault(priority.value, LIMITS.priorityMin, LIMITS.priorityMax);
  const action = useAction(async () => {
    unwrap(await lq.value.rescheduleJob({ id, start: startInput(start.value), priority: wholeOf(priority.value) }));
    return 'The job is rescheduled.';
  });
  const isNothing = start.value.way === 'keep' && priority.value.trim() === '';
  const isFaulty = isNothing || priorityFault !== null || startFault(start.value) !== null;
  return (
    <JobDialog {...about} name="reschedule" title="Reschedule the job" words="Reschedule the job" action={action} isFaulty={isFaulty}>
      <p>
        It may run from <At at={runAt} /> on, with priority {now}. Its attempts stay.
      </p>
      <StartField start={start.value} onStart={(chosen) => (start.value = chosen)} canKeep />
      <Field
        label="Priority"
        value={priority.value}
        onInput={(text) => (priority.value = text)}
        placeholder={String(now)}
        fault={priorityFault}
        help={`${LIMITS.priorityMin} to ${LIMITS.priorityMax}, higher first. Empty keeps ${now}.`}
      />
    </JobDialog>
  );
}
