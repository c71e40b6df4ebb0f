/** A row of the stream: an event, or a note of what is not in the list and why. */
import { JobLink } from '../../parts/links.tsx';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { FollowedEvent } from '../../../client/index.ts';
import { preferences } from '../../api/preferences.ts';
import { Button } from '../../parts/button.tsx';
import { Name } from '../../parts/name.tsx';
import { STATE_MARKS } from '../../parts/state-badge.tsx';
import { count } from '../../parts/words.ts';
import { setSearch } from '../../route/route.ts';
import type { Note } from './listing.ts';
import { detailWords, exactTime, GAP_WORDS, kindWords } from './words.ts';

const TONES: Readonly<Record<string, string>> = { DEAD_LETTERED: 'bad', LEASE_EXPIRED: 'warn' };

/** Made once for each event, since hundreds of them stand below the new ones. */
export function EventRow({ event, onOpen }: { readonly event: FollowedEvent; readonly onOpen: (event: FollowedEvent) => void }) {
  const { isUtc } = preferences.value;
  return useMemo(() => drawnEvent(event, isUtc, onOpen), [event, isUtc, onOpen]);
}

function drawnEvent(event: FollowedEvent, isUtc: boolean, onOpen: (event: FollowedEvent) => void) {
  const { at, kind, jobId, task, queueName, fromState, toState, attempt } = event;
  return (
    <tr data-tone={TONES[kind]}>
      <td>
        <button type="button" class="live-time" title={`${at}: more about this event`} onClick={() => onOpen(event)}>
          {exactTime(at, isUtc).slice(0, -4)}
          <span class="minor">{exactTime(at, isUtc).slice(-4)}</span>
        </button>
      </td>
      <td>
        <Kind event={event} />
      </td>
      <td>
        <JobLink id={jobId} />
      </td>
      <td>
        <Name text={task} isCode />
      </td>
      <td class="minor">
        <Name text={queueName} isCode />
      </td>
      <td class="minor">
        {fromState === null ? null : <span class="muted">{STATE_MARKS[fromState].word} → </span>}
        <span>{STATE_MARKS[toState].word}</span>
      </td>
      <td class="minor number">{attempt}</td>
      <td class="minor">
        <Who event={event} />
      </td>
      <td class="minor">
        <Name text={detailWords(event, isUtc)} />
      </td>
    </tr>
  );
}

export function Kind({ event: { kind, toState } }: { readonly event: FollowedEvent }) {
  const { mark, word } = kindWords(kind);
  return (
    <span class="badge" data-state={kind === 'LEASE_EXPIRED' ? 'retry' : STATE_MARKS[toState].tone}>
      <span class="badge-mark" aria-hidden="true">
        {mark}
      </span>
      {word}
    </span>
  );
}

/** The worker, else the key; nobody by name where there is neither. */
function Who({ event: { workerId, actor } }: { readonly event: FollowedEvent }) {
  if (workerId !== null) return <Name text={workerId} isCode />;
  return actor === null ? <span class="muted">–</span> : <Name text={actor} />;
}

export function NoteRow({ note, columns }: { readonly note: Note; readonly columns: number }) {
  return (
    <tr class="live-note" data-tone={note.is === 'gap' ? 'bad' : 'warn'}>
      <td colSpan={columns}>
        <div class="row middle">{noteWords(note, preferences.value.isUtc)}</div>
      </td>
    </tr>
  );
}

function noteWords(note: Note, isUtc: boolean): ComponentChildren {
  const time = (at: string): string => exactTime(at, isUtc);
  switch (note.is) {
    case 'gap':
      return (
        <span>
          <strong>Events are missing here.</strong> {GAP_WORDS[note.reason]} What is above goes on with the oldest that are kept.
        </span>
      );
    case 'passed':
      return (
        <>
          <span>
            <strong>{note.count === null ? 'Some' : count(note.count)} events passed over</strong>
            {note.since === null || note.until === null ? '' : ` between ${time(note.since)} and ${time(note.until)}`}: more came than can be read. A filter
            shows fewer.
          </span>
          <ReadButton from={note.from} />
        </>
      );
    case 'filter':
      return `The filter was changed at ${time(note.at)}. Below is only what matched the one before, too.`;
    case 'jump':
      return (
        <>
          <span>
            <strong>Skipped to {time(note.at)}.</strong> What happened between the rows below and then is not listed.
          </span>
          <ReadButton from={note.from} />
        </>
      );
    default:
      return note satisfies never;
  }
}

function ReadButton({ from }: { readonly from: string }) {
  return (
    <Button tone="quiet" onPress={() => setSearch({ from })}>
      Read them
    </Button>
  );
}
