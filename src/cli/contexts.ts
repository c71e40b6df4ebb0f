/** Named contexts: which server, whose jobs and which file with a key, remembered under a name. They never hold a key. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Environ, processEnvironment } from '../runtime/environment.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { settingsFolder, writePrivateFile } from './settings-folder.ts';

export interface Context {
  readonly url?: string;
  readonly tenant?: string;
  /** Absolute path. */
  readonly apiKeyFile?: string;
}
export interface Contexts {
  /** Null: none is in use. */
  readonly current: string | null;
  readonly byName: ReadonlyMap<string, Context>;
}

const FIELDS = ['url', 'tenant', 'apiKeyFile'] as const satisfies readonly (keyof Context)[];
/** Small letters only: where file names have no case, two contexts would share the file of a key. */
export const CONTEXT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function contextsPath(env: Environ = processEnvironment()): string {
  return join(settingsFolder(env), 'contexts.json');
}

/** Where a key that came by standard input is kept. */
export function storedKeyPath(name: string, env: Environ = processEnvironment()): string {
  return join(settingsFolder(env), `${name}.key`);
}

/** Removes the key that was stored for a context which no longer uses it. A file that somebody else made stays. */
export function dropStoredKey(name: string, before: Context, after: Context): void {
  const path = storedKeyPath(name);
  if (before.apiKeyFile === path && after.apiKeyFile !== path) rmSync(path, { force: true });
}

/** Throws a CommandFailure where the file is there and is not what this module writes. */
export function readContexts(env: Environ = processEnvironment()): Contexts {
  const path = contextsPath(env);
  const text = textOf(path);
  if (text === null) return { current: null, byName: new Map() };
  const contexts = parsed(text);
  if (contexts === null) throw new CommandFailure(`${path} is not a file of contexts: correct it, or remove it and set the contexts again.`, EXIT.failed);
  return contexts;
}

export function writeContexts({ current, byName }: Contexts, env: Environ = processEnvironment()): void {
  writePrivateFile(contextsPath(env), `${JSON.stringify({ current, contexts: Object.fromEntries(byName) }, null, 2)}\n`);
}

/** Throws a CommandFailure where there is none of this name. `whence` says who named it. */
export function contextNamed(name: string, { byName }: Contexts, whence: string): Context {
  const context = byName.get(name);
  if (context !== undefined) return context;
  throw new CommandFailure(`there is no context ${JSON.stringify(name)} (${whence}). See: leasequeue context list`, EXIT.notFound);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isMissing = 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (isMissing) return null;
    throw new CommandFailure(`the contexts cannot be read: ${error.message}`, EXIT.failed, { cause: error });
  }
}

function parsed(text: string): Contexts | null {
  const document = parsedJson(text);
  if (!isRecord(document)) return null;
  const { current = null, contexts = {} } = document;
  if (!isRecord(contexts) || !(current === null || typeof current === 'string')) return null;
  const entries = Object.entries(contexts);
  return entries.every(isEntry) ? { current, byName: new Map(entries) } : null;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEntry(entry: [string, unknown]): entry is [string, Context] {
  const [name, value] = entry;
  return CONTEXT_NAME.test(name) && isRecord(value) && FIELDS.every((field) => value[field] === undefined || typeof value[field] === 'string');
}
