/** What the fields of the filter's form say about a query, and the query that they make of it. */
import { parseSpan } from '../../../../domain/job-query/moments.ts';
import { parseJobQuery } from '../../../../domain/job-query/parse.ts';
import { printJobQuery, printSpan } from '../../../../domain/job-query/print.ts';
import { type JobQuery, type ListField, type Side, type Term, valuesOf, withoutSubject, withTerm } from '../../../../domain/job-query/query.ts';

export const FORM_FIELDS = ['queue', 'task', 'tag', 'worker', 'key', 'younger', 'older'] as const;
export type FormField = (typeof FORM_FIELDS)[number];
export type FormValues = Readonly<Record<FormField, string>>;
export type FormFaults = Readonly<Partial<Record<FormField, string>>>;

/** A tag is added to those that there are. */
export function valuesFor(query: JobQuery): FormValues {
  const [queue, task, worker, key] = (['queue', 'task', 'worker', 'key'] as const).map((field) => valuesOf(query, field).join(', '));
  return { queue: queue ?? '', task: task ?? '', worker: worker ?? '', key: key ?? '', tag: '', younger: ageOf(query, '<'), older: ageOf(query, '>') };
}

function ageOf({ terms }: JobQuery, side: Side): string {
  return terms.map((term) => (term.field === 'age' && term.side === side ? printSpan(term.seconds) : '')).join('');
}

export type Made = { readonly ok: true; readonly query: JobQuery } | { readonly ok: false; readonly faults: FormFaults };

/** Takes over the fields that differ from what the query says. */
export function queryWith(query: JobQuery, values: FormValues): Made {
  const before = valuesFor(query);
  let made = query;
  const faults: Partial<Record<FormField, string>> = {};
  for (const field of FORM_FIELDS.filter((each) => values[each].trim() !== before[each])) {
    const changed = CHANGES[field](made, values[field].trim());
    if (typeof changed === 'string') faults[field] = changed;
    else made = changed;
  }
  return Object.keys(faults).length === 0 ? { ok: true, query: made } : { ok: false, faults };
}

/** The changed query, or why the text cannot be taken. */
type Change = (query: JobQuery, text: string) => JobQuery | string;

const CHANGES: Readonly<Record<FormField, Change>> = {
  queue: listOf('queue'),
  task: listOf('task'),
  worker: listOf('worker'),
  // One as it is: it may hold commas.
  key: (query, text) => put(query, { field: 'key', values: text === '' ? [] : [text] }),
  tag: tagOf,
  younger: spanOf('<'),
  older: spanOf('>'),
};

function listOf(field: ListField): Change {
  return (query, text) => {
    const values = text.split(',').map((each) => each.trim());
    return put(query, { field, values: [...new Set(values.filter((each) => each !== ''))] });
  };
}

function tagOf(query: JobQuery, text: string): JobQuery | string {
  if (text === '') return query;
  const cut = text.indexOf('=');
  if (cut < 1) return 'A tag has a key and a value, as in customer=42.';
  return put(query, { field: 'tag', key: text.slice(0, cut), value: text.slice(cut + 1) });
}

function spanOf(side: Side): Change {
  return (query, text) => {
    if (text === '') return withoutSubject(query, `created ${side === '>' ? '<' : '>'}`);
    const seconds = parseSpan(text);
    return seconds === null ? 'A length of time is a number with s, m, h or d: 15m, 1h, 7d.' : withTerm(query, { field: 'age', side, seconds });
  };
}

/** Where the language takes it. */
function put(query: JobQuery, term: Term): JobQuery | string {
  const made = withTerm(query, term);
  const alone = withTerm({ terms: [], sort: 'newest' }, term);
  const parsed = parseJobQuery(printJobQuery(alone));
  return parsed.ok ? made : parsed.fault.message;
}
