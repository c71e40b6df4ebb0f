/** How much of its quotas a tenant uses, as bars and in numbers. */
import { useId } from 'preact/hooks';
import { count } from '../../parts/words.ts';
import { QUOTA_TITLES, ruleOf, SHOWN_QUOTAS, type ShownQuota, type Tenant, used } from './quotas.ts';

/** From here on somebody should look. */
const HIGH_SHARE = 0.8;

export function Meters({ tenant }: { readonly tenant: Tenant }) {
  return (
    <ul class="meters">
      {SHOWN_QUOTAS.map((quota) => (
        <QuotaMeter key={quota} tenant={tenant} quota={quota} />
      ))}
    </ul>
  );
}

const digits = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

function QuotaMeter({ tenant, quota }: { readonly tenant: Tenant; readonly quota: ShownQuota }) {
  const id = useId();
  const [limit, amount] = [tenant.quotas[quota], used(tenant, quota)];
  const isHigh = amount !== null && amount >= limit * HIGH_SHARE;
  return (
    <li class="panel quota">
      <div class="quota-head">
        <h3 id={id}>{QUOTA_TITLES[quota]}</h3>
        <span>{amount === null ? count(limit) : `${digits.format(amount)} of ${count(limit)}`}</span>
      </div>
      {amount === null ? null : (
        <meter class="quota-bar" aria-labelledby={id} min={0} max={Math.max(1, limit)} value={amount} data-tone={isHigh ? 'high' : 'good'} />
      )}
      {isHigh ? <p class="small strong">{amount >= limit ? 'Full: one more is refused.' : 'Nearly full.'}</p> : null}
      <p class="small muted">{ruleOf(quota).meaning}</p>
    </li>
  );
}
