/** What a person chose for this browser: kept in it, never sent. */
import { effect, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Preferences {
  readonly theme: Theme;
  readonly isCompact: boolean;
  /** Instants in UTC instead of this browser's zone. */
  readonly isUtc: boolean;
  readonly hasKeys: boolean;
  /** Draws no button that changes anything, whatever the key may do. */
  readonly isReadOnly: boolean;
}

const PLACE = 'leasequeue.preferences';
const DEFAULTS: Preferences = { theme: 'system', isCompact: false, isUtc: false, hasKeys: true, isReadOnly: false };

function kept(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Preferences>;
    return { ...DEFAULTS, ...stored };
  } catch {
    return DEFAULTS;
  }
}

export const preferences = signal<Preferences>(kept());

export function prefer(change: Partial<Preferences>): void {
  preferences.value = { ...preferences.value, ...change };
  try {
    localStorage.setItem(PLACE, JSON.stringify(preferences.value));
  } catch {
    // A browser that keeps nothing forgets the choice with the page.
  }
}

effect(() => {
  const { theme, isCompact } = preferences.value;
  document.documentElement.dataset['theme'] = theme;
  document.documentElement.dataset['density'] = isCompact ? 'compact' : 'normal';
});
