/** The form of a job to be stored: what was typed, what is wrong with it, and the request that it makes. */
import type { LeaseQueueError, SubmitJobInput, TagInput } from '../../../client/index.ts';
import { LIMITS, NAME_PATTERN, VISIBLE_ASCII_PATTERN } from '../../../domain/limits.ts';
import { checkJson } from '../../parts/json-field.tsx';
import { AT_ONCE, type Start, startFault, startInput } from '../../parts/start-field.tsx';
import { wholeFault, wholeOf } from '../../parts/whole.ts';

export interface SubmitForm {
  readonly queue: string;
  readonly task: string;
  readonly payload: string;
  readonly priority: string;
  readonly start: Start;
  readonly maxAttempts: string;
  readonly retryBaseSeconds: string;
  readonly retryMaxSeconds: string;
  readonly concurrencyKey: string;
  /** A line for each: key=value. */
  readonly tags: string;
  readonly idempotencyKey: string;
}

export type FieldName = keyof SubmitForm;
export type Faults = { readonly [Name in FieldName]?: string };

export const EMPTY_FORM: SubmitForm = {
  queue: 'default',
  task: '',
  payload: '{}',
  priority: '',
  start: AT_ONCE,
  maxAttempts: '',
  retryBaseSeconds: '',
  retryMaxSeconds: '',
  concurrencyKey: '',
  tags: '',
  idempotencyKey: '',
};

/** Everything that is not always needed. */
export const MORE_FIELDS: readonly FieldName[] = [
  'priority',
  'start',
  'maxAttempts',
  'retryBaseSeconds',
  'retryMaxSeconds',
  'concurrencyKey',
  'tags',
  'idempotencyKey',
];

export const PAYLOAD_RULES = { bytesMax: LIMITS.payloadBytesMax, isObject: true } as const;

function nameFault(text: string): string | null {
  if (text.trim() === '') return 'is needed';
  if (text.trim().length > LIMITS.nameCharactersMax) return `has more than ${LIMITS.nameCharactersMax} characters`;
  return NAME_PATTERN.test(text.trim()) ? null : 'begins with a letter or digit and goes on with letters, digits, “.”, “_”, “:” and “-”';
}

function tagsOf(text: string): readonly TagInput[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [key = '', ...rest] = line.split('=');
      return { key: key.trim(), value: rest.join('=').trim() };
    });
}

function tagsFault(text: string): string | null {
  const tags = tagsOf(text);
  if (tags.length > LIMITS.tagsMax) return `are ${tags.length}: ${LIMITS.tagsMax} at most`;
  if (text.split('\n').some((line) => line.trim() !== '' && !line.includes('='))) return 'need a line for each, as key=value';
  return new Set(tags.map(({ key }) => key)).size < tags.length ? 'have a key twice' : null;
}

function keyFault(text: string): string | null {
  if (text === '') return null;
  if (text.length > LIMITS.idempotencyKeyCharactersMax) return `has more than ${LIMITS.idempotencyKeyCharactersMax} characters`;
  return VISIBLE_ASCII_PATTERN.test(text) ? null : 'has visible ASCII characters only, no spaces';
}

function payloadFault(text: string): string | null {
  const checked = checkJson(text, PAYLOAD_RULES);
  return checked.isGood ? null : checked.fault;
}

const CHECKS: { readonly [Name in FieldName]?: (form: SubmitForm) => string | null } = {
  queue: ({ queue }) => nameFault(queue),
  task: ({ task }) => nameFault(task),
  payload: ({ payload }) => payloadFault(payload),
  priority: ({ priority }) => wholeFault(priority, LIMITS.priorityMin, LIMITS.priorityMax),
  start: ({ start }) => startFault(start),
  maxAttempts: ({ maxAttempts }) => wholeFault(maxAttempts, LIMITS.maxAttemptsMin, LIMITS.maxAttemptsMax),
  retryBaseSeconds: ({ retryBaseSeconds }) => wholeFault(retryBaseSeconds, LIMITS.retryBaseSecondsMin, LIMITS.retryBaseSecondsMax),
  retryMaxSeconds: ({ retryMaxSeconds }) => wholeFault(retryMaxSeconds, LIMITS.retryMaxSecondsMin, LIMITS.retryMaxSecondsMax),
  tags: ({ tags }) => tagsFault(tags),
  idempotencyKey: ({ idempotencyKey }) => keyFault(idempotencyKey),
};

/** What can be said before it is sent. */
export function faultsOf(form: SubmitForm): Faults {
  const found = Object.entries(CHECKS).map(([name, check]) => [name, check(form)] as const);
  return Object.fromEntries(found.filter(([, fault]) => fault !== null)) as Faults;
}

/** Needs a form without faults. */
export function inputOf(form: SubmitForm): SubmitJobInput {
  const checked = checkJson(form.payload, PAYLOAD_RULES);
  const tags = tagsOf(form.tags);
  return {
    queue: form.queue.trim(),
    task: form.task.trim(),
    payload: (checked.isGood ? checked.value : {}) as Record<string, unknown>,
    priority: wholeOf(form.priority),
    start: form.start.way === 'now' ? null : startInput(form.start),
    maxAttempts: wholeOf(form.maxAttempts),
    retryBaseSeconds: wholeOf(form.retryBaseSeconds),
    retryMaxSeconds: wholeOf(form.retryMaxSeconds),
    concurrencyKey: form.concurrencyKey === '' ? null : form.concurrencyKey,
    tags: tags.length === 0 ? null : [...tags],
    ...(form.idempotencyKey !== '' && { idempotencyKey: form.idempotencyKey }),
  };
}

/** The field that a quota is about. */
const QUOTA_FIELDS: Readonly<Record<string, FieldName>> = { maxQueues: 'queue', maxWaitingJobs: 'queue', maxStoredMebibytes: 'payload' };

/** Where the server's answer belongs beside a field: its issues by their path, a quota by its name. */
export function refusedFields({ code, issues, message, details }: LeaseQueueError): Faults {
  if (code === 'QUOTA_EXCEEDED') {
    const field = QUOTA_FIELDS[(details as { readonly quota: string }).quota];
    return field === undefined ? {} : { [field]: message };
  }
  if (code === 'IDEMPOTENCY_CONFLICT') return { idempotencyKey: 'belongs to a job that was submitted with another request' };
  const named = issues.map(({ path, message: reason }) => [path.find((part) => typeof part === 'string' && part in EMPTY_FORM), reason] as const);
  return Object.fromEntries(named.filter(([name]) => name !== undefined)) as Faults;
}
