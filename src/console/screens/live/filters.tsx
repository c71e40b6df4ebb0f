/** The filter as form controls; what they say is in the address. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { STATE_MARKS } from '../../parts/state-badge.tsx';
import { setSearch } from '../../route/route.ts';
import type { EventStream } from './event-stream.ts';
import { FILTER_FIELDS, type Filter, type FilterField, isFiltering, KINDS, STATES } from './filter.ts';
import { KIND_MARKS } from './words.ts';

/** Names to choose from, out of what is listed. */
function seen(stream: EventStream, field: 'queueName' | 'task'): readonly string[] {
  return [...new Set(stream.listing.value.items.flatMap((item) => (item.is === 'event' ? [item.event[field]] : [])))].slice(0, 50);
}

export const withoutFilter = (): void => setSearch(Object.fromEntries(FILTER_FIELDS.map((field) => [field, null])));

export function Filters({ filter, stream }: { readonly filter: Filter; readonly stream: EventStream }) {
  return (
    <div class="live-filters" role="search" aria-label="Filter of the stream">
      <Names field="queue" label="Queue" filter={filter} suggestions={seen(stream, 'queueName')} />
      <Names field="task" label="Task" filter={filter} suggestions={seen(stream, 'task')} />
      <OneOf field="kind" label="Event" filter={filter} options={KINDS.map((kind) => [kind, KIND_MARKS[kind].word])} />
      <OneOf field="state" label="State after it" filter={filter} options={STATES.map((state) => [state, STATE_MARKS[state].word])} />
      <Names field="job" label="Job id" filter={filter} />
      <div class="live-clear">
        <Button tone="quiet" isDisabled={!isFiltering(filter)} onPress={withoutFilter}>
          Clear
        </Button>
      </div>
    </div>
  );
}

interface NamesProps {
  readonly field: FilterField;
  readonly label: string;
  readonly filter: Filter;
  readonly suggestions?: readonly string[];
}

/** Taken when the field is left or Enter is pressed: half a name would be another stream. */
function Names({ field, label, filter, suggestions }: NamesProps) {
  const given = filter[field].join(', ');
  const text = useSignal(given);
  useEffect(() => void (text.value = given), [given, text]);
  const apply = (): void =>
    setSearch({
      [field]: text.value
        .split(/[,\s]+/)
        .filter(Boolean)
        .join(','),
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
      onFocusOut={apply}
    >
      <Field label={label} value={text.value} onInput={(value) => (text.value = value)} suggestions={suggestions} placeholder="any" autocomplete="off" isCode />
    </form>
  );
}

interface OneOfProps {
  readonly field: FilterField;
  readonly label: string;
  readonly filter: Filter;
  readonly options: readonly (readonly [value: string, title: string])[];
}

function OneOf({ field, label, filter, options }: OneOfProps) {
  const given = filter[field].join(',');
  const several: OneOfProps['options'] =
    filter[field].length > 1 ? [[given, filter[field].map((each) => each.toLowerCase().replaceAll('_', ' ')).join(', ')]] : [];
  return (
    <Choice label={label} value={given} options={[['', 'any'], ...several, ...options]} onChoose={(value) => setSearch({ [field]: value.toLowerCase() })} />
  );
}
