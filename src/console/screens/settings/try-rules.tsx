/** Tries rules on a value before, or after, they hold. Nothing is stored. */
import { useSignal } from '@preact/signals';
import { parseJson } from '../../../domain/json.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { faultAt, isElsewhere } from './faults.ts';
import type { Rule } from './rules.ts';

const EXAMPLE = '{ "card": { "number": "4111 1111", "month": 12 }, "password": "secret" }';

/** The value, or why it is none. */
function read(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { fault: `It is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export function TryRules({ rules }: { readonly rules: readonly Rule[] }) {
  const task = useSignal('invoice.send');
  const text = useSignal(EXAMPLE);
  const unread = useSignal<string | null>(null);
  const shown = useSignal<{ readonly value: unknown } | null>(null);
  const attempt = useAction(async (value: unknown) => {
    shown.value = { value: await lq.value.tryRedaction({ task: task.value.trim(), value, rules: rules.map((rule) => ({ ...rule })) }) };
    return null;
  });
  const start = (event: Event): void => {
    event.preventDefault();
    const found = read(text.value);
    unread.value = 'fault' in found ? found.fault : null;
    if (!('fault' in found)) void attempt.start(found.value);
  };
  const faults = [faultAt(attempt.error, 'task'), faultAt(attempt.error, 'value')] as const;
  return (
    <Panel title="Try the rules" aside={<span class="muted small">With the rules as they stand above, saved or not. Nothing is stored.</span>}>
      <div class="grid">
        <form class="stack" onSubmit={start}>
          <Field label="Task" value={task.value} onInput={(value) => (task.value = value)} fault={faults[0]} isCode isRequired />
          <Field
            label="Payload, result or error details, as JSON"
            value={text.value}
            onInput={(value) => (text.value = value)}
            fault={unread.value ?? faults[1]}
            lines={6}
            isCode
          />
          <div class="row">
            <Button isSubmit isBusy={attempt.isBusy}>
              Show what a reader would see
            </Button>
          </div>
          {isElsewhere(attempt.error, faults) ? <Trouble error={attempt.error} what="Trying the rules" /> : null}
        </form>
        <div class="stack" aria-live="polite">
          <h3>A reader would see</h3>
          {shown.value === null ? <p class="muted">Nothing was tried yet.</p> : <JsonView value={shown.value.value} />}
        </div>
      </div>
    </Panel>
  );
}
