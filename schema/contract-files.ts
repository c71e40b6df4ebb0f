/**
 * The published contract that is not GraphQL, as text made from the tables that the server itself reads. Nothing
 * here is written by hand, so that no page can disagree with the code.
 */
import { QUOTA_NAMES, type QuotaRule, QUOTAS } from '../src/domain/access.ts';
import { FAILURES } from '../src/domain/failures.ts';
import { LIMITS } from '../src/domain/limits.ts';
import { CONFIG_VARIABLES } from '../src/runtime/config.ts';
import { METRICS } from '../src/server/metric-table.ts';
import { TRANSITIONS, type Transition } from '../src/domain/transitions.ts';
import { commandsPage } from './commands-page.ts';
import { sqliteDefinition } from './database-definition.ts';
import { code, page, table } from './page.ts';

const upper = (word: string): string => word.toUpperCase();

/** `keptWithAttemptsLeft` as the words that people read. */
function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A row that allows nothing is the table's way of having no gap. */
function isRefusal({ from, when, to, effect }: Transition): boolean {
  return from === to && when === 'always' && effect === 'none';
}

/** What becomes of the action in the states that no row of it allows. */
function refusalNote(refusals: readonly Transition[]): readonly string[] {
  const [first] = refusals;
  if (first === undefined) return [];
  const states = refusals.map(({ from }) => upper(from)).join(', ');
  if (first.requires.includes('stateAllows')) return [`In ${states} it answers \`INVALID_TRANSITION\`.`];
  if (first.requires.includes('tokenMatches')) return [`In ${states} it answers \`LEASE_LOST\`.`];
  return [`It passes over jobs in ${states}.`];
}

function targetOf({ to }: Transition): string {
  if (to === 'gone') return 'removed';
  return to === 'claimedFrom' ? 'the state it was claimed from' : upper(to);
}

function transitionRow(row: Transition): readonly string[] {
  const conditions = [...row.requires, ...(row.when === 'always' ? [] : [row.when])].map(words).join(', ');
  return [upper(row.from), conditions || '–', targetOf(row), row.events.map(code).join(', then ') || 'none', row.ends ?? '–'];
}

/** Arrows of the diagram: one per pair of states, with every action that takes a job that way. */
function diagram(rows: readonly Transition[]): string {
  const arrows = rows.flatMap((row) => {
    const targets = row.to === 'claimedFrom' ? ['queued', 'retry'] : [row.to === 'gone' ? '[*]' : row.to];
    return targets.filter((to) => to !== row.from).map((to) => ({ path: `${row.from} --> ${to}`, action: row.action }));
  });
  const lines = [...Map.groupBy(arrows, ({ path }) => path)].map(([path, group]) => {
    const actions = [...new Set(group.map(({ action }) => action))];
    return `  ${path}: ${actions.join(', ')}`;
  });
  return ['```mermaid', 'stateDiagram-v2', '  [*] --> queued: submit', ...lines, '```'].join('\n');
}

function transitionsPage(): string {
  const sections = [...Map.groupBy(TRANSITIONS, ({ action }) => action)].map(([action, rows]) => {
    const allowed = rows.filter((row) => !isRefusal(row));
    const head = ['from', 'condition', 'to', 'event', 'the attempt ends as'];
    return [`## ${action}`, table(head, allowed.map(transitionRow)), ...refusalNote(rows.filter(isRefusal))].join('\n\n');
  });
  return page(
    'Transitions of a job',
    'Every change of a job is a row below, committed together with its events. A job begins with `submit`, which records `SUBMITTED`.',
    diagram(TRANSITIONS.filter((row) => !isRefusal(row))),
    ...sections,
  );
}

function failuresPage(): string {
  const rows = Object.entries(FAILURES).map(([name, { type, retryable, meaning, hint }]) => [code(name), code(type), retryable ? 'yes' : 'no', meaning, hint]);
  return page(
    'Failures',
    'The expected ways in which a call is answered with no. They are typed results, not errors.',
    table(['code', 'type', 'retryable', 'meaning', 'what to do'], rows),
  );
}

const UNITS = ['Characters', 'Bytes', 'Seconds', 'Ms', 'Ratio'] as const;
type Unit = (typeof UNITS)[number];
const UNIT_NAMES: Readonly<Record<Unit, string>> = { Characters: 'characters', Bytes: 'bytes', Seconds: 's', Ms: 'ms', Ratio: 'share' };

/** A limit's name ends with its unit, then with what the number is: `leaseSecondsMax`. */
function limitRow([name, value]: readonly [string, number]): {
  readonly subject: string;
  readonly kind: string;
  readonly unit: string;
  readonly value: string;
} {
  const kind = /(Min|Max|Default)$/.exec(name)?.[0] ?? '';
  const measured = name.slice(0, name.length - kind.length);
  const unit = UNITS.find((candidate) => measured.endsWith(candidate));
  const subject = unit === undefined ? measured : measured.slice(0, -unit.length);
  return {
    subject: words(subject),
    kind: kind.toLowerCase() || 'fixed',
    unit: unit === undefined ? '' : UNIT_NAMES[unit],
    value: value.toLocaleString('en-US'),
  };
}

function quotaRow(name: string, { min = 0, max, default: value, meaning }: QuotaRule): readonly string[] {
  return [code(name), ...[min, max, value].map((number) => number.toLocaleString('en-US')), meaning];
}

function limitsPage(): string {
  const groups = Map.groupBy(Object.entries(LIMITS).map(limitRow), ({ subject, unit }) => `${subject}|${unit}`);
  const rows = [...groups.values()].map((group) => {
    const cell = (kind: string): string => group.find((row) => row.kind === kind)?.value ?? '';
    const [first] = group;
    return [first?.subject ?? '', cell('min'), cell('max') || cell('fixed'), cell('default'), first?.unit ?? ''];
  });
  return page(
    'Limits',
    'At a limit is accepted, one more is refused.',
    table(['what', 'least', 'most', 'default', 'unit'], rows),
    '## Quotas of a tenant',
    'Administrators set them for each tenant; see [operations](../docs/operations.md#tenants-and-quotas).',
    table(
      ['quota', 'least', 'most', 'default', 'what counts'],
      QUOTA_NAMES.map((name) => quotaRow(name, QUOTAS[name])),
    ),
  );
}

function configurationPage(): string {
  const rows = CONFIG_VARIABLES.map(({ name, default: value, meaning }) => [
    code(name),
    value === null ? '' : value.includes('`') ? value : code(value),
    meaning,
  ]);
  return page(
    'Configuration',
    'Environment variables of the server. An unknown name with this prefix, or a bad value, stops the start with a message that names it.',
    table(['variable', 'default', 'meaning'], rows),
  );
}

function metricsPage(): string {
  const rows = Object.values(METRICS).map(({ name, type, labels, help }) => [code(name), type, labels.map(code).join(', '), help]);
  return page('Metrics', 'What `/metrics` shows, beside the figures of the process and of Node.', table(['name', 'type', 'labels', 'meaning'], rows));
}

const databaseDefinition = await sqliteDefinition();
const commands = await commandsPage();

/** File names below `schema/` with their text. */
export function contractFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['transitions.md', transitionsPage()],
    ['failures.md', failuresPage()],
    ['limits.md', limitsPage()],
    ['configuration.md', configurationPage()],
    ['metrics.md', metricsPage()],
    ['commands.md', commands],
    ['database.sqlite.sql', databaseDefinition],
  ]);
}
