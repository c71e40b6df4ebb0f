/** The rules for a new key, which the API and the command line share. */
import { describe, expect, test } from 'vitest';
import { keyIssues, type KeyRequest, orderedKey } from '../../src/auth/new-key.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { startApp } from '../support/app.ts';

const NOW_MS = 1_000;
const request = (change: Partial<KeyRequest> = {}): KeyRequest => ({ name: 'n', scopes: ['READ'], queues: [], expiresAtMs: null, ...change });
const issuesOf = (change: Partial<KeyRequest>, grantsSystem = false) =>
  keyIssues(request(change), { grantsSystem, nowMs: NOW_MS }).map(({ path, message }) => `${path.join('.')} ${message}`);
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `q${index}`);

describe('a new key', () => {
  test.each<Partial<KeyRequest>>([
    { name: '😀'.repeat(LIMITS.displayNameCharactersMax) },
    { queues: names(LIMITS.keyQueuesMax) },
    { queues: ['q'.repeat(LIMITS.nameCharactersMax)] },
    { expiresAtMs: NOW_MS + 1 },
    { scopes: ['ADMIN', 'READ'] },
  ])('may be at its limits: %j', (change) => {
    expect(issuesOf(change)).toEqual([]);
  });

  test.each<[Partial<KeyRequest>, string]>([
    [{ name: '' }, 'name must be 1 to 128 characters'],
    [{ name: 'n'.repeat(LIMITS.displayNameCharactersMax + 1) }, 'name must be 1 to 128 characters'],
    [{ name: 'a\nb' }, 'name must be 1 to 128 characters, none of them a control character'],
    [{ name: '\ud800' }, 'name must be 1 to 128 characters'],
    [{ scopes: [] }, 'scopes must hold 1 to 7 items'],
    [{ scopes: ['SYSTEM'] }, 'scopes can hold SYSTEM only where a SYSTEM key grants it'],
    [{ queues: names(LIMITS.keyQueuesMax + 1) }, 'queues must hold 0 to 100 items'],
    [{ queues: ['a', 'a b'] }, 'queues.1 must be 1 to 64 characters'],
    [{ queues: ['a'], scopes: ['WORK', 'ADMIN'] }, 'queues cannot restrict a key with ADMIN or SYSTEM'],
    [{ expiresAtMs: NOW_MS }, 'expiresAt must be in the future'],
  ])('is refused beyond them: %j', (change, issue) => {
    expect(issuesOf(change)).toEqual([expect.stringContaining(issue)]);
  });

  test('may hold SYSTEM where a SYSTEM key grants it', () => {
    expect(issuesOf({ scopes: ['SYSTEM'] }, true)).toEqual([]);
  });

  test('has its scopes in their order and each queue once', () => {
    expect(orderedKey(request({ scopes: ['WORK', 'READ', 'WORK'], queues: ['b', 'a', 'b'] }))).toMatchObject({ scopes: ['READ', 'WORK'], queues: ['a', 'b'] });
  });
});

test('the API tells everything that is wrong with a key at once, and where', async () => {
  await using server = await startApp();
  const input = { name: '', scopes: ['ADMIN'], queues: ['a b'], expiresAt: '2000-01-01T00:00:00Z' };
  const { errors } = await server.graphql('mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { __typename } }', { input });
  expect(errors[0]?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    issues: [{ path: ['input', 'name'] }, { path: ['input', 'queues', 0] }, { path: ['input', 'queues'] }, { path: ['input', 'expiresAt'] }],
  });
});
