/** Where a request says it goes to and comes from. Never throws, whatever its headers say. */
import type { IncomingHttpHeaders } from 'node:http';

/** Path and query of the address in a request line; the query without its question mark. */
export function splitAddress(url: string | undefined): { readonly path: string; readonly query: string } {
  const address = (url ?? '/').split('#', 1)[0] ?? '/';
  const mark = address.indexOf('?');
  return mark === -1 ? { path: address, query: '' } : { path: address.slice(0, mark), query: address.slice(mark + 1) };
}

/** True for the text of a host with or without a port, and for none at all. */
export function isHost(host: string | undefined): boolean {
  return host === undefined || (/^[\w.\-:[\]%]+$/.test(host) && URL.canParse(`http://${host}/`));
}

/** True if a browser says that another site's page is asking. */
export function isForeignOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  return url === null || host === undefined || url.host !== URL.parse(`${url.protocol}//${host}/`)?.host;
}
