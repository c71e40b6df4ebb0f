/** Where this console and its server are: everything hangs below the page's base address. */
import { withoutSlashes } from '../../domain/text.ts';

const base = new URL(document.baseURI);

/** The base path without its last slash: empty where the server stands at the root. */
export const basePath = withoutSlashes(base.pathname);
/** What commands and clients are given as the address of the server. */
export const serverUrl = `${base.origin}${basePath}`;
export const sessionUrl = `${basePath}/session`;
export const socketUrl = `${serverUrl.replace(/^http/, 'ws')}/graphql`;
/** Shows, with a header of its own, that a script of this server's page asks. */
export const CSRF = { 'x-leasequeue-csrf': '1' } as const;
