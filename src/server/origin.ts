/**
 * Where a request says it goes to and comes from. Never throws, whatever its headers say. Headers that a proxy adds, such
 * as x-forwarded-host, are not read: anybody can send them.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../runtime/config.ts';
import { lately } from './lately.ts';

/** Path and query of the address in a request line; the query without its question mark. */
export function splitAddress(url: string | undefined): { readonly path: string; readonly query: string } {
  const address = (url ?? '/').split('#', 1)[0] ?? '/';
  const mark = address.indexOf('?');
  return mark === -1 ? { path: address, query: '' } : { path: address.slice(0, mark), query: address.slice(mark + 1) };
}

/** True for the text of a host with or without a port, and for none at all. */
export function isHost(host: string | undefined): boolean {
  return host === undefined || isHostText(host);
}

const isHostText = lately((host) => /^[\w.\-:[\]%]+$/.test(host) && URL.canParse(`http://${host}/`));

/** False where two Host headers leave open which of them a proxy on the way has read. */
export function namesOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts <= 1;
}

/**
 * True for names and addresses of the loopback, with or without a port. The owner of any other name can make it point at
 * the loopback, so that browsers take this server for a part of the owner's own site.
 */
export function isLoopbackName(host: string | undefined): boolean {
  return host !== undefined && isHost(host) && namesLoopback(host);
}

const namesLoopback = lately((host) => {
  const name = URL.parse(`http://${host}/`)?.hostname.replace(/\.$/, '') ?? '';
  return name.endsWith('.localhost') || isLoopback(name) || IPV6_LOOPBACK.has(name);
});

/** As a URL shows them; the second is 127.0.0.0/8 within IPv6, of which nobody uses more than the first. */
const IPV6_LOOPBACK: ReadonlySet<string> = new Set(['[::1]', '[::ffff:7f00:1]']);

/** True if a browser says that another site's page is asking. */
export function isForeignOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return true;
  return host === undefined || url.host !== URL.parse(`${url.protocol}//${host}/`)?.host;
}
