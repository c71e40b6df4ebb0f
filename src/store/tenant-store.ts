/** The part of the lease repository that keeps tenants: who they are, what they may use, and what they do use. */
import type { StoredUsage, Tenant } from '../domain/access.ts';
import type { OperatorAction, OperatorActionKind } from '../domain/audit.ts';
import type { NameTaken, Outcome, TenantNotFound, VersionConflict } from '../domain/failures.ts';
import type { TenantId } from '../domain/job.ts';
import type { QuotaChanges, QuotaLevel } from '../domain/quotas.ts';
import type { RedactionRules } from '../domain/redaction.ts';
import type { Page } from './answers.ts';
import type { Caller, PageRequest, RedactionRulesRequest } from './requests.ts';

export interface NewTenant {
  readonly id: TenantId;
  readonly name: string;
  /** Granted; an absent one is the default. */
  readonly quotas: QuotaChanges;
}

/** What is absent stays as it is. */
export interface TenantChange {
  readonly name?: string;
  readonly suspended?: boolean;
  readonly quotas?: QuotaChanges;
}

export interface TenantStore {
  /** Null where it has neither a queue nor a key, and was not created by name. */
  tenant(id: TenantId): Promise<Tenant | null>;
  /** All of them, by id. Keys are `[id]`. */
  tenants(page: PageRequest): Promise<Page<Tenant>>;
  createTenant(tenant: NewTenant, caller?: Caller): Promise<Outcome<Tenant, NameTaken>>;
  /**
   * At level `own`, which is what a tenant may do to itself, renaming it, suspending it and setting a quota above what was granted are
   * an InvalidRequest. Quotas hold from the next transaction on.
   */
  updateTenant(id: TenantId, change: TenantChange, level: QuotaLevel, caller?: Caller): Promise<Outcome<Tenant, NameTaken | TenantNotFound>>;
  usage(tenant: TenantId): Promise<StoredUsage>;
  /** What operators did, newest first. Null: of every kind. Keys are `[seq]`. */
  operatorActions(tenant: TenantId, kinds: readonly OperatorActionKind[] | null, page: PageRequest): Promise<Page<OperatorAction>>;
  redactionRules(tenant: TenantId): Promise<RedactionRules>;
  /** Counts as a change of access: whoever keeps the rules in mind is told. */
  setRedactionRules(tenant: TenantId, caller: Caller, request: RedactionRulesRequest): Promise<Outcome<RedactionRules, VersionConflict>>;
  /** Grows with every change of a tenant, its rules or a key, whichever process made it; not when a tenant comes into being with its first queue. */
  accessVersion(): Promise<number>;
  /** Calls `listener` with each tenant that was changed, or whose keys were, after the commit. */
  onAccessChanged(listener: (tenant: TenantId) => void): void;
}
