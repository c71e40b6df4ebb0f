/** What is kept of what operators did: who, what, to what, and how far it went. Never a payload, a key or a token. */
export const OPERATOR_ACTION_KINDS = [
  'cancel_job',
  'redrive_job',
  'reschedule_job',
  'cancel_jobs',
  'redrive_jobs',
  'purge_jobs',
  'pause_queue',
  'resume_queue',
  'configure_queue',
  'create_api_key',
  'revoke_api_key',
  'create_tenant',
  'update_tenant',
  'set_redaction_rules',
] as const;
export type OperatorActionKind = (typeof OPERATOR_ACTION_KINDS)[number];

export interface OperatorAction {
  /** Counts the actions of the tenant. */
  readonly seq: number;
  readonly atMs: number;
  /** Name of the API key; null where nobody had to sign in, or a command did it to the database itself. */
  readonly actor: string | null;
  readonly kind: OperatorActionKind;
  /** A JSON object: the job, the queue, the key, the tenant, or the filter of a bulk call, with what was asked of it. */
  readonly targetJson: string;
  /** Jobs, or 1 for whatever else. */
  readonly changed: number;
  /** Jobs that a bulk call could not change. */
  readonly skipped: number;
  /** As the operator said; null where unsaid. */
  readonly reason: string | null;
}
