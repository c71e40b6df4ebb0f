/** API keys, put into a database before its server starts, as the first key of a server is. */
import { mintKey } from '../../src/auth/api-key.ts';
import { parseTenantId } from '../../src/auth/principal.ts';
import { readConfig } from '../../src/runtime/config.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { systemClock as clock } from '../../src/runtime/clock.ts';
import { systemEntropy as entropy } from '../../src/runtime/entropy.ts';
import { openStore } from '../../src/server/app.ts';

const SCOPES = ['READ', 'PAYLOADS', 'SUBMIT', 'WORK'] as const;

export interface Holder {
  readonly tenant: string;
  readonly key: string;
}

/** So many tenants, each with as many keys: one of each tenant after the other. */
export async function createKeys(databasePath: string, tenants: number, keysEach: number): Promise<readonly Holder[]> {
  const config = readConfig({ ...processEnvironment(), LEASEQUEUE_DATABASE_PATH: databasePath });
  if (!config.ok) throw new Error(config.problems.join(' '));
  const onFatal = (error: Error): never => {
    throw error;
  };
  const store = await openStore({ config: config.config, clock, entropy, onFatal });
  const holders: Holder[] = [];
  for (let count = 0; count < tenants * keysEach; count++) {
    const tenant = parseTenantId(`tenant-${count % tenants}`);
    if (tenant === null) throw new Error('no tenant can have this name');
    const { id, secretHash, text } = mintKey(entropy, tenant);
    const created = await store.createKey(tenant, { id, secretHash, name: `key ${count}`, scopes: SCOPES, queues: [], expiresAtMs: null }, true);
    if (!created.ok) throw new Error(`the key was refused: ${created.failure.code}`);
    holders.push({ tenant, key: text });
  }
  await store.close();
  return holders;
}
