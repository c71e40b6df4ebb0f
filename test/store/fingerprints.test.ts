/** What is stored of an idempotent submission, also by earlier versions. */
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { canonicalRequest, FINGERPRINT_FIELDS, fingerprintText } from '../../src/domain/idempotency.ts';
import { digest } from '../../src/runtime/digest.ts';
import { ALICE, CALLER, openTestStore, submission, temporaryFolder } from '../support/store.ts';

const keyed = (change: Parameters<typeof submission>[0] = {}) => submission({ idempotencyKey: 'k', payloadJson: '{"a":1}', maxAttempts: 5, ...change });

/** A short digest of every field, as it was once stored. */
function longForm(): string {
  const canonical = canonicalRequest(keyed());
  return [digest(fingerprintText(canonical)), ...FINGERPRINT_FIELDS.map((field) => digest(canonical[field]).slice(0, 10))].join('.');
}

test.each(['as it is stored', 'as it once was stored'])('a fingerprint, %s, tells the same request from another, and names what differs', async (form) => {
  using folder = temporaryFolder();
  const path = folder.file('jobs.db');
  const first = await openTestStore({ path });
  await first.store.submit(ALICE, CALLER, [keyed()], false);
  await first.store.close();
  if (form !== 'as it is stored') {
    const database = new Database(path);
    database.prepare('update jobs set fingerprint = ?').run(longForm());
    database.close();
  }
  const { store } = await openTestStore({ path });
  const answers = await store.submit(
    ALICE,
    CALLER,
    [keyed(), keyed({ priority: 1 }), keyed({ maxAttempts: 3, payloadJson: '{}' }), keyed({ tags: [{ key: 'k', value: 'v' }] })],
    false,
  );
  expect(answers.map((answer) => (answer.ok ? answer.value.deduplicated : 'differingFields' in answer.failure && answer.failure.differingFields))).toEqual([
    true,
    ['priority'],
    ['payload', 'maxAttempts'],
    ['tags'],
  ]);
  await store.close();
});
