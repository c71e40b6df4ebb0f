/** Where the server of a client command is, and as whom to ask it: a flag before a variable, before the context, before the default. */
import { parseTenantId } from '../auth/principal.ts';
import { LIMITS } from '../domain/limits.ts';
import { withoutSlashes } from '../domain/text.ts';
import { type ClientVariableName, type Environ, processEnvironment } from '../runtime/environment.ts';
import { type Context, contextNamed, readContexts } from './contexts.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { keyText, readKeyFile } from './key-file.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8000';

/** As every client command has them. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly tenant?: string;
  readonly context?: string;
  readonly apiKeyFile?: string;
}

/** Who said so: `none` where nobody did, and there is no default. */
export type Origin = `flag ${string}` | `variable ${string}` | `context ${string}` | 'default' | 'none';

export interface Connection {
  /** Without a slash, or /graphql, at its end. */
  readonly url: string;
  /** Sent as x-leasequeue-tenant. Null: the key's own, or the server's default. */
  readonly tenant: string | null;
  readonly apiKey: string | null;
  /** Null: none is in use. */
  readonly context: string | null;
  readonly origins: { readonly url: Origin; readonly tenant: Origin; readonly apiKey: Origin; readonly context: Origin };
  /** What the person should know about the choice. */
  readonly notes: readonly string[];
}

export interface Chosen {
  readonly value: string;
  readonly origin: Origin;
}
interface NamedContext {
  readonly name: Chosen | null;
  readonly context: Context;
}

/** Throws a CommandFailure that names the setting at fault, and never the key. */
export function readConnection(flags: ConnectionFlags = {}, env: Environ = processEnvironment()): Connection {
  const named = namedContext(flags, env);
  const fromContext = (value: string | undefined): Chosen | null =>
    value === undefined || named.name === null ? null : { value, origin: `context ${named.name.value}` };
  const url = checkedUrl(
    fromFlag('--url', flags.url) ?? fromVariable('LEASEQUEUE_URL', env) ?? fromContext(named.context.url) ?? { value: DEFAULT_URL, origin: 'default' },
  );
  const tenant = checkedTenant(fromFlag('--tenant', flags.tenant) ?? fromVariable('LEASEQUEUE_TENANT', env) ?? fromContext(named.context.tenant));
  const given = givenKey(flags, env);
  const isForeign = given === null && isKeyOfAnother(named.context, url.value);
  const key = given ?? (isForeign ? null : keyOfFile(fromContext(named.context.apiKeyFile)));
  return {
    url: url.value,
    tenant: tenant?.value ?? null,
    apiKey: key?.value ?? null,
    context: named.name?.value ?? null,
    origins: { url: url.origin, tenant: tenant?.origin ?? 'none', apiKey: key?.origin ?? 'none', context: named.name?.origin ?? 'none' },
    notes: isForeign
      ? [`The key of the context ${named.name?.value} is not sent to ${url.value}: it is for another server. Name a key with --api-key-file.`]
      : [],
  };
}

/** A server gets no key that was remembered for another one. */
function isKeyOfAnother({ url, apiKeyFile }: Context, chosen: string): boolean {
  return apiKeyFile !== undefined && url !== undefined && URL.parse(url)?.origin !== URL.parse(chosen)?.origin;
}

function namedContext({ context }: ConnectionFlags, env: Environ): NamedContext {
  const asked = fromFlag('--context', context) ?? fromVariable('LEASEQUEUE_CONTEXT', env);
  const contexts = readContexts(env);
  if (asked !== null) return { name: asked, context: contextNamed(asked.value, contexts, asked.origin) };
  if (contexts.current === null) return { name: null, context: {} };
  return { name: { value: contexts.current, origin: 'default' }, context: contextNamed(contexts.current, contexts, 'the one in use') };
}

function fromFlag(flag: string, value: string | undefined): Chosen | null {
  if (value === '') throw new CommandFailure(`${flag} is empty: give it a value, or leave it out.`, EXIT.usage);
  return value === undefined ? null : { value, origin: `flag ${flag}` };
}

function fromVariable(name: ClientVariableName, env: Environ): Chosen | null {
  const value = env[name];
  if (value?.trim() === '') throw new CommandFailure(`${name} is empty: give it a value, or unset it.`, EXIT.failed);
  return value === undefined ? null : { value, origin: `variable ${name}` };
}

function givenKey({ apiKeyFile }: ConnectionFlags, env: Environ): Chosen | null {
  const flag = fromFlag('--api-key-file', apiKeyFile);
  if (flag !== null) return keyOfFile(flag);
  const [text, file] = [fromVariable('LEASEQUEUE_API_KEY', env), fromVariable('LEASEQUEUE_API_KEY_FILE', env)];
  if (text === null) return keyOfFile(file);
  if (file !== null) throw new CommandFailure('LEASEQUEUE_API_KEY and LEASEQUEUE_API_KEY_FILE are both set: unset one of them.', EXIT.failed);
  return { value: keyText(text.value, 'LEASEQUEUE_API_KEY'), origin: text.origin };
}

function keyOfFile(file: Chosen | null): Chosen | null {
  return file === null ? null : { value: readKeyFile(file.value, file.origin), origin: file.origin };
}

/** Throws a CommandFailure, with the exit code of who is at fault. */
export function checkedUrl({ value, origin }: Chosen): Chosen {
  const url = serverUrl(value);
  if (url !== null) return { value: url, origin };
  throw wrong(origin, 'the address of the server', 'must be http:// or https:// with a host, and without a user, a query or a fragment.');
}

/** The address as it is used, or null where it is none. What is wrong with it is not repeated: it may hold a password. */
function serverUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return `${url.origin}${withoutSlashes(url.pathname).replace(/\/graphql$/, '')}`;
}

/** The same for a tenant, which may be none. */
export function checkedTenant(tenant: Chosen | null): Chosen | null {
  if (tenant === null || parseTenantId(tenant.value) !== null) return tenant;
  throw wrong(tenant.origin, 'the tenant', `must be 1 to ${LIMITS.tenantCharactersMax} characters: small letters, digits and "-".`);
}

function wrong(origin: Origin, what: string, rule: string): CommandFailure {
  return new CommandFailure(`${what} (${origin}) ${rule}`, origin.startsWith('flag') ? EXIT.usage : EXIT.failed);
}
