/** API keys of the tests, made in the store as the first key of a server is. */
import { mintKey } from '../../src/auth/api-key.ts';
import { SCOPES, type Scope } from '../../src/domain/access.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import type { KeyStore } from '../../src/store/key-store.ts';
import { tenant } from './tenants.ts';

export interface TestKeyOptions {
  readonly tenant?: string;
  readonly name?: string;
  /** Absent: every scope but SYSTEM. */
  readonly scopes?: readonly Scope[];
  readonly queues?: readonly string[];
  readonly expiresAtMs?: number;
}
export interface TestKey {
  readonly id: string;
  readonly text: string;
  /** The header that signs a request. */
  readonly headers: { readonly authorization: string };
}

let made = 0;

export async function createTestKey(store: KeyStore, options: TestKeyOptions = {}): Promise<TestKey> {
  const owner = tenant(options.tenant ?? 'default');
  const { text, ...minted } = mintKey(systemEntropy, owner);
  made += 1;
  const outcome = await store.createKey(
    owner,
    {
      ...minted,
      name: options.name ?? `key ${made}`,
      scopes: options.scopes ?? SCOPES.filter((scope) => scope !== 'SYSTEM'),
      queues: options.queues ?? [],
      expiresAtMs: options.expiresAtMs ?? null,
    },
    true,
  );
  if (!outcome.ok) throw new Error(`the key was refused: ${outcome.failure.code}`);
  return { id: minted.id, text, headers: { authorization: `Bearer ${text}` } };
}
