/** What of a server needs no transport: the watched store, its figures, who may come in, and who is told when its log grows. */
import { DEFAULT_QUOTAS } from '../domain/quotas.ts';
import { WakeUp } from '../feed/wakeup.ts';
import { systemClock } from '../runtime/clock.ts';
import { settled } from '../runtime/turn.ts';
import { Access } from './access.ts';
import type { AppParts } from './app-parts.ts';
import { EventStreams } from './event-streams.ts';
import { Health } from './health.ts';
import { Metrics } from './metrics.ts';
import { observe } from './observe.ts';
import { RuleBook } from './rule-book.ts';
import { readTenantGauges } from './tenant-gauges.ts';
import { TenantLimits } from './tenant-limits.ts';
import { Undoing } from './undoing.ts';

export type Inside = ReturnType<typeof createInside>;

export function createInside({ store: given, log, config, clock }: AppParts) {
  const metrics = new Metrics({
    store: given,
    tenantGauges: () => readTenantGauges({ store: given, openNow: (tenant) => limits.openNow(tenant), tenantsMax: config.metricTenantsMax }),
    nowMs: () => given.nowMs(),
    clock: systemClock,
  });
  const store = observe(given, (failure) => metrics.recordFailure(failure));
  const wakeUp = new WakeUp();
  // The answers to the commit go out first.
  given.onCommit((report) => void settled().then(() => metrics.recordCommit(report)));
  given.onLogGrown((tenant) => wakeUp.wake(tenant));
  const limits: TenantLimits = new TenantLimits({
    quotasOf: async (tenant) => (await given.tenant(tenant))?.quotas ?? DEFAULT_QUOTAS,
    monotonicMs: () => clock.monotonicMs(),
    refused: (quota) => metrics.recordQuotaRefusal(quota),
  });
  const rules = new RuleBook(given);
  return {
    metrics,
    store,
    wakeUp,
    limits,
    rules,
    health: new Health(given, systemClock),
    access: new Access({ auth: config.auth, store: given, limits, rules, clock, log }),
    streams: new EventStreams(),
    stopping: new AbortController(),
    undoing: new Undoing(log),
  };
}
