/** What a key may be, whoever makes it: the rules that the API and the command line share. */
import { isExpired, type Scope, SCOPES } from '../domain/access.ts';
import { LIMITS } from '../domain/limits.ts';
import { DISPLAY_NAME, followsRule, NAME, ruleMessage } from '../domain/text.ts';

export interface KeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Empty: every queue. */
  readonly queues: readonly string[];
  /** Null: never. */
  readonly expiresAtMs: number | null;
}
export interface KeyIssue {
  readonly path: readonly [field: 'name' | 'scopes' | 'queues' | 'expiresAt', ...index: readonly number[]];
  readonly message: string;
}
export interface Grantor {
  readonly grantsSystem: boolean;
  readonly nowMs: number;
}

/** Scopes that concern the whole tenant, or more. */
const UNRESTRICTED: readonly Scope[] = ['ADMIN', 'SYSTEM'];

/** Everything that is wrong with the request; no message holds a value of it. */
export function keyIssues(request: KeyRequest, grantor: Grantor): readonly KeyIssue[] {
  return [...nameIssues(request), ...scopeIssues(request, grantor), ...queueIssues(request), ...expiryIssues(request, grantor)];
}

/** The same key in the one form that is stored: scopes in their order, each queue once. */
export function orderedKey(request: KeyRequest): KeyRequest {
  return { ...request, scopes: SCOPES.filter((scope) => request.scopes.includes(scope)), queues: [...new Set(request.queues)].toSorted() };
}

function nameIssues({ name }: KeyRequest): readonly KeyIssue[] {
  return followsRule(name, DISPLAY_NAME) ? [] : [{ path: ['name'], message: ruleMessage(DISPLAY_NAME) }];
}

function scopeIssues({ scopes }: KeyRequest, { grantsSystem }: Grantor): readonly KeyIssue[] {
  if (scopes.length < 1 || scopes.length > SCOPES.length) return [{ path: ['scopes'], message: `must hold 1 to ${SCOPES.length} items` }];
  return scopes.includes('SYSTEM') && !grantsSystem ? [{ path: ['scopes'], message: 'can hold SYSTEM only where a SYSTEM key grants it' }] : [];
}

function queueIssues({ queues, scopes }: KeyRequest): readonly KeyIssue[] {
  if (queues.length > LIMITS.keyQueuesMax) return [{ path: ['queues'], message: `must hold 0 to ${LIMITS.keyQueuesMax} items` }];
  const wrong = queues.flatMap((queue, index): KeyIssue[] => (followsRule(queue, NAME) ? [] : [{ path: ['queues', index], message: ruleMessage(NAME) }]));
  const isRestricted = queues.length > 0 && UNRESTRICTED.some((scope) => scopes.includes(scope));
  if (!isRestricted) return wrong;
  return [...wrong, { path: ['queues'], message: 'cannot restrict a key with ADMIN or SYSTEM, which concern the whole tenant' }];
}

function expiryIssues(request: KeyRequest, { nowMs }: Grantor): readonly KeyIssue[] {
  return isExpired(request, nowMs) ? [{ path: ['expiresAt'], message: 'must be in the future' }] : [];
}
