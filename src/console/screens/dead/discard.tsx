/** Discarding a group: gone for good, so that the number has to be typed. */
import { useSignal } from '@preact/signals';
import type { DeadLetterGroupFieldsFragment } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { useBulkRun } from '../../api/use-bulk-run.ts';
import { BulkProgressView } from '../../parts/bulk-progress.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { counted } from '../../parts/words.ts';

interface DiscardProps {
  readonly group: DeadLetterGroupFieldsFragment;
  readonly onClose: () => void;
}

export function DiscardDialog({ group, onClose }: DiscardProps) {
  const total = useSignal(group.count).value;
  const typed = useSignal('');
  const run = useBulkRun();
  const begin = (event: Event): void => {
    event.preventDefault();
    const target = { filter: { deadLetterGroups: [group.id] } };
    run.start({ step: (limit) => lq.value.purgeJobs({ target, limit }), atMost: total });
  };
  return (
    <Dialog title={`Discard ${group.task}`} onClose={onClose}>
      {run.progress === null ? (
        <form class="stack" onSubmit={begin}>
          <p>
            {counted(total, 'dead letter')} of <bdi>{group.queueName}</bdi> will be removed with payloads, attempts and events. Nobody can bring them back.
          </p>
          <Field label={`Type ${total} to say that you mean it`} value={typed.value} onInput={(value) => (typed.value = value)} isAutofocused />
          <DialogActions>
            <Button onPress={onClose}>Keep them</Button>
            <Button isSubmit tone="danger" isDisabled={typed.value.trim() !== String(total)}>{`Discard ${counted(total, 'job')}`}</Button>
          </DialogActions>
        </form>
      ) : (
        <>
          <BulkProgressView progress={run.progress} total={total} done="removed" />
          <DialogActions>
            {run.progress.status === 'running' ? <Button onPress={run.stop}>Stop here</Button> : <Button onPress={onClose}>Close</Button>}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
