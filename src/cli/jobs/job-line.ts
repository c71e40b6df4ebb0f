/** A line of an import: what is wrong with it, or the submission that it stands for. */
import type { SubmitJobInput } from '../../client/index.ts';
import { parseDateTime } from '../../domain/instant.ts';
import { parseJson } from '../../domain/json.ts';
import { LIMITS, VISIBLE_ASCII_PATTERN } from '../../domain/limits.ts';
import { followsRule, NAME, NO_CONTROL, ruleMessage, type TextRule } from '../../domain/text.ts';
import { digest } from '../../runtime/digest.ts';
import { payloadFault } from './payload.ts';

export type JobLine = { readonly fault: string } | { readonly job: SubmitJobInput; readonly hasEnded: boolean };

/** Null where the value can be sent, else why not, in words after the field's name. */
type Check = (value: unknown) => string | null;

const text =
  (rule: TextRule): Check =>
  (value) =>
    typeof value === 'string' && followsRule(value, rule) ? null : ruleMessage(rule);
const whole =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? null : `must be a whole number from ${min} to ${max}`;

const KEY: TextRule = { min: 1, max: LIMITS.idempotencyKeyCharactersMax, pattern: VISIBLE_ASCII_PATTERN, words: 'visible ASCII characters' };
const CONCURRENCY_KEY: TextRule = {
  min: 1,
  max: LIMITS.concurrencyKeyCharactersMax,
  pattern: NO_CONTROL,
  words: 'characters, none of them a control character',
};
const TAG_KEY: TextRule = { ...CONCURRENCY_KEY, max: LIMITS.nameCharactersMax };
const TAG_VALUE: TextRule = { ...CONCURRENCY_KEY, min: 0, max: LIMITS.tagValueCharactersMax };

const CHECKS: Readonly<Record<string, Check>> = {
  task: text(NAME),
  queue: text(NAME),
  payload: payloadFault,
  idempotencyKey: text(KEY),
  concurrencyKey: text(CONCURRENCY_KEY),
  priority: whole(LIMITS.priorityMin, LIMITS.priorityMax),
  maxAttempts: whole(LIMITS.maxAttemptsMin, LIMITS.maxAttemptsMax),
  retryBaseSeconds: whole(LIMITS.retryBaseSecondsMin, LIMITS.retryBaseSecondsMax),
  retryMaxSeconds: whole(LIMITS.retryMaxSecondsMin, LIMITS.retryMaxSecondsMax),
  start: startFault,
  tags: tagsFault,
};

/** What export writes beyond a submission: what has become of the job. */
const HISTORY = ['id', 'state', 'attempt', 'fence', 'ready', 'lastError', 'createdAt', 'updatedAt', 'finishedAt', 'result', 'progress', 'lease'];
const OF_EXPORT = new Set([...HISTORY, 'queueName', 'runAt', 'payloadRedacted', 'redactedPaths', 'cancelRequestedAt', 'purgeAt']);

/** `number` counts from 1. The same line at the same place is the same job. */
export function readJobLine(line: string, number: number): JobLine {
  const value = parsedObject(line);
  if (value === null) return { fault: 'is not a JSON object' };
  if (value['payloadRedacted'] === true) return { fault: 'has no payload: it was kept from the key that exported it' };
  const { redactedPaths } = value;
  if (Array.isArray(redactedPaths) && redactedPaths.length > 0) return { fault: 'has no whole payload: redaction rules hid a part of it when it was exported' };
  const isExport = 'queueName' in value;
  const given = withoutNull(isExport ? submissionOf(value) : value);
  const fault = faultOf(given);
  if (fault !== null) return { fault };
  const job = { idempotencyKey: `import:${number}:${digest(line)}`, ...given } as unknown as SubmitJobInput;
  return { job, hasEnded: isExport && (value['state'] === 'COMPLETED' || value['state'] === 'CANCELLED') };
}

type Fields = Readonly<Record<string, unknown>>;

function parsedObject(line: string): Fields | null {
  try {
    const value = parseJson(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** A job that still waits keeps its time; what has run already may run at once. */
function submissionOf(exported: Fields): Fields {
  const { queueName, runAt, state } = exported;
  const kept = Object.fromEntries(Object.entries(exported).filter(([name]) => !OF_EXPORT.has(name)));
  return { ...kept, queue: queueName, ...((state === 'QUEUED' || state === 'RETRY') && typeof runAt === 'string' && { start: { at: runAt } }) };
}

/** Absent and null say the same in a submission. */
function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function faultOf(fields: Fields): string | null {
  if (!('task' in fields)) return 'names no task';
  for (const [name, value] of Object.entries(fields)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (check === undefined) return `has a field ${JSON.stringify(name)} that a job has not`;
    const fault = check(value);
    if (fault !== null) return `has a ${name} that ${fault}`;
  }
  return null;
}

function startFault(value: unknown): string | null {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [[name, when] = ['', null], ...more] = entries;
  const isStart =
    more.length === 0 && ((name === 'at' && typeof when === 'string' && parseDateTime(when) !== null) || (name === 'inSeconds' && inSeconds(when)));
  return isStart ? null : 'must be {"at": an instant with a zone} or {"inSeconds": a whole number}';
}

function inSeconds(value: unknown): boolean {
  return whole(0, LIMITS.startAheadSecondsMax)(value) === null;
}

function tagsFault(value: unknown): string | null {
  const isTag = (tag: unknown): boolean => {
    const { key, value: said, ...more } = Object(tag) as Fields;
    return typeof key === 'string' && typeof said === 'string' && followsRule(key, TAG_KEY) && followsRule(said, TAG_VALUE) && Object.keys(more).length === 0;
  };
  return Array.isArray(value) && value.length <= LIMITS.tagsMax && value.every(isTag) ? null : `must be a list of at most ${LIMITS.tagsMax} {"key", "value"}`;
}
