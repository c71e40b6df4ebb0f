/** What a person asks of a list of jobs: terms that must all hold, and an order. As a person writes it, so that it can be shown and linked. */
import type { JobState } from '../job.ts';

/** Fields whose values a term lists: any of them may hold. */
export const LIST_FIELDS = ['queue', 'task', 'worker', 'key', 'group'] as const;
export type ListField = (typeof LIST_FIELDS)[number];

export const TIME_FIELDS = ['created', 'finished', 'run'] as const;
export type TimeField = (typeof TIME_FIELDS)[number];

export const FIELDS = ['queue', 'task', 'state', 'tag', 'worker', 'key', 'group', 'age', ...TIME_FIELDS, 'sort'] as const;
export type Field = (typeof FIELDS)[number];

export const SORTS = ['newest', 'oldest', 'next', 'finished'] as const;
export type Sort = (typeof SORTS)[number];

/** An instant: fixed, or moving along with now. */
export type Moment = { readonly atMs: number } | { readonly fromNowSeconds: number };

/** `>` is later (of an age: older), `<` earlier (younger). */
export type Side = '<' | '>';

export type Term =
  | { readonly field: ListField; readonly values: readonly string[] }
  | { readonly field: 'state'; readonly values: readonly JobState[] }
  | { readonly field: 'tag'; readonly key: string; readonly value: string }
  | { readonly field: 'age'; readonly side: Side; readonly seconds: number }
  | { readonly field: TimeField; readonly side: Side; readonly moment: Moment };

export interface JobQuery {
  /** In the order in which they were written; no two about the same thing. */
  readonly terms: readonly Term[];
  readonly sort: Sort;
}

export const EVERYTHING: JobQuery = { terms: [], sort: 'newest' };

/** What a term is about: a query has one term at most of each. An age is another way to say when a job was created. */
export function subjectOf(term: Term): string {
  switch (term.field) {
    case 'tag':
      return `tag ${term.key}`;
    case 'age':
      return `created ${term.side === '>' ? '<' : '>'}`;
    case 'created':
    case 'finished':
    case 'run':
      return `${term.field} ${term.side}`;
    default:
      return term.field;
  }
}

/** The query with the term in place of the one about the same thing, or at its end. A list without values takes the term away. */
export function withTerm(query: JobQuery, term: Term): JobQuery {
  if ('values' in term && term.values.length === 0) return withoutSubject(query, subjectOf(term));
  const isSame = (other: Term): boolean => subjectOf(other) === subjectOf(term);
  const terms = query.terms.some(isSame) ? query.terms.map((other) => (isSame(other) ? term : other)) : [...query.terms, term];
  return { ...query, terms };
}

export function withoutSubject(query: JobQuery, subject: string): JobQuery {
  return { ...query, terms: query.terms.filter((term) => subjectOf(term) !== subject) };
}

/** The values that a list of the query names; empty where it has none. */
export function valuesOf(query: JobQuery, field: ListField): readonly string[] {
  return query.terms.flatMap((term) => (term.field === field ? term.values : []));
}

export function statesOf(query: JobQuery): readonly JobState[] {
  return query.terms.flatMap((term) => (term.field === 'state' ? term.values : []));
}
