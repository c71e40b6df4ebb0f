/** Where the client goes and as whom, and that no bad value shows up in a message. */
import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LeaseQueue, LeaseQueueError } from '../../src/client/index.ts';
import { endpointOf, headersOf } from '../../src/client/settings.ts';
import { startApp } from '../support/app.ts';
import { createTestKey } from '../support/keys.ts';
import { temporaryFolder } from '../support/store.ts';

afterEach(() => vi.unstubAllEnvs());

function failureOf(act: () => unknown): LeaseQueueError {
  try {
    act();
  } catch (error) {
    if (error instanceof LeaseQueueError) return error;
  }
  throw new Error('a LeaseQueueError was expected');
}

describe('the address', () => {
  test.each([
    [undefined, 'http://127.0.0.1:8000/graphql'],
    ['http://h:1', 'http://h:1/graphql'],
    ['https://h/', 'https://h/graphql'],
    ['https://h/graphql', 'https://h/graphql'],
    ['https://h/graphql/', 'https://h/graphql'],
    ['https://h/jobs/', 'https://h/jobs/graphql'],
    ['https://h/jobs?x=1#y', 'https://h/jobs/graphql'],
  ])('%s leads to %s', (url, endpoint) => {
    expect(endpointOf(url === undefined ? {} : { url }, {})).toBe(endpoint);
    expect(endpointOf({}, url === undefined ? {} : { LEASEQUEUE_URL: url })).toBe(endpoint);
  });

  test.each(['', 'nonsense-s3cret', 'ftp://s3cret.example', '/graphql?s3cret', 'http://user:s3cret@h/'])('%j is refused, and not repeated', (url) => {
    const error = failureOf(() => new LeaseQueue({ url }));
    expect(error.code).toBe('BAD_SETTINGS');
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
  });
});

describe('the key and the tenant', () => {
  test('come from the program, else the environment, else a file', () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('key'), 'from-file\n');
    const file = { LEASEQUEUE_API_KEY_FILE: folder.file('key') };
    expect(headersOf({}, {})).toEqual({});
    expect(headersOf({}, file)).toEqual({ authorization: 'Bearer from-file' });
    expect(headersOf({}, { ...file, LEASEQUEUE_API_KEY: 'from-env' })).toEqual({ authorization: 'Bearer from-env' });
    const all = { ...file, LEASEQUEUE_API_KEY: 'from-env', LEASEQUEUE_TENANT: 'env' };
    expect(headersOf({ apiKey: 'own', tenant: 'mine' }, all)).toEqual({ authorization: 'Bearer own', 'x-leasequeue-tenant': 'mine' });
  });

  test('stand above headers that the program adds', () => {
    expect(headersOf({ apiKey: 'own', headers: { 'x-way': '1' } }, {})).toEqual({ 'x-way': '1', authorization: 'Bearer own' });
  });

  test('are sent once, whatever the case of their names', () => {
    expect(headersOf({ apiKey: 'own', headers: { Authorization: 'Bearer other', 'X-Way': '1' } }, {})).toEqual({ 'x-way': '1', authorization: 'Bearer own' });
  });

  test.each([
    { headers: { 'x-way': 's3cret\n\u{1F600}' } },
    { headers: { 's3cret header': '1' } },
    { apiKey: 's3cret key' },
    { apiKey: 's3cret\n' },
    { apiKey: '' },
    { tenant: 's3cret\r\nx: y' },
    { tenant: '' },
  ])('%j is refused, and not repeated', (address) => {
    const error = failureOf(() => new LeaseQueue(address));
    expect(error.code).toBe('BAD_SETTINGS');
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
  });

  test('in a file that cannot be read are missed by the name of the variable', () => {
    const error = failureOf(() => headersOf({}, { LEASEQUEUE_API_KEY_FILE: '/nowhere/key' }));
    expect(error).toMatchObject({ code: 'BAD_SETTINGS', message: expect.stringContaining('LEASEQUEUE_API_KEY_FILE') });
  });
});

test('a program without settings of its own takes them from its environment, and shows none of them', async () => {
  await using server = await startApp({ config: { auth: 'required' } });
  const key = await createTestKey(server.store, { tenant: 'acme' });
  vi.stubEnv('LEASEQUEUE_URL', server.url);
  vi.stubEnv('LEASEQUEUE_API_KEY', key.text);
  const lq = new LeaseQueue();
  expect((await lq.viewer()).tenant.id).toBe('acme');
  expect(inspect(lq, { depth: 9, showHidden: true })).not.toContain(key.text);
  expect(JSON.stringify(lq)).not.toContain(key.text);
  await server.app.stop();
  const error: unknown = await new LeaseQueue({ retryFor: 0 }).viewer().catch((thrown: unknown) => thrown);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key.text);
  expect(error).toMatchObject({ code: 'UNREACHABLE' });
});

test.each(['soon', '-1s', '1e3s', Number.NaN, -1, '5 s'])('%j is no length of time', (retryFor) => {
  expect(failureOf(() => new LeaseQueue({ retryFor: retryFor as never })).code).toBe('BAD_SETTINGS');
});
