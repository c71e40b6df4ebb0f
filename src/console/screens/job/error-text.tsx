/** What went wrong in an attempt: its kind, the worker's words, and what the worker added, on demand. */
import { useSignal } from '@preact/signals';
import type { ErrorFieldsFragment } from '../../../client/index.ts';
import { Button } from '../../parts/button.tsx';
import { JsonView } from '../../parts/json-view.tsx';

const SHOWN_CHARACTERS = 400;
const SHOWN_LINES = 6;

/** The first lines of a long text. */
function beginningOf(text: string): string {
  return text.split('\n', SHOWN_LINES).join('\n').slice(0, SHOWN_CHARACTERS);
}

export function ErrorText({ error: { type, message, details } }: { readonly error: ErrorFieldsFragment }) {
  const isWhole = useSignal(false);
  const hasDetails = useSignal(false);
  const beginning = beginningOf(message);
  const isLong = beginning.length < message.length;
  return (
    <div class="error-text">
      {type === null ? null : <bdi class="error-type">{type}</bdi>}
      <bdi class="error-message">{isWhole.value ? message : beginning + (isLong ? ' …' : '')}</bdi>
      {!isLong && details === null ? null : (
        <div class="row">
          {isLong ? (
            <Button tone="quiet" onPress={() => (isWhole.value = !isWhole.value)}>
              {isWhole.value ? 'Show less' : `Show all ${message.length} characters`}
            </Button>
          ) : null}
          {details === null ? null : (
            <Button tone="quiet" isPressed={hasDetails.value} onPress={() => (hasDetails.value = !hasDetails.value)}>
              Details
            </Button>
          )}
        </div>
      )}
      {hasDetails.value ? <JsonView value={details} /> : null}
    </div>
  );
}
