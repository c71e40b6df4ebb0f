/** The settings of a queue as texts that a person types, and back. Pure. */
import type { ConfigureQueueInput, QueueFieldsFragment } from '../../../client/index.ts';
import { parseSpan } from '../../../domain/job-query/moments.ts';
import { printSpan } from '../../../domain/job-query/print.ts';
import { LIMITS } from '../../../domain/limits.ts';

export type Part = 'defaults' | 'retention';

export interface SettingField {
  readonly part: Part;
  /** As the API names it. */
  readonly name: string;
  readonly title: string;
  readonly min: number;
  readonly max: number;
  /** Null where the server's own settings decide. */
  readonly serverDefault: number | null;
  /** Seconds, which may be typed with a unit. */
  readonly isSpan: boolean;
  readonly read: (queue: Pick<QueueFieldsFragment, Part>) => number;
}

type DefaultName = keyof QueueFieldsFragment['defaults'];
type RetentionName = keyof QueueFieldsFragment['retention'];

function ofDefaults(name: DefaultName, title: string, min: number, max: number, serverDefault: number, isSpan: boolean): SettingField {
  return { part: 'defaults', name, title, min, max, serverDefault, isSpan, read: ({ defaults }) => defaults[name] };
}

function ofRetention(name: RetentionName, title: string): SettingField {
  return { part: 'retention', name, title, min: 0, max: LIMITS.retainSecondsMax, serverDefault: null, isSpan: true, read: ({ retention }) => retention[name] };
}

export const FIELDS: readonly SettingField[] = [
  ofDefaults('priority', 'Priority', LIMITS.priorityMin, LIMITS.priorityMax, LIMITS.priorityDefault, false),
  ofDefaults('maxAttempts', 'Attempts', LIMITS.maxAttemptsMin, LIMITS.maxAttemptsMax, LIMITS.maxAttemptsDefault, false),
  ofDefaults('retryBaseSeconds', 'First retry after', LIMITS.retryBaseSecondsMin, LIMITS.retryBaseSecondsMax, LIMITS.retryBaseSecondsDefault, true),
  ofDefaults('retryMaxSeconds', 'Longest wait between attempts', LIMITS.retryMaxSecondsMin, LIMITS.retryMaxSecondsMax, LIMITS.retryMaxSecondsDefault, true),
  ofDefaults('leaseSeconds', 'Lease', LIMITS.leaseSecondsMin, LIMITS.leaseSecondsMax, LIMITS.leaseSecondsDefault, true),
  ofRetention('completedSeconds', 'Completed jobs'),
  ofRetention('cancelledSeconds', 'Cancelled jobs'),
  ofRetention('deadSeconds', 'Dead letters'),
];

const WHOLE = /^-?\d{1,10}$/;

/** The number that was typed: `90s`, `15m`, `3`; null where nothing was; NaN where it is none. */
export function valueOf({ isSpan }: Pick<SettingField, 'isSpan'>, text: string): number | null {
  const typed = text.trim().toLowerCase();
  if (typed === '') return null;
  if (!isSpan) return WHOLE.test(typed) ? Number(typed) : Number.NaN;
  return (WHOLE.test(typed) ? Number(typed) : parseSpan(typed)) ?? Number.NaN;
}

/** Why the text cannot be taken; null where it can. */
export function faultOf(field: SettingField, text: string): string | null {
  const value = valueOf(field, text);
  if (value === null) return null;
  if (Number.isNaN(value)) return field.isSpan ? 'Seconds, or a number with s, m, h or d.' : 'A whole number.';
  return value < field.min || value > field.max ? `${field.min} to ${field.max}${field.isSpan ? ' seconds' : ''}.` : null;
}

/** Spans in the largest unit that divides them. */
function textOf({ isSpan }: SettingField, value: number): string {
  return isSpan && value > 0 ? printSpan(value) : String(value);
}

export function startOf(queue: QueueFieldsFragment): Readonly<Record<string, string>> {
  return Object.fromEntries(FIELDS.map((field) => [field.name, textOf(field, field.read(queue))]));
}

/** What was changed: null takes the server's default, what stayed is left out. */
export function changeOf(queue: QueueFieldsFragment, texts: Readonly<Record<string, string>>): Pick<ConfigureQueueInput, Part> {
  const changed = FIELDS.map((field) => ({ field, value: valueOf(field, texts[field.name] ?? '') })).filter(({ field, value }) => value !== field.read(queue));
  const of = (part: Part): Readonly<Record<string, number | null>> =>
    Object.fromEntries(changed.filter(({ field }) => field.part === part).map(({ field, value }) => [field.name, value]));
  return { defaults: of('defaults'), retention: of('retention') };
}

/** What a person has typed over. */
export function editsOf(queue: QueueFieldsFragment, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const start = startOf(queue);
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => text !== start[name]));
}
