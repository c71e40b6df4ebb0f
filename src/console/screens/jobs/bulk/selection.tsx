/** The jobs that a person has picked, and what can be done to them. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { JobState } from '../../../../client/index.ts';
import { LIMITS } from '../../../../domain/limits.ts';
import { tell } from '../../../api/toasts.ts';
import { useKey } from '../../../parts/use-key.ts';
import { Button } from '../../../parts/button.tsx';
import { count } from '../../../parts/words.ts';
import type { ShownRow } from '../rows/use-rows.ts';
import { type Deed, deedsFor, DEED_WORDS, statesFor } from '../../../bulk/deeds.ts';
import type { Bulk } from './use-bulk.ts';

/** Jobs of any page of one filter, each with its state as it was last seen. */
export interface Picked {
  readonly states: ReadonlyMap<string, JobState>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
  readonly clear: () => void;
}

const NONE: ReadonlyMap<string, JobState> = new Map();

/** Another `filter` is another selection: nothing that is out of sight for another reason than its page stays picked. */
export function usePicked(filter: string, rows: readonly ShownRow[]): Picked {
  const states: Signal<ReadonlyMap<string, JobState>> = useSignal(NONE);
  useEffect(() => void (states.value = NONE), [filter, states]);
  const seen = new Map(rows.map(({ id, state, isGone }) => [id, isGone ? null : state]));
  const known = (id: string): JobState | null => seen.get(id) ?? (seen.has(id) ? null : (states.value.get(id) ?? null));
  const onChange = (keys: ReadonlySet<string>): void => {
    if (keys.size > LIMITS.bulkJobsMax) return tell(`${count(LIMITS.bulkJobsMax)} jobs can be selected at most. To act on more, use everything that matches.`);
    states.value = withStates(keys, known);
  };
  const clear = (): void => void (states.value = NONE);
  useKey('Esc', states.value.size > 0 ? clear : null);
  return { states: withStates(states.value.keys(), known), onChange, clear };
}

/** Jobs that are gone are left out. */
function withStates(ids: Iterable<string>, known: (id: string) => JobState | null): ReadonlyMap<string, JobState> {
  const pairs = [...ids].map((id) => [id, known(id)] as const);
  return new Map(pairs.filter((pair): pair is readonly [string, JobState] => pair[1] !== null));
}

interface SelectionBarProps {
  readonly picked: Picked;
  readonly rows: readonly ShownRow[];
  readonly bulk: Bulk;
}

const KEYS: Readonly<Partial<Record<Deed, string>>> = { redrive: 'r', cancel: 'c' };

export function SelectionBar({ picked, rows, bulk }: SelectionBarProps) {
  const { states, clear } = picked;
  const elsewhere = states.size - rows.filter(({ id }) => states.has(id)).length;
  return (
    <div class="row middle jobs-selection" role="group" aria-label="Selected jobs">
      <span>
        <strong>{`${count(states.size)} selected`}</strong>
        {elsewhere === 0 ? '' : `, ${count(elsewhere)} of them on other pages`}
      </span>
      {deedsFor([...states.values()]).map((deed) => (
        <DeedButton key={deed} deed={deed} picked={picked} bulk={bulk} />
      ))}
      <Button tone="quiet" onPress={clear}>
        Clear
      </Button>
    </div>
  );
}

function DeedButton({ deed, picked: { states, clear }, bulk: { want, isBusy } }: Omit<SelectionBarProps, 'rows'> & { readonly deed: Deed }) {
  const allowed = statesFor(deed);
  const ids = [...states].filter(([, state]) => allowed.includes(state)).map(([id]) => id);
  const wish = (): void => want({ deeds: [deed], target: { ids }, filter: null, leftOut: states.size - ids.length, onStart: clear });
  const key = KEYS[deed];
  useKey(key ?? '', key === undefined || isBusy ? null : wish);
  return (
    <Button
      tone={deed === 'redrive' ? 'plain' : 'danger'}
      onPress={wish}
      isDisabled={isBusy}
      hint={key}
      label={`${DEED_WORDS[deed].order} ${count(ids.length)}`}
    >
      {`${DEED_WORDS[deed].order} ${count(ids.length)}`}
    </Button>
  );
}
