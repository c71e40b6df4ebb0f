/** A lease repository on real SQLite under a manual clock, and requests with everything filled in. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { TenantId } from '../../src/domain/job.ts';
import type { Entropy } from '../../src/runtime/entropy.ts';
import { createJobStore } from '../../src/store/create-store.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { openSqlite } from '../../src/store/engines/sqlite.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { ClaimedJob } from '../../src/store/answers.ts';
import type { ClaimRequest } from '../../src/store/requests.ts';
import { ManualClock } from './manual-clock.ts';
import { seededEntropy } from './seeded-entropy.ts';
import { tenant } from './tenants.ts';

export interface TestStore {
  readonly store: LeaseRepository;
  readonly engine: Engine;
  readonly clock: ManualClock;
  readonly fatal: Error[];
}

export interface TestStoreOptions {
  readonly path?: string;
  readonly clock?: ManualClock;
  readonly entropy?: Entropy;
  readonly onStatement?: (text: string) => void;
}

export const TEST_RETENTION = { completedSeconds: 604_800, cancelledSeconds: 604_800, deadSeconds: 7_776_000 };

export async function openTestStore({
  path = ':memory:',
  clock = new ManualClock(),
  entropy = seededEntropy({ ratio: 0 }),
  onStatement,
}: TestStoreOptions = {}): Promise<TestStore> {
  const engine = openSqlite({ path, clock, ...(onStatement && { onStatement }) });
  const fatal: Error[] = [];
  const store = await createJobStore({ engine, clock, entropy, retention: TEST_RETENTION, onFatal: (error) => fatal.push(error) });
  return { store, engine, clock, fatal };
}

/** A folder of its own, gone when the test's `using` block ends. */
export function temporaryFolder(): { readonly path: string; file(name: string): string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'leasequeue-'));
  return { path, file: (name) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export const ALICE = tenant('alice');
export const BOB = tenant('bob');
export const CALLER = { actor: null };

export function submission(change: Partial<SubmitRequest> = {}): SubmitRequest {
  return {
    queue: 'q',
    task: 't',
    payloadJson: '{}',
    priority: null,
    maxAttempts: null,
    retryBaseSeconds: null,
    retryMaxSeconds: null,
    start: null,
    concurrencyKey: null,
    tags: [],
    idempotencyKey: null,
    ...change,
  };
}

export function claimOf(change: Partial<ClaimRequest> = {}): ClaimRequest {
  return { queues: ['q'], workerId: 'w', max: 1, leaseSeconds: 60, waitSeconds: 0, tasks: null, requestId: null, completing: [], ...change };
}

export async function submitOne(store: LeaseRepository, owner: TenantId, change: Partial<SubmitRequest> = {}): Promise<string> {
  const [outcome] = await store.submit(owner, CALLER, [submission(change)], false);
  if (outcome?.ok !== true) throw new Error(`the submission was refused: ${outcome?.failure.code}`);
  return outcome.value.job.id;
}

export async function claimOne(store: LeaseRepository, owner: TenantId, change: Partial<ClaimRequest> = {}): Promise<ClaimedJob> {
  const { leases } = await store.claim(owner, CALLER, claimOf(change));
  const [lease] = leases;
  if (lease === undefined) throw new Error('nothing was there to claim');
  return lease;
}
