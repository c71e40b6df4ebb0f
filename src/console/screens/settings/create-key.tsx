/** A new key: what it may do, and its text, which is shown this once. */
import { type Signal, useSignal } from '@preact/signals';
import { type CreateApiKeyInput, type LeaseQueueError, type Scope, unwrap } from '../../../client/index.ts';
import { has, lq } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Command } from '../../parts/copy.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Choice, Field, Tick } from '../../parts/field.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { count } from '../../parts/words.ts';
import { faultAt, isElsewhere } from './faults.ts';
import { SCOPE_WORDS, SCOPES } from './scopes.tsx';

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const DAY_MS = 86_400_000;
const LIVES = { never: null, hour: DAY_MS / 24, day: DAY_MS, month: 30 * DAY_MS, quarter: 90 * DAY_MS, year: 365 * DAY_MS, at: null } as const;
type Life = keyof typeof LIVES;
const LIFE_WORDS: readonly (readonly [Life, string])[] = [
  ['never', 'never'],
  ['hour', 'in an hour'],
  ['day', 'in a day'],
  ['month', 'in 30 days'],
  ['quarter', 'in 90 days'],
  ['year', 'in a year'],
  ['at', 'at a time that you choose'],
];

interface Draft {
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly queues: string;
  readonly life: Life;
  /** As a field of a form has it: without a zone, in this browser's. */
  readonly until: string;
}

const BLANK: Draft = { name: '', scopes: new Set(['READ']), queues: '', life: 'never', until: '' };

function inputOf({ name, scopes, queues, life, until }: Draft): CreateApiKeyInput {
  const lifeMs = LIVES[life];
  const expiresAtMs = life === 'at' ? Date.parse(until) : lifeMs === null ? Number.NaN : nowMs.peek() + lifeMs;
  return {
    name: name.trim(),
    scopes: SCOPES.filter((scope) => scopes.has(scope)),
    queues: queues.split(/[,\s]+/).filter(Boolean),
    ...(!Number.isNaN(expiresAtMs) && { expiresAt: new Date(expiresAtMs).toISOString() }),
  };
}

export function CreateKey({ onClose, onDone }: CreateKeyProps) {
  const draft = useSignal(BLANK);
  const secret = useSignal<string | null>(null);
  const create = useAction(async () => {
    const { secret: made } = unwrap(await lq.value.createApiKey(inputOf(draft.value)));
    secret.value = made;
    return `The key “${draft.value.name.trim()}” is made.`;
  });
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await create.start()) onDone();
  };
  if (secret.value !== null) return <Secret secret={secret.value} name={draft.value.name.trim()} onClose={onClose} />;
  return (
    <Dialog title="Make a key" onClose={onClose} isWide>
      <form class="stack" onSubmit={(event) => void start(event)}>
        <Fields draft={draft} error={create.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button isSubmit tone="primary" isBusy={create.isBusy} isDisabled={draft.value.scopes.size === 0}>
            Make the key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function nameFault(error: LeaseQueueError | null): string | null {
  if (error?.code === 'NAME_TAKEN') return 'Another key has this name. Nothing was made. Choose another one, or revoke that key first.';
  if (error?.code === 'QUOTA_EXCEEDED') {
    const { limit } = error.details as { readonly limit: number };
    return `The tenant has as many keys as it may have, ${count(limit)}. Nothing was made. Revoke one that nobody uses, or have the quota raised.`;
  }
  return faultAt(error, 'name');
}

function Fields({ draft, error }: { readonly draft: Signal<Draft>; readonly error: LeaseQueueError | null }) {
  const { name, queues, life, until } = draft.value;
  const change = (changed: Partial<Draft>): void => void (draft.value = { ...draft.value, ...changed });
  const faults = { name: nameFault(error), queues: faultAt(error, 'queues'), until: life === 'at' ? faultAt(error, 'expiresAt') : null };
  return (
    <>
      <Field
        label="Name"
        value={name}
        onInput={(text) => change({ name: text })}
        fault={faults.name}
        help="For people: events show it, so say who or what uses the key."
        isRequired
        isAutofocused
        autocomplete="off"
      />
      <ScopeTicks draft={draft} />
      <Field
        label="Queues"
        value={queues}
        onInput={(text) => change({ queues: text })}
        fault={faults.queues}
        placeholder="every queue"
        help="Restricts the key to these, with commas between them. Not together with ADMIN or SYSTEM."
        isCode
        autocomplete="off"
      />
      <div class="row">
        <Choice label="Expires" value={life} options={LIFE_WORDS} onChoose={(chosen) => change({ life: chosen })} />
        {life === 'at' ? (
          <Field
            label="At (in this browser's zone)"
            type="datetime-local"
            value={until}
            onInput={(text) => change({ until: text })}
            fault={faults.until}
            isRequired
          />
        ) : null}
      </div>
      {isElsewhere(error, Object.values(faults)) ? <Trouble error={error} what="Making the key" isChange /> : null}
    </>
  );
}

function ScopeTicks({ draft }: { readonly draft: Signal<Draft> }) {
  const tick = (scope: Scope, isTicked: boolean): void => {
    const scopes = new Set(draft.value.scopes);
    if (isTicked) scopes.add(scope);
    else scopes.delete(scope);
    draft.value = { ...draft.value, scopes };
  };
  return (
    <fieldset class="scope-ticks">
      <legend>What it may do</legend>
      {SCOPES.filter((scope) => scope !== 'SYSTEM' || has('SYSTEM')).map((scope) => (
        <Tick
          key={scope}
          label={
            <>
              <span class="code">{scope}</span> <span class="muted">{SCOPE_WORDS[scope]}</span>
            </>
          }
          isTicked={draft.value.scopes.has(scope)}
          onTick={(isTicked) => tick(scope, isTicked)}
        />
      ))}
    </fieldset>
  );
}

/** Goes with the dialog: nothing else holds the text. */
function Secret({ secret, name, onClose }: { readonly secret: string; readonly name: string; readonly onClose: () => void }) {
  return (
    <Dialog title="The new key" onClose={onClose} isWide>
      <Notice tone="good" title="Copy it now: it is shown this once.">
        <p>
          The server keeps only what it can check <bdi class="strong">{name}</bdi> by. Whoever loses the key makes another one, and revokes this.
        </p>
      </Notice>
      <Command text={secret} what="the new key" />
      <DialogActions>
        <Button tone="primary" onPress={onClose}>
          I have it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
