/** No tenant means no access, never all tenants: whatever does not name one tenant that is served is refused, by every root field, on every way in. */
import { expect, test } from 'vitest';
import { mintKey } from '../../src/auth/api-key.ts';
import { SCOPES } from '../../src/domain/access.ts';
import type { TenantId } from '../../src/domain/job.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import { acrossTenants } from '../../src/store/tenant-guard.ts';
import { createTestKey } from '../support/keys.ts';
import { tenant } from '../support/tenants.ts';
import { pairsOf } from './compare.ts';
import { cursorsOf, CANARY, namesWith, populate } from './handles.ts';
import { type Sent, WAYS } from './ways.ts';
import { openWorld, rowsOf, type World } from './world.ts';

const NAMES = namesWith(CANARY);
const OWNER = NAMES.tenantId;

type Credentials = Pick<Sent, 'key' | 'tenant'>;

/** What does not say on whose behalf it comes, or on behalf of somebody who is not served. */
async function badCredentials({ store, engine }: World, key: string): Promise<Readonly<Record<string, Credentials>>> {
  const keyOf = (name: string): string => mintKey(systemEntropy, name as TenantId).text;
  const suspended = await createTestKey(store, { tenant: 'suspended', scopes: SCOPES });
  await store.updateTenant(tenant('suspended'), { suspended: true }, 'system');
  const deleted = await createTestKey(store, { tenant: 'deleted', scopes: SCOPES });
  await acrossTenants(engine.db).deleteFrom('tenants').where('tenant_id', '=', tenant('deleted')).execute();
  return {
    'no key': { key: '' },
    'a key without a tenant': { key: keyOf('') },
    'a key with white space as its tenant': { key: keyOf(' ') },
    'a key of "null"': { key: keyOf('null') },
    'a key of "undefined"': { key: keyOf('undefined') },
    'a key with two tenants': { key: keyOf(`${OWNER},${OWNER}`) },
    'a key with a wildcard as its tenant': { key: keyOf('%') },
    'a key with the id of another tenant': { key: key.replace(OWNER, 'suspended') },
    'a SYSTEM key that names an empty tenant': { key, tenant: '' },
    'a SYSTEM key that names white space': { key, tenant: ' ' },
    'a SYSTEM key that names two tenants': { key, tenant: [OWNER, 'suspended'] },
    'a SYSTEM key that names a wildcard': { key, tenant: '*' },
    'a SYSTEM key that names no tenant there is': { key, tenant: 'nobody' },
    'a SYSTEM key that names a deleted tenant': { key, tenant: 'deleted' },
    'a key of a suspended tenant': { key: suspended.text },
    'a key of a deleted tenant': { key: deleted.text },
  };
}

test('every root field refuses whoever comes for no tenant', { timeout: 60_000 }, async () => {
  await using world = await openWorld();
  const { store, engine } = world;
  await store.createTenant({ id: tenant(OWNER), name: NAMES.tenantName, quotas: {} });
  const { text: key, id: keyId } = await createTestKey(store, { tenant: OWNER, scopes: SCOPES });
  const theirs = await populate(store, OWNER, CANARY);
  const cursors = await cursorsOf(store, { owner: OWNER, asking: OWNER }, NAMES, theirs.jobs.completed);
  const own = { tenantId: OWNER, queue: NAMES.queue, jobId: theirs.jobs.completed };
  const credentials = await badCredentials(world, key);
  const before = [await rowsOf(engine, OWNER), await rowsOf(engine, 'suspended')];

  const roots = pairsOf({ ...NAMES, ...theirs, ...cursors, keyId }, own).filter(({ field }) => /^(Query|Mutation|Subscription)\./.test(field));
  const first = roots.filter(({ field }, index) => roots.findIndex((pair) => pair.field === field) === index);
  const faults: string[] = [];
  for (const { field, foreign } of first) {
    for (const [who, given] of Object.entries(credentials)) {
      const ask = async ([name, way]: readonly [string, (typeof WAYS)[keyof typeof WAYS]]): Promise<void> => {
        const answer = await way(world, { ...foreign, ...given });
        const isRefused = /UNAUTHENTICATED|FORBIDDEN|BAD_USER_INPUT|^44/m.test(answer);
        if (!isRefused || /"data"|"next"|connection_ack/.test(answer)) faults.push(`${field}, ${who}, ${name}: ${answer}`);
      };
      await Promise.all(Object.entries(WAYS).map(ask));
    }
  }
  expect(first.length).toBeGreaterThan(30);
  expect(faults).toEqual([]);
  expect([await rowsOf(engine, OWNER), await rowsOf(engine, 'suspended')]).toEqual(before);
});
