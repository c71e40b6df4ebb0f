/** The parts of the settings, and who may see which. */
import { has, viewer } from '../../api/session.ts';

export const TABS = {
  me: { title: 'Who am I', isOpen: () => true },
  keys: { title: 'Keys', isOpen: () => has('ADMIN') },
  tenants: { title: 'Tenants', isOpen: () => has('ADMIN') || has('SYSTEM') },
  audit: { title: 'Audit', isOpen: () => has('ADMIN') },
  // Rules name tasks, which may be of queues that the key may not see.
  redaction: { title: 'Redaction', isOpen: () => has('READ') && viewer.value?.apiKey.queues.length === 0 },
  browser: { title: 'This browser', isOpen: () => true },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly isOpen: () => boolean }>>;

export type TabName = keyof typeof TABS;

export const TAB_NAMES = Object.keys(TABS) as readonly TabName[];

/** Null: there is no such part. Who may not see it is told so. */
export const tabOf = (id: string | null): TabName | null => (id === null ? 'me' : (TAB_NAMES.find((name) => name === id) ?? null));
