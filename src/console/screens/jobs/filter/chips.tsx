/** The filter as controls: a button for each state, a chip for each other term, and a form for more. */
import { useSignal } from '@preact/signals';
import { JOB_STATES, type JobState } from '../../../../domain/job.ts';
import { printTerm } from '../../../../domain/job-query/print.ts';
import { statesOf, subjectOf, type Term, withoutSubject, withTerm } from '../../../../domain/job-query/query.ts';
import { figures } from '../../../frame/figures.ts';
import { Button } from '../../../parts/button.tsx';
import { STATE_MARKS } from '../../../parts/state-badge.tsx';
import { count } from '../../../parts/words.ts';
import { ask, askedQuery } from '../asked.ts';
import { FilterForm } from './filter-form.tsx';

export function Chips({ tasks }: { readonly tasks: readonly string[] }) {
  const isOpen = useSignal(false);
  const terms = askedQuery.value.terms.filter(({ field }) => field !== 'state');
  return (
    <div class="stack">
      <div class="row middle jobs-chips">
        <div class="jobs-states" role="group" aria-label="States">
          {JOB_STATES.map((state) => (
            <StateToggle key={state} state={state} />
          ))}
        </div>
        {terms.map((term) => (
          <Chip key={subjectOf(term)} term={term} onEdit={() => (isOpen.value = true)} />
        ))}
        <Button tone="quiet" onPress={() => (isOpen.value = !isOpen.value)} isExpanded={isOpen.value}>
          + Add filter
        </Button>
      </div>
      {isOpen.value ? <FilterForm tasks={tasks} onClose={() => (isOpen.value = false)} /> : null}
    </div>
  );
}

/** The figure is of the whole tenant, whatever else is asked. */
function StateToggle({ state }: { readonly state: JobState }) {
  const { mark, word } = STATE_MARKS[state.toUpperCase() as Uppercase<JobState>];
  const query = askedQuery.value;
  const chosen = statesOf(query);
  const isChosen = chosen.includes(state);
  const total = figures.value?.counts[state];
  const values = isChosen ? chosen.filter((each) => each !== state) : JOB_STATES.filter((each) => each === state || chosen.includes(each));
  return (
    <button
      type="button"
      class="button jobs-state"
      data-state={state}
      aria-pressed={isChosen}
      title={total === undefined ? word : `${count(total)} ${word} in all queues`}
      onClick={() => ask(withTerm(query, { field: 'state', values }))}
    >
      <span class="badge-mark" aria-hidden="true">
        {mark}
      </span>
      {word} <span class="jobs-figure">{total === undefined ? '–' : count(total)}</span>
    </button>
  );
}

function Chip({ term, onEdit }: { readonly term: Term; readonly onEdit: () => void }) {
  const text = printTerm(term);
  return (
    <span class="chip jobs-chip">
      <button type="button" class="jobs-chip-text" title={`${text}: change it`} onClick={onEdit}>
        <bdi class="code">{text}</bdi>
      </button>
      <button type="button" class="jobs-chip-remove" aria-label={`Remove ${text}`} onClick={() => ask(withoutSubject(askedQuery.value, subjectOf(term)))}>
        ✕
      </button>
    </span>
  );
}
