/** The foot of every screen: whether what is shown is live, and how old it is if not. */
import { computed } from '@preact/signals';
import { preferences } from '../api/preferences.ts';
import { heardAtMs, isConnected, STALE_AFTER_MS } from '../api/socket.ts';
import { nowMs, skewMs } from '../api/time.ts';
import { clockTime, span } from '../parts/words.ts';

export type Freshness = 'connecting' | 'live' | 'stale';

/** How old what is shown may be. */
export const freshness = computed<Freshness>(() => {
  if (heardAtMs.value === null) return 'connecting';
  const ageMs = nowMs.value - skewMs.value - heardAtMs.value;
  return ageMs > STALE_AFTER_MS || (!isConnected.value && ageMs > STALE_AFTER_MS / 2) ? 'stale' : 'live';
});

function wordsOf(state: Freshness): string {
  if (state === 'connecting') return 'connecting…';
  const heard = heardAtMs.value ?? 0;
  if (state === 'stale') return `reconnecting, showing ${clockTime(heard + skewMs.value, nowMs.value, preferences.value.isUtc)}`;
  return `live · heard ${span(Math.max(0, Math.round((nowMs.value - skewMs.value - heard) / 1_000)))} ago`;
}

export function Foot({ tenant }: { readonly tenant: string }) {
  return (
    <footer class="foot" data-freshness={freshness.value}>
      <span class="foot-live">
        <span class="dot" aria-hidden="true" />
        {wordsOf(freshness.value)}
      </span>
      <span>
        tenant <bdi>{tenant}</bdi>
      </span>
      {skewMs.value === 0 ? null : <span>{`this browser's clock is ${span(Math.abs(skewMs.value) / 1_000)} ${skewMs.value > 0 ? 'behind' : 'ahead'}`}</span>}
      <span class="foot-end">times {preferences.value.isUtc ? 'in UTC' : 'in your zone'}</span>
    </footer>
  );
}
