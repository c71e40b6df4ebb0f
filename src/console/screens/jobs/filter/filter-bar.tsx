/** The filter as text: typed, read, and where it cannot be read, shown where. */
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { QueryFault } from '../../../../domain/job-query/fault.ts';
import { parseJobQuery } from '../../../../domain/job-query/parse.ts';
import { search } from '../../../frame/commands.ts';
import { useKey } from '../../../parts/use-key.ts';
import { Button } from '../../../parts/button.tsx';
import { askedParsed, askedText, askText } from '../asked.ts';

const JOB_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function FilterBar() {
  const id = useId();
  const place = useRef<HTMLInputElement>(null);
  const asked = askedText.value;
  const draft = useSignal(asked);
  useEffect(() => void (draft.value = asked), [asked, draft]);
  useKey('/', () => place.current?.focus());
  const find = (event: Event): void => {
    event.preventDefault();
    if (JOB_ID.test(draft.value.trim())) return search(draft.value);
    askText(draft.value);
    showFault(place.current, draft.value);
  };
  const parsed = askedParsed.value;
  const fault = parsed.ok ? null : parsed.fault;
  return (
    <form class="jobs-find" role="search" onSubmit={find}>
      <label for={id} class="hidden-words">
        Which jobs
      </label>
      <input
        id={id}
        ref={place}
        class="input code"
        type="search"
        value={draft.value}
        placeholder="queue:billing state:dead,retry tag:customer=42 age>1h"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        dir="auto"
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        onInput={({ currentTarget }) => (draft.value = currentTarget.value)}
      />
      <Button isSubmit>Find</Button>
      <div id={`${id}-fault`} class="jobs-fault">
        {fault === null ? null : <Fault fault={fault} text={asked} />}
      </div>
    </form>
  );
}

/** Puts the cursor where the text went wrong. */
function showFault(input: HTMLInputElement | null, text: string): void {
  const parsed = parseJobQuery(text);
  if (parsed.ok) return;
  input?.focus();
  input?.setSelectionRange(parsed.fault.column - 1, text.length);
}

const AROUND_CHARACTERS = 24;

function Fault({ fault: { column, message, possible }, text }: { readonly fault: QueryFault; readonly text: string }) {
  const at = column - 1;
  const [wrong = ''] = /^\S*/u.exec(text.slice(at)) ?? [];
  return (
    <div role="alert" class="stack">
      <p>
        <bdi class="code">
          {at > AROUND_CHARACTERS ? '…' : ''}
          {text.slice(Math.max(0, at - AROUND_CHARACTERS), at)}
          <mark>{wrong === '' ? '\u00a0' : wrong.slice(0, AROUND_CHARACTERS)}</mark>
        </bdi>
      </p>
      <p>
        <strong>{`Column ${column}: `}</strong>
        <bdi>{message}</bdi>
        {possible.length === 0 ? null : (
          <span>
            {' '}
            Possible here:{' '}
            {possible.map((each, index) => (
              <span key={each}>
                {index === 0 ? '' : ', '}
                <code>{each}</code>
              </span>
            ))}
            .
          </span>
        )}{' '}
        No job was looked for.
      </p>
    </div>
  );
}
