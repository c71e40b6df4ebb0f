/** Places of the log: where to begin, and everything about one event. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { FollowedEvent } from '../../../client/index.ts';
import { preferences } from '../../api/preferences.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Field } from '../../parts/field.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Name } from '../../parts/name.tsx';
import { STATE_MARKS } from '../../parts/state-badge.tsx';
import { instant } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { setSearch } from '../../route/route.ts';
import { Kind } from './rows.tsx';
import { OLDEST } from './use-stream.ts';

/** `cursor` is where the list is now; empty before that is known. */
export function PlaceDialog({ cursor, onClose }: { readonly cursor: string; readonly onClose: () => void }) {
  const text = useSignal('');
  const begin = (from: string | null): void => {
    onClose();
    setSearch({ from });
  };
  return (
    <Dialog title="Where to read from" onClose={onClose}>
      <div class="row">
        <Button onPress={() => begin(null)}>What happens from now on</Button>
        <Button onPress={() => begin(OLDEST)}>The oldest event that is kept</Button>
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.value.trim() !== '') begin(text.value.trim());
        }}
      >
        <Field
          label="After a cursor"
          value={text.value}
          onInput={(value) => (text.value = value)}
          isCode
          autocomplete="off"
          help="As this console, the command line or the API gave it."
        />
        <DialogActions>
          <Button isSubmit tone="primary">
            Read after it
          </Button>
        </DialogActions>
      </form>
      {cursor === '' ? null : (
        <div class="stack">
          <h3>The list is here now</h3>
          <Cursor cursor={cursor} what="the cursor of this place" />
        </div>
      )}
    </Dialog>
  );
}

function Cursor({ cursor, what }: { readonly cursor: string; readonly what: string }) {
  return (
    <div class="command">
      <pre tabIndex={0} role="group" aria-label={what}>
        <code>{cursor}</code>
      </pre>
      <CopyButton text={cursor} what={what} />
    </div>
  );
}

export function EventDialog({ event, onClose }: { readonly event: FollowedEvent; readonly onClose: () => void }) {
  const readOn = (): void => {
    onClose();
    setSearch({ from: event.cursor });
  };
  return (
    <Dialog title="Event" onClose={onClose}>
      <dl class="facts">
        {factsOf(event).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <h3>Its place in the log</h3>
      <Cursor cursor={event.cursor} what="the cursor of this place" />
      <DialogActions>
        <Button onPress={readOn}>Read on from here</Button>
      </DialogActions>
    </Dialog>
  );
}

function factsOf(event: FollowedEvent): readonly (readonly [string, ComponentChildren])[] {
  const { at, jobId, task, queueName, fromState, toState, attempt, fence, workerId, actor, detail } = event;
  return [
    ['What', <Kind event={event} />],
    ['When', <time dateTime={at}>{instant(Date.parse(at), preferences.value.isUtc)}</time>],
    [
      'Job',
      <Link to="jobs" id={jobId} class="code">
        {jobId}
      </Link>,
    ],
    ['Task', <Name text={task} isCode />],
    ['Queue', <Name text={queueName} isCode />],
    ['From → to', `${fromState === null ? 'nothing' : STATE_MARKS[fromState].word} → ${STATE_MARKS[toState].word}`],
    ['Attempt', String(attempt)],
    ['Fencing token', String(fence)],
    ['Worker', workerId === null ? '–' : <Name text={workerId} isCode />],
    ['Caused by', actor === null ? 'the server itself, or nobody by name' : <Name text={actor} />],
    ['Detail', detail === null ? '–' : <JsonView value={detail} />],
  ];
}
