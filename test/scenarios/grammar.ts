/** The words of the scenario language: verbs with their options, and the facts that an answer or a job can be asked for. */
import { JOB_STATES } from '../../src/domain/job.ts';
import type { ValueKind } from './words.ts';

export type OptionKind = ValueKind | 'list' | 'start' | 'holders';
/** What stands after the verb. */
export type SubjectKind = 'new jobs' | 'job or all' | 'holders' | 'queue' | 'none';

export interface Verb {
  readonly subject: SubjectKind;
  readonly options: Readonly<Record<string, OptionKind>>;
}

const FILTER = { in: 'word', state: 'word', task: 'word', limit: 'integer', dry: 'flag' } as const;

export const VERBS: Readonly<Record<string, Verb>> = {
  submit: {
    subject: 'new jobs',
    options: {
      in: 'word',
      task: 'word',
      payload: 'json',
      priority: 'integer',
      attempts: 'integer',
      backoff: 'duration',
      cap: 'duration',
      start: 'start',
      key: 'word',
      concurrency: 'word',
      tags: 'list',
      together: 'flag',
    },
  },
  claim: { subject: 'none', options: { by: 'word', from: 'list', tasks: 'list', lease: 'duration', max: 'integer', request: 'word', completing: 'holders' } },
  heartbeat: { subject: 'holders', options: { for: 'duration', progress: 'number', note: 'text' } },
  complete: { subject: 'holders', options: { result: 'json' } },
  fail: { subject: 'holders', options: { error: 'text', type: 'word', details: 'json', never: 'flag', after: 'duration' } },
  release: { subject: 'holders', options: { after: 'duration' } },
  cancel: { subject: 'job or all', options: { ...FILTER, force: 'flag', reason: 'text' } },
  redrive: { subject: 'job or all', options: { ...FILTER, start: 'start', attempts: 'integer', payload: 'json' } },
  reschedule: { subject: 'job or all', options: { start: 'start', priority: 'integer' } },
  purge: { subject: 'job or all', options: FILTER },
  pause: { subject: 'queue', options: { reason: 'text' } },
  resume: { subject: 'queue', options: {} },
  configure: {
    subject: 'queue',
    options: {
      priority: 'integer',
      attempts: 'integer',
      backoff: 'duration',
      cap: 'duration',
      lease: 'duration',
      completed: 'duration',
      cancelled: 'duration',
      dead: 'duration',
    },
  },
  sweep: { subject: 'none', options: {} },
  retain: { subject: 'none', options: {} },
};

export const FAILURE_NAMES: Readonly<Record<string, string>> = {
  JobNotFound: 'JOB_NOT_FOUND',
  LeaseLost: 'LEASE_LOST',
  InvalidTransition: 'INVALID_TRANSITION',
  IdempotencyConflict: 'IDEMPOTENCY_CONFLICT',
  BatchRolledBack: 'BATCH_ROLLED_BACK',
  QueueNotFound: 'QUEUE_NOT_FOUND',
};

/** Words that name a state by themselves; the others are facts with a value. */
export const STATE_WORDS: readonly string[] = [...JOB_STATES, 'gone', 'live', 'open', 'paused', 'done', 'nothing'];

export const FACTS: Readonly<Record<string, ValueKind>> = {
  attempt: 'integer',
  fence: 'integer',
  priority: 'integer',
  attempts: 'integer',
  backoff: 'duration',
  cap: 'duration',
  task: 'word',
  worker: 'word',
  token: 'word',
  payload: 'json',
  result: 'json',
  error: 'text',
  type: 'word',
  reason: 'text',
  progress: 'number',
  note: 'text',
  renewals: 'integer',
  /** When it may run. */
  at: 'duration',
  /** When its lease ends. */
  until: 'duration',
  /** When it ended. */
  finished: 'duration',
  /** When retention removes it. */
  kept: 'duration',
  replayed: 'flag',
  deduplicated: 'flag',
  'cancel-requested': 'flag',
  fields: 'word',
  of: 'word',
  /** Why a claim is empty. */
  idle: 'word',
  from: 'word',
  changed: 'integer',
  skipped: 'integer',
  matched: 'integer',
  expired: 'integer',
  removed: 'integer',
};

/** Checks and what follows the colon: facts, or plain words. */
export const CHECKS: Readonly<Record<string, 'facts' | 'words'>> = {
  job: 'facts',
  detail: 'facts',
  events: 'words',
  attempts: 'words',
  counts: 'words',
  ready: 'words',
  tokens: 'words',
};
