/** What is hidden in payloads, results and error details from everybody but the worker that claims a job. */
import { useSignal } from '@preact/signals';
import { can, lq, namedTenant } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Empty, Trouble } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { EditRules } from './edit-rules.tsx';
import type { Rule, SetRules } from './rules.ts';
import { TryRules } from './try-rules.tsx';

export function Redaction() {
  const { value, error, reload } = useLoaded(`redaction ${namedTenant.value ?? ''}`, (signal) => lq.value.redactionRules({ signal }));
  if (value === null) return error === null ? null : <Trouble error={error} what="Loading the redaction rules" onRetry={reload} />;
  return <Loaded key={value.version} set={value} onChanged={reload} />;
}

function Loaded({ set, onChanged }: { readonly set: SetRules; readonly onChanged: () => void }) {
  const rules = useSignal<readonly Rule[]>(set.rules);
  return (
    <>
      <p class="muted">
        Whoever reads a job sees <code>[redacted]</code> in place of what a rule names; the worker that claims it sees everything. Rules hold for jobs that are
        stored already, too. The messages of errors are not looked into.
      </p>
      {can('ADMIN') ? <EditRules set={set} onDraft={(draft) => (rules.value = draft)} onSaved={onChanged} /> : <Rules rules={set.rules} />}
      <TryRules rules={rules.value} />
    </>
  );
}

const COLUMNS: readonly Column<Rule>[] = [
  { name: 'Task', cell: ({ task }) => <bdi class="code">{task}</bdi> },
  { name: 'Hides', cell: ({ path }) => <bdi class="code">{path}</bdi> },
];

function Rules({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <Panel title="Rules">
      {rules.length === 0 ? (
        <Empty title="Nothing is hidden." />
      ) : (
        <Table caption="Redaction rules" rows={rules} keyOf={({ task, path }) => `${task} ${path}`} columns={COLUMNS} />
      )}
    </Panel>
  );
}
