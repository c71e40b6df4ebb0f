/** What the values of a query's terms may be: what the API takes. */
import { LIMITS, VISIBLE_PATTERN } from '../limits.ts';
import { NAME, NO_CONTROL, type TextRule } from '../text.ts';
import type { ListField } from './query.ts';

const NO_CONTROL_WORDS = 'characters, none of them a control character';

export const LIST_RULES: Readonly<Record<ListField, TextRule>> = {
  queue: NAME,
  task: NAME,
  worker: { min: 1, max: LIMITS.workerIdCharactersMax, pattern: VISIBLE_PATTERN, words: 'visible characters, without spaces' },
  key: { min: 1, max: LIMITS.concurrencyKeyCharactersMax, pattern: NO_CONTROL, words: NO_CONTROL_WORDS },
  group: { min: 1, max: LIMITS.nameCharactersMax, pattern: VISIBLE_PATTERN, words: 'visible characters, without spaces' },
};

export const TAG_KEY: TextRule = { min: 1, max: LIMITS.nameCharactersMax, pattern: NO_CONTROL, words: NO_CONTROL_WORDS };
export const TAG_VALUE: TextRule = { min: 0, max: LIMITS.tagValueCharactersMax, pattern: NO_CONTROL, words: NO_CONTROL_WORDS };

/** A hundred years: every instant that it leads to can be written. */
export const SPAN_SECONDS_MAX = 3_153_600_000;
