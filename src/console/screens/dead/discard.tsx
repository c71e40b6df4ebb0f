/** Discarding a group: gone for good, so that the number has to be typed. */
import { useSignal } from '@preact/signals';
import type { DeadLetterGroupFieldsFragment } from '../../../client/index.ts';
import { RunPanel } from '../../bulk/panel.tsx';
import type { BulkRun } from '../../bulk/run.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { counted } from '../../parts/words.ts';
import { beginRun, useRunEnd } from './group-run.ts';

interface DiscardProps {
  readonly group: DeadLetterGroupFieldsFragment;
  readonly onClose: () => void;
}

export function DiscardDialog({ group, onClose }: DiscardProps) {
  const total = useSignal(group.count).value;
  const typed = useSignal('');
  const run = useSignal<BulkRun | null>(null);
  useRunEnd(run.value);
  const begin = (event: Event): void => {
    event.preventDefault();
    run.value = beginRun({ deed: 'purge', group, atMost: total });
  };
  return (
    <Dialog title={`Discard ${group.task}`} onClose={onClose}>
      {run.value === null ? (
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
        <RunPanel run={run.value} onClose={onClose} />
      )}
    </Dialog>
  );
}
