/** The cookie that keeps a browser signed in: it holds the API key, no script can read it, and no other site can have it sent. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

const COOKIE = 'leasequeue_session';
const CSRF_HEADER = 'x-leasequeue-csrf';

/** The key in the cookie of a request, as an Authorization value; undefined where there is none. */
export function cookieAuthorization({ cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined) return undefined;
  const pair = cookie.split(';').find((part) => part.trim().startsWith(`${COOKIE}=`));
  return pair === undefined ? undefined : `Bearer ${pair.trim().slice(COOKIE.length + 1)}`;
}

/** True for a request that relies on the cookie and does not show, with a header of its own, that a script of this server's page made it. */
export function lacksCsrfHeader(headers: IncomingHttpHeaders): boolean {
  return headers.authorization === undefined && cookieAuthorization(headers) !== undefined && headers[CSRF_HEADER] === undefined;
}

/** `Set-Cookie` for the key of this Authorization value; of none, it takes the cookie away. Sent to addresses below the base path only. */
export function cookieOf(authorization: string, { headers, socket }: IncomingMessage, basePath: string): string {
  const key = authorization.replace(/^Bearer +/i, '').trim();
  const isSecure = headers['x-forwarded-proto'] === 'https' || 'encrypted' in socket;
  return `${COOKIE}=${key}; Path=${basePath || '/'}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${key === '' ? '; Max-Age=0' : ''}`;
}
