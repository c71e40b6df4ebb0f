/** What the address asks of the list: the query as it was written, and the page. It is kept nowhere else. */
import { computed } from '@preact/signals';
import { parseJobQuery } from '../../../domain/job-query/parse.ts';
import { printJobQuery } from '../../../domain/job-query/print.ts';
import { EVERYTHING, type JobQuery } from '../../../domain/job-query/query.ts';
import { go, hrefOf, route } from '../../route/route.ts';

/** A page next to a cursor; the first one without. */
export interface PagePlace {
  readonly after?: string;
  readonly before?: string;
}

export const askedText = computed(() => route.value.search.get('q') ?? '');
export const askedParsed = computed(() => parseJobQuery(askedText.value));
/** Everything, where the text is no query: whoever asks looks at `askedParsed` first. */
export const askedQuery = computed<JobQuery>(() => (askedParsed.value.ok ? askedParsed.value.query : EVERYTHING));
export const askedPlace = computed<PagePlace>(() => {
  const [after, before] = ['after', 'before'].map((name) => route.value.search.get(name));
  return after != null ? { after } : before != null ? { before } : {};
});

/** An address of its own, so that Back leads to the question before. */
export function askText(text: string): void {
  const parsed = parseJobQuery(text);
  go(hrefOf('jobs', null, { q: parsed.ok ? printJobQuery(parsed.query) : text.trim() }));
}

export function ask(query: JobQuery): void {
  go(hrefOf('jobs', null, { q: printJobQuery(query) }));
}

export function turnTo(place: PagePlace, isReplacing = false): void {
  go(hrefOf('jobs', null, { q: askedText.value, after: place.after, before: place.before }), { isReplacing });
}
