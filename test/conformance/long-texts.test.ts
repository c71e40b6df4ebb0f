/** Failures that say too much: reporting them never fails, and what is kept stays small. */
import { describe, expect, test } from 'vitest';
import { utf8Bytes } from '../../src/domain/json.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { claimOf, submission } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';
import { graphqlDriver } from './graphql-driver.ts';
import { modelDriver } from './model-driver.ts';

const OWNER = tenant('default');

describe.for([modelDriver, graphqlDriver])('on $name', (maker) => {
  // B26
  test('the newest error is kept, cut on a character border, and every attempt keeps its own', async () => {
    const driver = await maker.make();
    await driver.submit(OWNER, [submission({ maxAttempts: 20 })], false);
    const messages = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', `e7 ${'é'.repeat(40_000)}`];
    for (const message of messages) {
      const [lease] = (await driver.claim(OWNER, claimOf())).leases;
      const held = { jobId: lease?.job.id ?? '', leaseToken: lease?.leaseToken ?? '' };
      const answer = await driver.fail(OWNER, { ...held, error: { type: null, message, detailsJson: null }, retry: { afterSeconds: 0 } });
      expect(answer).toMatchObject({ ok: true, value: { job: { state: 'retry' } } });
      if (message !== messages.at(-1)) continue;
      const { lastError } = (await driver.job(OWNER, held.jobId)) ?? { lastError: null };
      expect(lastError?.message).toMatch(/^e7 é+… \[cut\]$/);
      expect(utf8Bytes(lastError?.message ?? '')).toBeLessThanOrEqual(LIMITS.errorTextBytesMax);
      const attempts = await driver.attempts(OWNER, held.jobId);
      expect(attempts.map(({ number, error }) => [number, error?.message.slice(0, 2)])).toEqual(messages.map((text, index) => [index + 1, text.slice(0, 2)]));
      expect(attempts.at(-1)?.error).toEqual(lastError);
    }
    await driver.close();
  });
});
