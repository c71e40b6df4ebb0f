/** What operators do, in words. */
import type { AuditLogQuery, OperatorActionKind } from '../../../client/index.ts';

export type AuditEntry = NonNullable<AuditLogQuery['auditLog']>['nodes'][number];

export const ACTION_WORDS: Readonly<Record<OperatorActionKind, string>> = {
  CANCEL_JOB: 'cancelled a job',
  REDRIVE_JOB: 'redrove a job',
  RESCHEDULE_JOB: 'rescheduled a job',
  CANCEL_JOBS: 'cancelled jobs',
  REDRIVE_JOBS: 'redrove jobs',
  PURGE_JOBS: 'purged jobs',
  PAUSE_QUEUE: 'paused a queue',
  RESUME_QUEUE: 'resumed a queue',
  CONFIGURE_QUEUE: 'configured a queue',
  CREATE_API_KEY: 'made a key',
  REVOKE_API_KEY: 'revoked a key',
  CREATE_TENANT: 'made the tenant',
  UPDATE_TENANT: 'changed the tenant',
  SET_REDACTION_RULES: 'set redaction rules',
};

export const ACTIONS = Object.keys(ACTION_WORDS) as readonly OperatorActionKind[];

/** A server may be newer than this page. */
export function actionWords(action: OperatorActionKind): string {
  return ACTION_WORDS[action] ?? String(action).toLowerCase().replaceAll('_', ' ');
}

/** What the target of an action names, as the contract lists it. */
export interface Target {
  readonly jobId?: string;
  readonly queue?: string;
  readonly keyId?: string;
  readonly tenantId?: string;
  readonly filter?: unknown;
  readonly [more: string]: unknown;
}

export const targetOf = ({ target }: AuditEntry): Target => (typeof target === 'object' && target !== null ? (target as Target) : {});

/** The rest of the target in a line. */
export function targetWords(target: Target): string {
  const { jobId, queue, filter, ...more } = target;
  return typeof filter === 'object' && filter !== null ? wordsOf({ ...filter, ...more }) : wordsOf(jobId === undefined && queue === undefined ? target : more);
}

function wordsOf(value: object): string {
  return Object.entries(value)
    .filter(([, held]) => held !== null && held !== undefined)
    .map(
      ([name, held]: [string, unknown]) =>
        `${name} ${typeof held === 'string' ? held : Array.isArray(held) ? held.map(String).join(', ') : JSON.stringify(held)}`,
    )
    .join(' · ');
}
