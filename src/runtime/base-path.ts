/** The path below which a proxy shows this server to browsers: what it may be, and an address without it. */
import { z } from 'zod';
import { withoutSlashes } from '../domain/text.ts';

/** Where the server's own addresses begin: below a path that begins so, nobody could tell the two apart. */
const OWN_NAMES: readonly string[] = ['graphql', 'session', 'health', 'metrics', 'schema.graphql', 'console', 'assets'];
/** Characters that need no encoding, in an address, a cookie or a page. */
const PATH = /^(?:\/|(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,63}){1,8}\/?)$/;

/** Without a slash at its end, so that the root is the empty text. */
export const BASE_PATH = z
  .string()
  .regex(PATH, 'must begin with "/" and consist of up to eight names of letters, digits, ".", "_", "~" and "-", such as /queue')
  .refine((path) => !OWN_NAMES.includes(path.split('/')[1] ?? ''), `may not begin with a name of the server's own: ${OWN_NAMES.join(', ')}`)
  .transform(withoutSlashes);

/** The address as it is known to the server, whether or not a proxy has taken the base path away. */
export function withoutBasePath(url: string, basePath: string): string {
  return basePath !== '' && url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;
}
