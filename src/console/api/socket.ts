/** The one socket of a page: every subscription runs over it, and it tells how old what is shown may be. */
import { computed, effect, signal } from '@preact/signals';
import { type Client, createClient } from 'graphql-ws';
import { systemChance } from '../../runtime/chance.ts';
import { systemClock } from '../../runtime/clock.ts';
import { socketUrl } from './address.ts';
import { heardOfError, namedTenant, recheck, session } from './session.ts';

const PING_MS = 2_000;
const RETRY_MS_MAX = 5_000;
const FORBIDDEN = 4403;
/** After so long without a word, nothing on the screen may look live. */
export const STALE_AFTER_MS = 5_000;

/** When the server was last heard over the socket, on this browser's clock; null before the first word. */
export const heardAtMs = signal<number | null>(null);
export const isConnected = signal(false);
/** Null while nobody is signed in. */
export const socket = signal<Client | null>(null);

const heard = (): void => {
  heardAtMs.value = systemClock.nowMs();
};

async function pauseBefore(retries: number): Promise<void> {
  const most = Math.min(RETRY_MS_MAX, 250 * 2 ** retries);
  await systemClock.sleep(most * (0.5 + systemChance.ratio() / 2));
}

function connect(tenant: string | null): Client {
  return createClient({
    url: socketUrl,
    keepAlive: PING_MS,
    lazyCloseTimeout: 1_000,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => session.value.status === 'in',
    retryWait: pauseBefore,
    connectionParams: tenant === null ? {} : { 'x-leasequeue-tenant': tenant },
    on: {
      connected: () => {
        isConnected.value = true;
        heard();
      },
      message: heard,
      closed: (event) => {
        isConnected.value = false;
        const { code, reason } = event as CloseEvent;
        if (code === FORBIDDEN) void recheck(`Your sign-in has ended. ${reason}`);
      },
    },
  });
}

/** Which tenant the socket speaks for, or that there is none. */
const wanted = computed(() => (session.value.status === 'in' ? `in ${namedTenant.value ?? ''}` : 'out'));

effect(() => {
  const made = wanted.value === 'out' ? null : connect(namedTenant.peek());
  socket.value = made;
  return () => {
    isConnected.value = false;
    heardAtMs.value = null;
    void made?.dispose();
  };
});

/** What a subscription that cannot begin is told. */
type OnRefused = (messages: readonly { readonly message: string }[]) => void;

interface Operation<Data, Variables> {
  toString(): string;
  readonly __apiType?: (variables: Variables) => Data;
}

/**
 * Follows a subscription until the answer is called. After a broken connection it begins again with `variables` as they then are,
 * so that whoever keeps a cursor in them misses nothing. Undefined while there is no socket.
 */
export function subscribe<Data, Variables extends Record<string, unknown>>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  onData: (data: Data) => void,
  onRefused: OnRefused = () => {},
): (() => void) | undefined {
  return socket.value?.subscribe<Data>(
    { query: operation.toString(), variables },
    {
      next: ({ data, errors }) => {
        if (data) onData(data);
        else if (errors) onRefused(errors);
      },
      error: (error) => {
        if (Array.isArray(error)) onRefused(error as readonly { readonly message: string }[]);
        else heardOfError(error);
      },
      complete: () => {},
    },
  );
}
