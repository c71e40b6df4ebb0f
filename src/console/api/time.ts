/** The server's time, as well as this browser can know it, and the tick that moves everything which shows an age. */
import { computed, signal } from '@preact/signals';
import { systemClock } from '../../runtime/clock.ts';

const TICK_MS = 500;
/** Less is within what a request takes. */
const SKEW_NOTICED_MS = 1_000;

/** True while somebody can see this page. */
export const isVisible = signal(!document.hidden);
document.addEventListener('visibilitychange', () => {
  isVisible.value = !document.hidden;
});

const browserNowMs = signal(systemClock.nowMs());
/** How far the server's clock is ahead of this browser's. */
export const skewMs = signal(0);
/** The server's time, moved on twice a second. */
export const nowMs = computed(() => browserNowMs.value + skewMs.value);

/** Ends with the page. */
export async function keepTime(): Promise<void> {
  for (;;) {
    await systemClock.sleep(TICK_MS);
    if (isVisible.value) browserNowMs.value = systemClock.nowMs();
  }
}

/** Learns how the clocks differ from an instant that the server named, asked for at `askedAtMs` of this browser's clock. */
export function compareClocks(serverTime: string, askedAtMs: number): void {
  const heardAtMs = systemClock.nowMs();
  const skew = Date.parse(serverTime) - (askedAtMs + heardAtMs) / 2;
  const isWithinTheAnswer = Math.abs(skew) < Math.max(SKEW_NOTICED_MS, heardAtMs - askedAtMs);
  skewMs.value = isWithinTheAnswer ? 0 : skew;
}
