/** Where the person is: `/console/<tenant>/<screen>/<id>?…`, so that a link says all of it. */
import { computed, signal } from '@preact/signals';
import { basePath } from '../api/address.ts';
import { SCREEN_NAMES, SCREENS, type ScreenName } from './screens.ts';

export interface Route {
  readonly tenant: string | null;
  /** Null: an address that leads nowhere. */
  readonly screen: ScreenName | null;
  /** The one queue, job or group that the screen is about. */
  readonly id: string | null;
  readonly search: URLSearchParams;
}

/** What an address may hold beside the screen. */
export type Search = Readonly<Record<string, string | null | undefined>>;

function decoded(part: string | undefined): string | null {
  if (part === undefined || part === '') return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function routeOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Route {
  const below = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
  const [first, tenant, path, id] = below.replace(/^\//, '').split('/');
  const isConsole = first === 'console';
  const isStart = !isConsole || path === undefined || path === '';
  return {
    tenant: isConsole ? decoded(tenant) : null,
    screen: isStart ? 'overview' : (SCREEN_NAMES.find((name) => SCREENS[name].path === path) ?? null),
    id: isConsole ? decoded(id) : null,
    search: new URLSearchParams(search),
  };
}

export const route = signal<Route>(routeOf(location));
/** The tenant that the address names, once it names one. */
export const tenantInPath = computed(() => route.value.tenant);

addEventListener('popstate', () => {
  route.value = routeOf(location);
});

/** The address of a screen, of the tenant at hand unless another one is named. */
export function hrefOf(screen: ScreenName, id: string | null = null, search: Search = {}, tenant: string = tenantInPath.value ?? 'default'): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  const query = new URLSearchParams(given).toString();
  const place = id === null ? '' : `/${encodeURIComponent(id)}`;
  return `${basePath}/console/${encodeURIComponent(tenant)}/${SCREENS[screen].path}${place}${query === '' ? '' : `?${query}`}`;
}

/** Goes to an address of the console without loading the page anew. */
export function go(href: string, { isReplacing = false }: { readonly isReplacing?: boolean } = {}): void {
  if (isReplacing) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  const isSameScreen = route.value.screen === routeOf(location).screen;
  route.value = routeOf(location);
  if (!isReplacing && !isSameScreen) scrollTo(0, 0);
}

/** Changes what the address says beside the screen: null takes an entry away. Replaces the address, so that Back leads to the screen before. */
export function setSearch(change: Search): void {
  const { screen, id, search } = route.value;
  if (screen === null) return;
  go(hrefOf(screen, id, { ...Object.fromEntries(search), ...change }), { isReplacing: true });
}
