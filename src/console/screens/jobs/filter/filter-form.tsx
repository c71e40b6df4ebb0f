/** The filter as a form, for whoever does not write its language. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { QueueNamesDocument } from '../../../../client/generated/graphql.ts';
import { lq } from '../../../api/session.ts';
import { useLoaded } from '../../../api/use-loaded.ts';
import { useKey } from '../../../parts/use-key.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { ask, askedQuery } from '../asked.ts';
import { type FormFaults, type FormField, queryWith, valuesFor } from './form-values.ts';

/** A browser with more of them to choose from gets slow, and a person does not find one. Others are typed. */
const SUGGESTED_QUEUES = 100;

interface FieldWords {
  readonly name: FormField;
  readonly label: string;
  readonly placeholder: string;
}

const FIELDS: readonly FieldWords[] = [
  { name: 'queue', label: 'Queues', placeholder: 'billing, mail' },
  { name: 'task', label: 'Tasks', placeholder: 'invoice.send' },
  { name: 'tag', label: 'With the tag', placeholder: 'customer=42' },
  { name: 'worker', label: 'Held by workers', placeholder: 'worker-1' },
  { name: 'key', label: 'Concurrency key', placeholder: 'customer-42' },
  { name: 'younger', label: 'Submitted within', placeholder: '15m, 1h, 7d' },
  { name: 'older', label: 'Submitted longer ago than', placeholder: '15m, 1h, 7d' },
];

interface FilterFormProps {
  /** To choose from. */
  readonly tasks: readonly string[];
  readonly onClose: () => void;
}

export function FilterForm({ tasks, onClose }: FilterFormProps) {
  const values = useSignal(valuesFor(askedQuery.value));
  const faults = useSignal<FormFaults>({});
  const queues = useLoaded('queue names', loadQueueNames).value ?? [];
  const place = useRef<HTMLFormElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  useKey('Esc', onClose);
  const take = (event: Event): void => {
    event.preventDefault();
    const made = queryWith(askedQuery.value, values.value);
    faults.value = made.ok ? {} : made.faults;
    if (!made.ok) return;
    ask(made.query);
    onClose();
  };
  const suggestions: Partial<Record<FormField, readonly string[]>> = { queue: queues, task: tasks };
  return (
    <form ref={place} class="card jobs-form" aria-label="Filter" onSubmit={take}>
      <div class="jobs-form-fields">
        {FIELDS.map(({ name, label, placeholder }) => (
          <Field
            key={name}
            label={label}
            placeholder={placeholder}
            value={values.value[name]}
            onInput={(text) => (values.value = { ...values.value, [name]: text })}
            fault={faults.value[name] ?? null}
            suggestions={suggestions[name]}
            isCode
          />
        ))}
      </div>
      <div class="actions">
        <Button isSubmit tone="primary">
          Apply
        </Button>
        <Button onPress={onClose}>Leave as it is</Button>
      </div>
    </form>
  );
}

async function loadQueueNames(signal: AbortSignal): Promise<readonly string[]> {
  const { queues } = await lq.value.caller.call(QueueNamesDocument, { first: SUGGESTED_QUEUES }, { isRepeatable: true, signal });
  return queues?.nodes.map(({ name }) => name) ?? [];
}
