/** What `context set` makes of a context: the values are looked at here, and a key that comes by standard input finds its file. */
import { resolve } from 'node:path';
import { checkedTenant, checkedUrl, type Chosen } from './connection.ts';
import { type Context, storedKeyPath } from './contexts.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { keyText, readKeyFile } from './key-file.ts';
import { writePrivateFile } from './settings-folder.ts';
import { standardInput } from './standard-input.ts';

/** The flags of the command. */
export interface ContextChange {
  readonly url?: string;
  /** False: none any more. */
  readonly tenant?: string | false;
  readonly apiKeyFile?: string;
  readonly apiKeyStdin?: true;
  /** False: none any more. */
  readonly key: boolean;
}
type Fields = Readonly<Partial<Record<keyof Context, string | undefined>>>;

const KEY_BYTES_MAX = 4_096;

/** Throws a CommandFailure where a value is none. */
export async function changedContext(name: string, before: Context, { url, tenant, apiKeyFile, apiKeyStdin, key }: ContextChange): Promise<Context> {
  const checked: Fields = {
    ...(url !== undefined && { url: checkedUrl(given(url, '--url')).value }),
    ...(tenant !== undefined && { tenant: tenant === false ? undefined : checkedTenant(given(tenant, '--tenant'))?.value }),
    ...(!key && { apiKeyFile: undefined }),
    ...(apiKeyFile !== undefined && { apiKeyFile: usableKeyFile(apiKeyFile) }),
  };
  // Only when everything else is right: a file is written.
  return withoutAbsent({ ...before, ...checked, ...(apiKeyStdin && { apiKeyFile: await storeKey(name) }) });
}

function given(value: string, flag: string): Chosen {
  return { value, origin: `flag ${flag}` };
}

function withoutAbsent(fields: Fields): Context {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function usableKeyFile(path: string): string {
  readKeyFile(path, 'flag --api-key-file');
  return resolve(path);
}

async function storeKey(name: string): Promise<string> {
  if (process.stdin.isTTY) throw new CommandFailure('a key that is typed would be seen: send it in, as in --api-key-stdin < file', EXIT.usage);
  const key = keyText(await standardInput(KEY_BYTES_MAX), 'standard input');
  const path = storedKeyPath(name);
  writePrivateFile(path, `${key}\n`);
  return path;
}
