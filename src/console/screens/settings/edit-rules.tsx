/** The redaction rules in a form: saved together, and not over what somebody else set meanwhile. */
import { type Signal, useSignal } from '@preact/signals';
import { type LeaseQueueError, unwrap } from '../../../client/index.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Empty, Notice, Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { counted } from '../../parts/words.ts';
import { type DraftRule, draftOf, isSame, lackingIn, type Rule, rulesOf, type SetRules } from './rules.ts';

interface EditRulesProps {
  readonly set: SetRules;
  /** Told what the rules would be. */
  readonly onDraft: (rules: readonly Rule[]) => void;
  readonly onSaved: () => void;
}

export function EditRules({ set, onDraft, onSaved }: EditRulesProps) {
  const draft = useSignal(draftOf(set.rules));
  const theirs = useSignal<SetRules | null>(null);
  const change = (next: readonly DraftRule[]): void => {
    draft.value = next;
    onDraft(rulesOf(next));
  };
  const rules = rulesOf(draft.value);
  const save = useAction(async (expectedVersion: number) => {
    const answer = await lq.value.setRedactionRules({ rules: rules.map((rule) => ({ ...rule })), expectedVersion });
    theirs.value = answer.__typename === 'VersionConflict' ? await lq.value.redactionRules() : null;
    unwrap(answer);
    return rules.length === 0 ? 'Nothing is hidden any more.' : `${counted(rules.length, 'rule')} hold.`;
  });
  const start = async (version: number): Promise<void> => {
    if (await save.start(version)) onSaved();
  };
  const isChanged = !isSame(rules, set.rules);
  return (
    <Panel title="Rules" aside={<span class="muted small">{set.version === 0 ? 'nobody set any yet' : `version ${set.version}`}</span>}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void start(set.version);
        }}
      >
        <Rows draft={draft} error={save.error} onChange={change} />
        {theirs.value === null ? null : <Conflict mine={rules} theirs={theirs.value} onTheirs={onSaved} onMine={(version) => void start(version)} />}
        {save.error === null || theirs.value !== null || save.error.issues.some(isOfRow) ? null : (
          <Trouble error={save.error} what="Saving the rules" isChange />
        )}
        <div class="row">
          <Button
            isDisabled={draft.value.length >= LIMITS.redactionRulesMax}
            onPress={() => change([...draft.value, { task: '*', path: '', key: nextKey(draft.value) }])}
          >
            Add a rule
          </Button>
          <Button isSubmit tone="primary" isBusy={save.isBusy} isDisabled={!isChanged}>
            Save the rules
          </Button>
          <Button tone="quiet" isDisabled={!isChanged} onPress={() => change(draftOf(set.rules))}>
            Undo the changes
          </Button>
        </div>
      </form>
    </Panel>
  );
}

const nextKey = (draft: readonly DraftRule[]): number => Math.max(-1, ...draft.map(({ key }) => key)) + 1;

type Issue = LeaseQueueError['issues'][number];

const isOfRow = ({ path }: Issue): boolean => path.includes('rules') && path.some((step) => typeof step === 'number');

interface RowsProps {
  readonly draft: Signal<readonly DraftRule[]>;
  readonly error: LeaseQueueError | null;
  readonly onChange: (draft: readonly DraftRule[]) => void;
}

function Rows({ draft, error, onChange }: RowsProps) {
  if (draft.value.length === 0)
    return (
      <Empty title="Nothing is hidden.">
        <p>
          A rule names tasks and a path, such as <code>invoice.*</code> and <code>card.number</code>, or <code>*</code> and <code>**.password</code>.
        </p>
      </Empty>
    );
  const put = (key: number, changed: Partial<Rule>): void => onChange(draft.value.map((rule) => (rule.key === key ? { ...rule, ...changed } : rule)));
  return (
    <ul class="rules">
      {draft.value.map((rule, index) => (
        <li key={rule.key} class="rule">
          <Field label="Task" value={rule.task} onInput={(task) => put(rule.key, { task })} fault={faultOf(error, index, 'task')} isCode isRequired />
          <Field
            label="Hides"
            value={rule.path}
            onInput={(path) => put(rule.key, { path })}
            fault={faultOf(error, index, 'path')}
            placeholder="card.number, items.*.iban, **.password"
            isCode
            isRequired
          />
          <div class="rule-end">
            <Button
              tone="quiet"
              label={`Remove the rule ${rule.task} ${rule.path}`}
              onPress={() => onChange(draft.value.filter(({ key }) => key !== rule.key))}
            >
              Remove
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

function faultOf(error: LeaseQueueError | null, index: number, field: string): string | null {
  const issue = error?.issues.find(({ path }) => path.includes('rules') && path.includes(index) && path.includes(field));
  return issue === undefined ? null : `It ${issue.message}.`;
}

interface ConflictProps {
  readonly mine: readonly Rule[];
  readonly theirs: SetRules;
  readonly onTheirs: () => void;
  readonly onMine: (version: number) => void;
}

/** Somebody else was faster. Nothing of either is lost before somebody chooses. */
function Conflict({ mine, theirs, onTheirs, onMine }: ConflictProps) {
  return (
    <Notice tone="warn" title="Somebody else set the rules meanwhile. Nothing was changed.">
      <p>{`Theirs are version ${theirs.version}; yours are still in the form.`}</p>
      <Difference title="Only in theirs" rules={lackingIn(mine, theirs.rules)} />
      <Difference title="Only in yours" rules={lackingIn(theirs.rules, mine)} />
      <div class="row">
        <Button onPress={onTheirs}>Take theirs</Button>
        <Button onPress={() => onMine(theirs.version)}>Save yours over theirs</Button>
      </div>
    </Notice>
  );
}

function Difference({ title, rules }: { readonly title: string; readonly rules: readonly Rule[] }) {
  if (rules.length === 0) return null;
  return (
    <p>
      {title}:{' '}
      {rules.map(({ task, path }) => (
        <bdi key={`${task} ${path}`} class="code rule-text">{`${task} → ${path}`}</bdi>
      ))}
    </p>
  );
}
