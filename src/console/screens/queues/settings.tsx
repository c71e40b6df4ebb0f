/** What holds for a queue's jobs where they do not say otherwise, and how long finished ones are kept. */
import { useSignal } from '@preact/signals';
import { type QueueFieldsFragment, unwrap } from '../../../client/index.ts';
import { can, lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { span } from '../../parts/words.ts';
import { changeOf, editsOf, faultOf, FIELDS, type Part, type SettingField, startOf } from './setting-fields.ts';

interface SettingsProps {
  readonly queue: QueueFieldsFragment;
  readonly onChanged: () => void;
}

const PARTS: readonly (readonly [Part, title: string, lead: string])[] = [
  ['defaults', 'Defaults', 'What a job or a claim takes that does not say otherwise.'],
  ['retention', 'Retention', 'How long finished jobs are kept.'],
];

export function QueueSettings({ queue, onChanged }: SettingsProps) {
  const isEditing = useSignal(false);
  const close = (): void => {
    isEditing.value = false;
    onChanged();
  };
  return (
    <div class="grid">
      {PARTS.map(([part, title, lead]) => (
        <Panel key={part} title={title} aside={<EditButton part={part} onPress={() => (isEditing.value = true)} />}>
          <p class="muted small">{lead}</p>
          <dl class="facts">
            {FIELDS.filter((field) => field.part === part).map((field) => (
              <SettingFact key={field.name} field={field} queue={queue} />
            ))}
          </dl>
        </Panel>
      ))}
      {isEditing.value ? <SettingsDialog queue={queue} onClose={close} /> : null}
    </div>
  );
}

function EditButton({ part, onPress }: { readonly part: Part; readonly onPress: () => void }) {
  if (!can('OPERATE')) return null;
  return (
    <Button tone="quiet" onPress={onPress} label={`Change the queue's ${part}`}>
      Change…
    </Button>
  );
}

function SettingFact({ field, queue }: { readonly field: SettingField; readonly queue: QueueFieldsFragment }) {
  const value = field.read(queue);
  const words = field.isSpan ? (value === 0 ? 'for ever' : span(value)) : String(value);
  return (
    <>
      <dt>{field.title}</dt>
      <dd>
        {words} {field.serverDefault === value ? <span class="muted small">the server's default</span> : null}
      </dd>
    </>
  );
}

function SettingsDialog({ queue, onClose }: { readonly queue: QueueFieldsFragment; readonly onClose: () => void }) {
  // What was read when the dialog opened: what others change meanwhile is a conflict, and told.
  const base = useSignal(queue);
  const { name } = queue;
  const texts = useSignal<Readonly<Record<string, string>>>(startOf(queue));
  const save = useAction(async () => {
    unwrap(await lq.value.configureQueue({ name, expectedVersion: base.value.version, ...changeOf(base.value, texts.value) }));
    return `${name} is changed.`;
  });
  const takeOver = useAction(async () => {
    const fresh = await lq.value.queue(name);
    if (fresh === null) return `${name} is not there any more.`;
    texts.value = { ...startOf(fresh), ...editsOf(base.value, texts.value) };
    base.value = fresh;
    save.forget();
    return null;
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await save.start()) onClose();
  };
  const isFaulty = FIELDS.some((field) => faultOf(field, texts.value[field.name] ?? '') !== null);
  return (
    <Dialog title={`Defaults and retention of ${name}`} onClose={onClose} isWide>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p class="muted">A field left empty takes the server's default. Jobs that are there keep what they were submitted with.</p>
        <div class="setting-fields">
          {FIELDS.map((field) => (
            <Field
              key={field.name}
              label={field.title}
              value={texts.value[field.name] ?? ''}
              onInput={(text) => (texts.value = { ...texts.value, [field.name]: text })}
              fault={faultOf(field, texts.value[field.name] ?? '')}
              help={field.isSpan ? 'seconds, or such as 90s, 15m, 6h, 30d' : `${field.min} to ${field.max}`}
            />
          ))}
        </div>
        {save.error?.code === 'VERSION_CONFLICT' ? (
          <Notice tone="warn" title="Somebody changed this queue meanwhile. Nothing of yours was saved.">
            <p>Take over what they changed: what you typed stays, and you can save it then.</p>
            <Button isBusy={takeOver.isBusy} onPress={() => void takeOver.start()}>
              Take over their changes
            </Button>
          </Notice>
        ) : save.error === null ? null : (
          <Trouble error={save.error} what="Saving" isChange />
        )}
        <DialogActions>
          <Button onPress={onClose}>Leave it as it is</Button>
          <Button isSubmit tone="primary" isBusy={save.isBusy} isDisabled={isFaulty}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
