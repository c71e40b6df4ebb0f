/** The fields of a job to be stored. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { JsonField } from '../../parts/json-field.tsx';
import { StartField } from '../../parts/start-field.tsx';
import { LIMITS } from '../../../domain/limits.ts';
import { EMPTY_FORM, type Faults, type FieldName, MORE_FIELDS, PAYLOAD_RULES, type SubmitForm } from './form.ts';

interface FieldsProps {
  readonly form: SubmitForm;
  readonly faults: Faults;
  readonly onChange: (change: Partial<SubmitForm>) => void;
}

/** A field of the form by its name. */
function fieldOf({ form, faults, onChange }: FieldsProps, name: Exclude<FieldName, 'start'>) {
  return { value: form[name], fault: faults[name] ?? null, onInput: (text: string): void => onChange({ [name]: text }) };
}

export function MainFields({ queues, ...fields }: FieldsProps & { readonly queues: readonly string[] }) {
  return (
    <>
      <div class="field-row">
        <Field label="Task" {...fieldOf(fields, 'task')} help="The kind of work, such as invoice.send" isAutofocused isCode />
        <Field label="Queue" {...fieldOf(fields, 'queue')} suggestions={queues} help="It comes into being with its first job" isCode />
      </div>
      <JsonField
        label="Payload"
        text={fields.form.payload}
        onText={(payload) => fields.onChange({ payload })}
        fault={fields.faults.payload}
        {...PAYLOAD_RULES}
        help="A JSON object. Long numbers keep every digit."
      />
    </>
  );
}

export function MoreFields(fields: FieldsProps) {
  const { form, faults, onChange } = fields;
  const isOpen = useSignal(MORE_FIELDS.some((name) => form[name] !== EMPTY_FORM[name]));
  const isFaulty = MORE_FIELDS.some((name) => name in faults);
  useEffect(() => {
    if (isFaulty) isOpen.value = true;
  }, [isFaulty, isOpen]);
  return (
    <details class="more" open={isOpen.value} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>More</summary>
      <div class="stack">
        <StartField start={form.start} onStart={(start) => onChange({ start })} fault={faults.start} />
        <div class="field-row numbers">
          <Field
            label="Priority"
            {...fieldOf(fields, 'priority')}
            placeholder="the queue's"
            help={`${LIMITS.priorityMin} to ${LIMITS.priorityMax}, higher first`}
          />
          <Field label="Attempts" {...fieldOf(fields, 'maxAttempts')} placeholder="the queue's" help={`1 to ${LIMITS.maxAttemptsMax}`} />
          <Field
            label="Retry after"
            {...fieldOf(fields, 'retryBaseSeconds')}
            placeholder="the queue's"
            help="Seconds after the first failure, doubled after each"
          />
          <Field label="Retry at most after" {...fieldOf(fields, 'retryMaxSeconds')} placeholder="the queue's" help="Seconds: the doubling ends here" />
        </div>
        <div class="field-row">
          <Field label="Concurrency key" {...fieldOf(fields, 'concurrencyKey')} help="Jobs of one key belong together" />
          <Field
            label="Tags"
            {...fieldOf(fields, 'tags')}
            lines={3}
            isCode
            placeholder="customer=42"
            help={`To find it by: a line for each, up to ${LIMITS.tagsMax}`}
          />
        </div>
        <Field
          label="Idempotency key"
          {...fieldOf(fields, 'idempotencyKey')}
          isCode
          help="Makes repeating safe: the same key with the same request answers the job that is there already; with another request it is refused. It holds in this queue for as long as the job is kept, a day at least."
        />
      </div>
    </details>
  );
}
