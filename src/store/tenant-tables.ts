/** Which tables hold rows of tenants, and the column that says whose a row is. */
import type { Tables } from './tables.ts';

export const TENANT_COLUMN = 'tenant_id';

type TenantTableName = { readonly [Name in keyof Tables]: typeof TENANT_COLUMN extends keyof Tables[Name] ? Name : never }[keyof Tables];

/** Each of them, or a type error that names the missing one. */
const TENANT_TABLES: Readonly<Record<TenantTableName, true>> = {
  jobs: true,
  job_tags: true,
  submission_calls: true,
  attempts: true,
  events: true,
  event_logs: true,
  log_epochs: true,
  queues: true,
  queue_counters: true,
  queue_activity: true,
  queue_series: true,
  workers: true,
  tenants: true,
  tenant_usage: true,
  api_keys: true,
  dead_groups: true,
  dead_group_activity: true,
  operator_actions: true,
  redaction_rules: true,
};

export const TENANT_TABLE_NAMES: readonly string[] = Object.keys(TENANT_TABLES);

const NAMES = new Set(TENANT_TABLE_NAMES);

/** Databases do not tell upper and lower case in names apart. */
export function isTenantTable(name: string): boolean {
  return NAMES.has(name.toLowerCase());
}

export function isTenantColumn(name: string): boolean {
  return name.toLowerCase() === TENANT_COLUMN;
}
