/** Redriving a group: how many, how fast, and how far it is. */
import { useSignal } from '@preact/signals';
import type { DeadLetterGroupFieldsFragment } from '../../../client/index.ts';
import { RunPanel } from '../../bulk/panel.tsx';
import type { BulkRun } from '../../bulk/run.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { counted } from '../../parts/words.ts';
import { beginRun, useRunEnd } from './group-run.ts';

const SPEEDS = [
  ['', 'as fast as the server goes'],
  ['50', '50 a second'],
  ['10', '10 a second'],
  ['1', '1 a second'],
] as const;
type Speed = (typeof SPEEDS)[number][0];

interface RedriveProps {
  readonly group: DeadLetterGroupFieldsFragment;
  readonly onClose: () => void;
}

export function RedriveDialog({ group, onClose }: RedriveProps) {
  // The number that was read and agreed to: what dies meanwhile waits for another time.
  const total = useSignal(group.count).value;
  const many = useSignal(String(total));
  const speed = useSignal<Speed>('');
  const run = useSignal<BulkRun | null>(null);
  useRunEnd(run.value);
  const number = /^\d{1,9}$/.test(many.value.trim()) ? Number(many.value) : 0;
  const isFine = number >= 1 && number <= total;
  const begin = (event: Event): void => {
    event.preventDefault();
    run.value = beginRun({ deed: 'redrive', group, atMost: number, perSecond: speed.value === '' ? undefined : Number(speed.value) });
  };
  return (
    <Dialog title={`Redrive ${group.task}`} onClose={onClose}>
      {run.value === null ? (
        <form class="stack" onSubmit={begin}>
          <p>
            {counted(total, 'job')} of <bdi>{group.queueName}</bdi> died of this error. Those that you redrive are queued again, with a full budget of attempts
            and the same ids, the oldest first.
          </p>
          <Field
            label="How many"
            type="number"
            min={1}
            max={total}
            value={many.value}
            onInput={(value) => (many.value = value)}
            fault={isFine ? null : `1 to ${total}`}
          />
          <Choice label="How fast" value={speed.value} options={SPEEDS} onChoose={(value) => (speed.value = value)} />
          <DialogActions>
            <Button onPress={onClose}>Leave them dead</Button>
            <Button isSubmit tone="primary" isDisabled={!isFine}>{`Redrive ${counted(number, 'job')}`}</Button>
          </DialogActions>
        </form>
      ) : (
        <RunPanel run={run.value} onClose={onClose} />
      )}
    </Dialog>
  );
}
