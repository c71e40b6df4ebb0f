/** Before many jobs are changed: what is done, to which and how many of them, and the last chance to leave it. */
import { useSignal } from '@preact/signals';
import { LIMITS } from '../../../../domain/limits.ts';
import { useLoaded } from '../../../api/use-loaded.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { Choice, Field } from '../../../parts/field.tsx';
import { Trouble } from '../../../parts/notice.tsx';
import { cappedCount, count, counted } from '../../../parts/words.ts';
import type { CappedCount } from '../count.tsx';
import { askBulk, type BulkOrder, type Deed, DEED_WORDS } from './deeds.ts';
import type { Wish } from './wish.ts';

interface BulkDialogProps {
  readonly wish: Wish;
  readonly onClose: () => void;
  readonly onStart: (order: BulkOrder, matched: CappedCount) => void;
}

export function BulkDialog({ wish, onClose, onStart }: BulkDialogProps) {
  const deed = useSignal(wish.deeds[0] ?? 'cancel');
  const reason = useSignal('');
  const typed = useSignal('');
  const preview = useLoaded(`${deed.value} ${JSON.stringify(wish.target)}`, () =>
    askBulk({ deed: deed.value, target: wish.target, reason: '' }, { dryRun: true, limit: 1 }),
  );
  const matched = preview.value?.matched ?? null;
  const word = matched === null ? null : wordToType(deed.value, matched);
  const isAgreed = word === null || typed.value.replaceAll(',', '').trim() === word;
  const start = (event: Event): void => {
    event.preventDefault();
    if (matched === null || !hasAny(matched) || !isAgreed) return;
    onStart({ deed: deed.value, target: wish.target, reason: reason.value }, matched);
  };
  const choose = (chosen: Deed): void => {
    deed.value = chosen;
    typed.value = '';
  };
  return (
    <Dialog title={wish.filter === null ? `${DEED_WORDS[deed.value].order} selected jobs` : 'Act on everything that matches'} onClose={onClose}>
      <form class="stack" onSubmit={start}>
        <Which wish={wish} />
        {wish.deeds.length < 2 ? null : (
          <Choice label="What to do" value={deed.value} options={wish.deeds.map((each) => [each, DEED_WORDS[each].order] as const)} onChoose={choose} />
        )}
        <p>{DEED_WORDS[deed.value].means}</p>
        {preview.error === null ? (
          <Matched deed={deed.value} matched={matched} />
        ) : (
          <Trouble error={preview.error} what="Counting them" onRetry={preview.reload} />
        )}
        {deed.value === 'cancel' ? (
          <Field label="Reason" help="For people; it is kept with the jobs." value={reason.value} onInput={(text) => (reason.value = text)} />
        ) : null}
        {word === null ? null : (
          <Field label={`Type ${word} to go on`} value={typed.value} onInput={(text) => (typed.value = text)} autocomplete="off" isCode />
        )}
        <p class="muted small">It runs in this browser. Leaving the list of jobs stops it; what is done by then stays done.</p>
        <DialogActions>
          <Button onPress={onClose}>Leave them as they are</Button>
          <Button isSubmit tone={deed.value === 'redrive' ? 'primary' : 'danger'} isDisabled={matched === null || !hasAny(matched) || !isAgreed}>
            {matched === null ? DEED_WORDS[deed.value].order : orderWords(deed.value, matched)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** A count that had to stop before it found one does not say that there is none. */
const hasAny = ({ value, exact }: CappedCount): boolean => value > 0 || !exact;

/** What cannot be taken back, or touches more than anybody looks through, is typed. */
function wordToType(deed: Deed, matched: CappedCount): string | null {
  if (!hasAny(matched) || (deed !== 'purge' && matched.exact && matched.value <= LIMITS.countMax)) return null;
  return matched.value === 0 ? 'all' : String(matched.value);
}

function orderWords(deed: Deed, { value, exact }: CappedCount): string {
  const { order } = DEED_WORDS[deed];
  if (value === 0) return exact ? order : `${order} all that match`;
  return `${order} ${exact ? '' : 'at least '}${counted(value, 'job')}`;
}

function Which({ wish: { filter, target, leftOut } }: { readonly wish: Wish }) {
  if (filter !== null)
    return (
      <p>
        All jobs of <bdi class="code jobs-quoted">{filter}</bdi>, on every page, that are there when you press the button.
      </p>
    );
  return (
    <p>
      {`${counted('ids' in target ? target.ids.length : 0, 'selected job')}.`}
      {leftOut === 0 ? '' : ` ${count(leftOut)} more ${leftOut === 1 ? 'is' : 'are'} left out, in a state that does not allow it.`}
    </p>
  );
}

function Matched({ deed, matched }: { readonly deed: Deed; readonly matched: CappedCount | null }) {
  const { done } = DEED_WORDS[deed];
  if (matched === null) return <p class="muted">counting…</p>;
  if (matched.value === 0)
    return <p>{matched.exact ? `None of them can be ${done.toLowerCase()} now.` : 'There are too many jobs to count those that match.'}</p>;
  return (
    <p>
      <strong>{cappedCount(matched)}</strong>
      {` ${matched.exact && matched.value === 1 ? 'job' : 'jobs'} will be ${done.toLowerCase()}.`}
    </p>
  );
}
