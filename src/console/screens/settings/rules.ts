/** Redaction rules while somebody edits them: what differs from those that are set. Pure. */
import type { RedactionRuleFieldsFragment } from '../../../client/index.ts';

export type SetRules = RedactionRuleFieldsFragment;
export type Rule = SetRules['rules'][number];

/** A rule in a form; its key stays while its text changes. */
export interface DraftRule extends Rule {
  readonly key: number;
}

export const draftOf = (rules: readonly Rule[]): readonly DraftRule[] => rules.map(({ task, path }, key) => ({ task, path, key }));

/** As they are sent: a row that nobody filled in is none. */
export function rulesOf(draft: readonly DraftRule[]): readonly Rule[] {
  return draft.map(({ task, path }) => ({ task: task.trim(), path: path.trim() })).filter(({ task, path }) => task !== '' || path !== '');
}

const textOf = ({ task, path }: Rule): string => `${task} ${path}`;

/** The rules of the one that the other lacks. */
export function lackingIn(other: readonly Rule[], rules: readonly Rule[]): readonly Rule[] {
  const known = new Set(other.map(textOf));
  return rules.filter((rule) => !known.has(textOf(rule)));
}

export function isSame(left: readonly Rule[], right: readonly Rule[]): boolean {
  return left.length === right.length && left.every((rule, index) => textOf(rule) === textOf(right[index] ?? { task: '', path: '' }));
}
