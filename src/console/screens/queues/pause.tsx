/** Pausing, with a reason for whoever comes after; and resuming. */
import { useSignal } from '@preact/signals';
import { type QueueFieldsFragment, unwrap } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { counted } from '../../parts/words.ts';

interface PauseProps {
  readonly queue: QueueFieldsFragment;
  readonly onClose: () => void;
}

export function PauseDialog({ queue: { name, stats }, onClose }: PauseProps) {
  const reason = useSignal('');
  const pause = useAction(async () => {
    unwrap(await lq.value.pauseQueue({ name, reason: reason.value.trim() }));
    return `${name} is paused.`;
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await pause.start()) onClose();
  };
  return (
    <Dialog title={`Pause ${name}`} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p>
          Nobody can claim from it until it is resumed. {counted(stats.counts.running, 'running job')} may finish; {counted(stats.ready, 'job')} that
          {stats.ready === 1 ? ' is' : ' are'} due will wait. Jobs can still be submitted.
        </p>
        <Field
          label="Reason, for whoever finds it paused"
          value={reason.value}
          onInput={(value) => (reason.value = value)}
          isRequired
          isAutofocused
          placeholder="The vendor is down until noon"
        />
        {pause.error === null ? null : <Trouble error={pause.error} what="Pausing" isChange />}
        <DialogActions>
          <Button onPress={onClose}>Leave it running</Button>
          <Button isSubmit tone="primary" isBusy={pause.isBusy} isDisabled={reason.value.trim() === ''}>
            Pause
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

export function ResumeDialog({ queue: { name, pauseReason, stats }, onClose }: PauseProps) {
  const resume = useAction(async () => {
    unwrap(await lq.value.resumeQueue({ name }));
    return `${name} is running again.`;
  });
  const start = async (): Promise<void> => {
    if (await resume.start()) onClose();
  };
  return (
    <Dialog title={`Resume ${name}`} onClose={onClose}>
      {pauseReason === null ? null : (
        <p>
          It was paused because: <bdi>“{pauseReason}”</bdi>
        </p>
      )}
      <p>Workers take {counted(stats.ready, 'job')} that wait at once.</p>
      {resume.error === null ? null : <Trouble error={resume.error} what="Resuming" isChange />}
      <DialogActions>
        <Button onPress={onClose}>Leave it paused</Button>
        <Button tone="primary" isBusy={resume.isBusy} onPress={() => void start()}>
          Resume
        </Button>
      </DialogActions>
    </Dialog>
  );
}
