/** Where the server is and as whom to speak to it: what the program says, else the environment, else the defaults. */
import { type Environ, processEnvironment } from '../runtime/environment.ts';
import { withoutSlashes } from '../domain/text.ts';
import { LeaseQueueError } from './errors.ts';

export interface Address {
  /** Absent: LEASEQUEUE_URL, else http://127.0.0.1:8000. */
  readonly url?: string;
  /** Absent or null: LEASEQUEUE_API_KEY, the file that LEASEQUEUE_API_KEY_FILE names, else none. */
  readonly apiKey?: string | null;
  /** For a key with the scope SYSTEM, and servers that ask for no key. Absent or null: LEASEQUEUE_TENANT, else the key's own. */
  readonly tenant?: string | null;
  /** Sent with every request beside those that the client sets itself or that are about the connection, for proxies and for pages that sign in with a cookie. */
  readonly headers?: Readonly<Record<string, string>>;
}

const DEFAULT_URL = 'http://127.0.0.1:8000';

/** Throws BAD_SETTINGS, which repeats no value: an address may hold a password. */
export function endpointOf({ url }: Address, env: Environ = processEnvironment()): string {
  const parsed = URL.parse(url ?? env['LEASEQUEUE_URL'] ?? DEFAULT_URL);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw badSettings('The address of the server has to be http:// or https:// with a host.');
  if (parsed.username !== '' || parsed.password !== '') throw badSettings('The address of the server may hold no user and no password: use an API key.');
  return `${parsed.origin}${withoutSlashes(parsed.pathname).replace(/\/graphql$/, '')}/graphql`;
}

export function headersOf({ apiKey, tenant, headers }: Address, env: Environ = processEnvironment()): Readonly<Record<string, string>> {
  const key = apiKey ?? keyFromEnvironment(env);
  const owner = tenant ?? env['LEASEQUEUE_TENANT'];
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw badSettings('The API key holds something else than visible ASCII characters.');
  if (owner !== undefined && !/^[\x21-\x7e]+$/.test(owner)) throw badSettings('The tenant holds something else than visible ASCII characters.');
  return {
    // Node loads all of `fetch` with the first `Headers`, for 25 ms.
    ...(headers !== undefined && plainHeaders(headers)),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(owner !== undefined && { 'x-leasequeue-tenant': owner }),
  };
}

/** By names in lower case, so that none is sent twice. */
function plainHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    // Its cause would repeat the value.
    throw badSettings('A header has a name or a value that HTTP does not allow.');
  }
}

function keyFromEnvironment(env: Environ): string | undefined {
  const path = env['LEASEQUEUE_API_KEY_FILE'];
  if (env['LEASEQUEUE_API_KEY'] !== undefined || path === undefined) return env['LEASEQUEUE_API_KEY'];
  try {
    // Asked of the process, so that a browser, which has no files, can load this file.
    return process.getBuiltinModule('node:fs').readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw badSettings('The file that LEASEQUEUE_API_KEY_FILE names cannot be read.', cause);
  }
}

function badSettings(message: string, cause?: unknown): LeaseQueueError {
  return new LeaseQueueError({ code: 'BAD_SETTINGS', message, cause });
}
