/** What each scope allows, in words. */
import type { Scope } from '../../../client/index.ts';

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  READ: 'See jobs, queues, workers, events and figures; payloads and results are left out.',
  PAYLOADS: 'See the payloads and results of jobs, too.',
  SUBMIT: 'Submit jobs.',
  WORK: 'Claim jobs, keep their leases alive, settle them or hand them back.',
  OPERATE: 'Cancel, redrive, reschedule and purge jobs; pause, resume and configure queues.',
  ADMIN: 'Make and revoke the keys of the tenant, set its quotas and what is hidden, and see what operators did.',
  SYSTEM: 'Act for every tenant; make and suspend tenants, and grant quotas.',
};

export const SCOPES = Object.keys(SCOPE_WORDS) as readonly Scope[];

/** The scopes in their usual order. */
export function Scopes({ scopes }: { readonly scopes: readonly Scope[] }) {
  return <span class="code">{SCOPES.filter((scope) => scopes.includes(scope)).join(' ')}</span>;
}
