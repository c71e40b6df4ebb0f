/** Who did what to the tenant, and why: the log of operators and administrators. */
import { useSignal } from '@preact/signals';
import type { OperatorActionKind } from '../../../client/index.ts';
import { preferences } from '../../api/preferences.ts';
import { lq, namedTenant } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Choice } from '../../parts/field.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { At } from '../../parts/moment.tsx';
import { Name, ShortId } from '../../parts/name.tsx';
import { Empty, Trouble } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { count, instant } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { route, setSearch } from '../../route/route.ts';
import { ACTION_WORDS, ACTIONS, actionWords, type AuditEntry, targetOf, targetWords } from './audit-words.ts';
import { Pager } from './pager.tsx';

const PAGE_ROWS = 50;

function actionOf(text: string | null): OperatorActionKind | null {
  return ACTIONS.find((action) => action === text?.toUpperCase()) ?? null;
}

export function Audit() {
  const { search } = route.value;
  const [action, after] = [actionOf(search.get('action')), search.get('after')];
  const opened = useSignal<AuditEntry | null>(null);
  const { value, error, isLoading, reload } = useLoaded(
    `audit ${namedTenant.value ?? ''} ${action ?? ''} ${after ?? ''}`,
    (signal) => lq.value.auditLog({ first: PAGE_ROWS, after, ...(action !== null && { actions: [action] }) }, { signal }),
    { isKept: true },
  );
  return (
    <>
      <div class="settings-bar">
        <h2>What operators did</h2>
        <div class="row">
          <Choice
            label="Action"
            value={action ?? ''}
            options={[['', 'every action'], ...ACTIONS.map((each) => [each, ACTION_WORDS[each]] as const)]}
            onChoose={(chosen) => setSearch({ action: chosen.toLowerCase(), after: null })}
          />
          <Button isBusy={isLoading} onPress={reload}>
            Look again
          </Button>
        </div>
      </div>
      {error === null ? null : <Trouble error={error} what="Loading what operators did" onRetry={reload} />}
      {value === null ? null : value.nodes.length === 0 ? (
        <Nothing isFiltered={action !== null || after !== null} />
      ) : (
        <Table
          caption="What operators did"
          rows={value.nodes}
          keyOf={({ id }) => id}
          columns={columnsFor((entry) => (opened.value = entry))}
          isWaiting={isLoading}
        />
      )}
      <Pager after={after} next={value?.pageInfo.hasNextPage === true ? value.pageInfo.endCursor : null} />
      {opened.value === null ? null : <Entry entry={opened.value} onClose={() => (opened.value = null)} />}
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="Nothing of the kind is in the log.">
        <Button onPress={() => setSearch({ action: null, after: null })}>Show everything</Button>
      </Empty>
    );
  return (
    <Empty title="Nobody has changed anything yet.">
      <p>What operators do to jobs, queues, keys and rules is written down here, in the same commit as the change.</p>
    </Empty>
  );
}

const columnsFor = (onOpen: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    name: 'When',
    cell: (entry) => (
      <button type="button" class="plain-link" onClick={() => onOpen(entry)}>
        <At at={entry.at} />
      </button>
    ),
  },
  { name: 'Who', cell: ({ actor }) => <Who actor={actor} /> },
  { name: 'What', cell: ({ action }) => actionWords(action) },
  { name: 'To what', isWide: true, cell: (entry) => <Target entry={entry} /> },
  { name: 'Changed', isNumber: true, cell: ({ changed }) => count(changed) },
  { name: 'Skipped', isNumber: true, isMinor: true, cell: ({ skipped }) => count(skipped) },
  { name: 'Why', isWide: true, isMinor: true, cell: ({ reason }) => (reason === null ? <span class="muted">–</span> : <Name text={reason} />) },
];

function Who({ actor }: { readonly actor: string | null }) {
  return actor === null ? (
    <span class="muted" title="Nobody had to sign in, or a command did it to the database itself">
      nobody by name
    </span>
  ) : (
    <span class="audit-who">
      <Name text={actor} />
    </span>
  );
}

function Target({ entry }: { readonly entry: AuditEntry }) {
  const target = targetOf(entry);
  return (
    <>
      {typeof target.jobId === 'string' ? (
        <>
          <Link to="jobs" id={target.jobId}>
            <ShortId id={target.jobId} />
          </Link>{' '}
        </>
      ) : null}
      {typeof target.queue === 'string' ? (
        <>
          <Link to="queues" id={target.queue}>
            <bdi class="code">{target.queue}</bdi>
          </Link>{' '}
        </>
      ) : null}
      <bdi class="muted">{targetWords(target)}</bdi>
    </>
  );
}

function Entry({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const { at, actor, action, changed, skipped, reason, target } = entry;
  return (
    <Dialog title="What was done" onClose={onClose} isWide>
      <dl class="facts">
        <Fact name="When">
          <time dateTime={at}>{instant(Date.parse(at), preferences.value.isUtc)}</time>
        </Fact>
        <Fact name="Who">{actor === null ? 'nobody by name' : <bdi>{actor}</bdi>}</Fact>
        <Fact name="What">{actionWords(action)}</Fact>
        <Fact name="Changed">{count(changed)}</Fact>
        <Fact name="Skipped">{count(skipped)}</Fact>
        <Fact name="Why">{reason === null ? '–' : <bdi>{reason}</bdi>}</Fact>
        <Fact name="To what">
          <JsonView value={target} />
        </Fact>
      </dl>
    </Dialog>
  );
}
