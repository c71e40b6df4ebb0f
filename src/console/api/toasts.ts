/** Short words about what was just done; they go by themselves, and nothing depends on reading them. */
import { signal } from '@preact/signals';
import { systemClock } from '../../runtime/clock.ts';

const SHOWN_MS = 6_000;

interface Toast {
  readonly id: number;
  readonly text: string;
}

export const toasts = signal<readonly Toast[]>([]);
let latest = 0;

export function tell(text: string): void {
  const toast = { id: (latest += 1), text };
  toasts.value = [...toasts.value.slice(-2), toast];
  void systemClock.sleep(SHOWN_MS).then(() => {
    toasts.value = toasts.value.filter(({ id }) => id !== toast.id);
  });
}
