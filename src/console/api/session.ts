/** Who is signed in, what the key may do, and the client that asks in its name. */
import { computed, signal } from '@preact/signals';
import { LeaseQueue, LeaseQueueError, type Scope, type ViewerQuery } from '../../client/index.ts';
import { parseJson } from '../../domain/json.ts';
import { systemClock } from '../../runtime/clock.ts';
import { tenantInPath } from '../route/route.ts';
import { serverUrl, sessionUrl } from './address.ts';
import { preferences } from './preferences.ts';
import { compareClocks } from './time.ts';

type Viewer = NonNullable<ViewerQuery['viewer']>;

export type Session =
  | { readonly status: 'starting' }
  /** The server was not reached yet. */
  | { readonly status: 'unreached'; readonly error: LeaseQueueError }
  | { readonly status: 'out'; readonly notice: string | null }
  | { readonly status: 'in'; readonly viewer: Viewer };

const CSRF = { 'x-leasequeue-csrf': '1' } as const;
/** The key's id where nobody has to sign in. */
const NOBODY = 'none';
/** A person waits: what cannot be repeated within this is told. */
const RETRY_FOR_MS = 3_000;

export const session = signal<Session>({ status: 'starting' });

export const viewer = computed(() => (session.value.status === 'in' ? session.value.viewer : null));
/** Nobody has to sign in at this server. */
export const isOpen = computed(() => viewer.value?.apiKey.id === NOBODY);

/** Whether the key has a scope: enough to see what is behind it. */
export function has(scope: Scope): boolean {
  return viewer.value?.apiKey.scopes.includes(scope) === true;
}

/** Whether the key has a scope, and the person has not switched to reading only. SYSTEM and ADMIN imply nothing: the server decides the same way. */
export function can(scope: Scope): boolean {
  if (scope !== 'READ' && scope !== 'PAYLOADS' && preferences.value.isReadOnly) return false;
  return has(scope);
}

/** The key may act for other tenants: those of the address. */
export const mayChooseTenant = computed(() => isOpen.value || has('SYSTEM'));

function clientFor(tenant: string | null): LeaseQueue {
  return new LeaseQueue({ url: serverUrl, tenant, headers: CSRF, parseJson, retryFor: RETRY_FOR_MS });
}

/** The tenant that requests have to name, because the key is of another one; null for the key's own. */
export const namedTenant = computed(() => (mayChooseTenant.value ? tenantInPath.value : null));

/** Asks in the name of whoever is signed in, for the tenant of the address where the key may choose. */
export const lq = computed(() => clientFor(namedTenant.value));

/** Looks who is signed in. `notice` is shown where nobody is any more. */
export async function recheck(notice: string | null = null): Promise<void> {
  const askedAtMs = systemClock.nowMs();
  try {
    const found = await clientFor(null).viewer();
    compareClocks(found.serverTime, askedAtMs);
    session.value = { status: 'in', viewer: found };
  } catch (error) {
    if (!(error instanceof LeaseQueueError)) throw error;
    if (error.code === 'UNAUTHENTICATED') leave(notice);
    else if (session.value.status !== 'in') session.value = { status: 'unreached', error };
  }
}

/** The first reason is the one that is shown: whatever was under way fails as well. */
function leave(notice: string | null): void {
  if (session.value.status !== 'out') session.value = { status: 'out', notice };
}

/** What is shown to whoever is not let in; null where the key was taken. */
export async function signIn(key: string): Promise<string | null> {
  try {
    const answer = await fetch(sessionUrl, { method: 'POST', headers: { ...CSRF, authorization: `Bearer ${key.trim()}`, accept: 'application/json' } });
    if (answer.ok) {
      await recheck();
      return null;
    }
    return (await messageOf(answer)) ?? `The server answered with HTTP ${answer.status}.`;
  } catch {
    return 'The server does not answer. Nothing was changed. Check that it runs, and try again.';
  }
}

async function messageOf(answer: Response): Promise<string | null> {
  const body = (await answer.json().catch(() => null)) as { readonly errors?: readonly { readonly message?: string }[]; readonly detail?: string } | null;
  return body?.errors?.[0]?.message ?? body?.detail ?? null;
}

export async function signOut(notice = 'You are signed out of this browser. The key itself still works elsewhere.'): Promise<void> {
  await fetch(sessionUrl, { method: 'DELETE', headers: CSRF });
  session.value = { status: 'out', notice };
}

/** What every failed call passes through: a key that is not taken any more ends the session. */
export function heardOfError(error: unknown): void {
  if (error instanceof LeaseQueueError && error.code === 'UNAUTHENTICATED')
    void recheck('Your sign-in has ended: the key has expired or was revoked, or you signed out in another tab.');
}
