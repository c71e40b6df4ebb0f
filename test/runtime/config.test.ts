import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { CONFIG_VARIABLES, type Config, isLoopback, readConfig } from '../../src/runtime/config.ts';
import type { Environ } from '../../src/runtime/environment.ts';

function config(env: Environ = {}): Config {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.config;
}

function problems(env: Environ): readonly string[] {
  const result = readConfig(env);
  return result.ok ? [] : result.problems;
}

describe('the settings', () => {
  test('have defaults for everything', () => {
    expect(config({ PATH: '/bin', HOME: '/root' })).toEqual({
      host: '127.0.0.1',
      port: 8000,
      basePath: '',
      databasePath: 'leasequeue.db',
      environment: 'development',
      auth: 'none',
      answersLoopbackNamesOnly: true,
      maxRequestBytes: 131_072,
      logLevel: 'info',
      metricTenantsMax: 0,
      retention: { completedSeconds: 604_800, cancelledSeconds: 604_800, deadSeconds: 7_776_000 },
    });
  });

  test.each([
    ['LEASEQUEUE_PORT', '0', { port: 0 }],
    ['LEASEQUEUE_PORT', '65535', { port: 65_535 }],
    ['LEASEQUEUE_HOST', 'localhost', { host: 'localhost' }],
    ['LEASEQUEUE_HOST', '::1', { host: '::1' }],
    ['LEASEQUEUE_HOST', '127.0.0.2', { host: '127.0.0.2' }],
    ['LEASEQUEUE_BASE_PATH', '/', { basePath: '' }],
    ['LEASEQUEUE_BASE_PATH', '/queue', { basePath: '/queue' }],
    ['LEASEQUEUE_BASE_PATH', '/tools/queue_2.x/', { basePath: '/tools/queue_2.x' }],
    ['LEASEQUEUE_DATABASE_PATH', '/var/lib/lq/jobs.db', { databasePath: '/var/lib/lq/jobs.db' }],
    ['LEASEQUEUE_MAX_REQUEST_BYTES', '1024', { maxRequestBytes: 1_024 }],
    ['LEASEQUEUE_MAX_REQUEST_BYTES', '16777216', { maxRequestBytes: 16_777_216 }],
    ['LEASEQUEUE_LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['LEASEQUEUE_METRIC_TENANTS', '200', { metricTenantsMax: 200 }],
    ['LEASEQUEUE_AUTH', 'none', { auth: 'none' }],
    ['LEASEQUEUE_RETAIN_FINISHED_HOURS', '1', { retention: { completedSeconds: 3_600, cancelledSeconds: 3_600, deadSeconds: 7_776_000 } }],
    ['LEASEQUEUE_RETAIN_FINISHED_HOURS', '0', { retention: { completedSeconds: 0, cancelledSeconds: 0, deadSeconds: 7_776_000 } }],
    ['LEASEQUEUE_RETAIN_DEAD_HOURS', '0', { retention: { completedSeconds: 604_800, cancelledSeconds: 604_800, deadSeconds: 0 } }],
    ['LEASEQUEUE_RETAIN_DEAD_HOURS', '87600', { retention: { completedSeconds: 604_800, cancelledSeconds: 604_800, deadSeconds: LIMITS.retainSecondsMax } }],
  ])('take %s=%s', (name, value, expected) => {
    expect(config({ [name]: value })).toMatchObject(expected);
  });

  test.each([
    ['LEASEQUEUE_PORT', '65536', /from 0 to 65535/],
    ['LEASEQUEUE_PORT', '-1', /from 0 to 65535/],
    ['LEASEQUEUE_PORT', '8000.5', /from 0 to 65535/],
    ['LEASEQUEUE_PORT', ' 8000', /from 0 to 65535/],
    ['LEASEQUEUE_PORT', '0x1f90', /from 0 to 65535/],
    ['LEASEQUEUE_PORT', 'http', /from 0 to 65535/],
    ['LEASEQUEUE_PORT', 'tcp://10.0.0.1:8000', /service link/],
    ['LEASEQUEUE_HOST', 'http://localhost', /IP address or a host name/],
    ['LEASEQUEUE_HOST', '127.0.0.1:8000', /IP address or a host name/],
    ['LEASEQUEUE_HOST', 'a b', /IP address or a host name/],
    ...['queue', '//', '/a//b', '/a/../b', '/.', '/a b', '/a%20b', '/a"><b', '/a;b', '/a/b?c', '/ä', `/${'a'.repeat(65)}`, '/a'.repeat(9)].map(
      (path): [string, string, RegExp] => ['LEASEQUEUE_BASE_PATH', path, /must begin with "\/"/],
    ),
    ['LEASEQUEUE_BASE_PATH', '/console', /name of the server's own/],
    ['LEASEQUEUE_BASE_PATH', '/graphql/x', /name of the server's own/],
    ['LEASEQUEUE_DATABASE_PATH', 'postgres://localhost/jobs', /PostgreSQL/],
    ['LEASEQUEUE_ENVIRONMENT', 'staging', /development or production/],
    ['LEASEQUEUE_AUTH', 'off', /required or none/],
    ['LEASEQUEUE_MAX_REQUEST_BYTES', '1023', /from 1024 to 16777216/],
    ['LEASEQUEUE_MAX_REQUEST_BYTES', '16777217', /from 1024 to 16777216/],
    ['LEASEQUEUE_MAX_REQUEST_BYTES', '128k', /from 1024 to 16777216/],
    ['LEASEQUEUE_LOG_LEVEL', 'verbose', /debug, info, warn, error/],
    ['LEASEQUEUE_METRIC_TENANTS', '201', /0 to 200/],
    ['LEASEQUEUE_RETAIN_FINISHED_HOURS', '0.5', /whole number/],
    ['LEASEQUEUE_RETAIN_FINISHED_HOURS', '-1', /whole number/],
    ['LEASEQUEUE_RETAIN_FINISHED_HOURS', '1e3', /whole number/],
    ['LEASEQUEUE_RETAIN_DEAD_HOURS', '87601', /from 0 to 87600/],
    ['LEASEQUEUE_RETAIN_DEAD_HOURS', '9'.repeat(400), /from 0 to 87600/],
  ])('refuse %s=%s with one message that names it', (name, value, reason) => {
    const found = problems({ [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${name} `));
    expect(found[0]).toMatch(reason);
    expect(found[0]?.length).toBeLessThan(500);
  });

  test.each([
    ['LEASEQUEUE_DATABASE_PATH', 'postgres://user:s3cret@db/jobs'],
    ['LEASEQUEUE_HOST', 'user:s3cret@localhost'],
    ['LEASEQUEUE_HOST', 's3cret/'],
    ['LEASEQUEUE_AUTH', 's3cret'],
    ['LEASEQUEUE_PORT', 'tcp://user:s3cret@10.0.0.1:8000'],
    ['LEASEQUEUE_LOG_LEVEL', `s3cret${'x'.repeat(27)}`],
  ])('refuse %s=%s without a value that may be a secret', (name, value) => {
    const [problem, ...others] = problems({ [name]: value });
    expect([problem, others]).toEqual([expect.stringMatching(new RegExp(`^${name} must be .*[^ ]\\.$`)), []]);
    expect(problem).not.toContain('s3cret');
  });

  test('refuse a value that says no more than a word with that word', () => {
    expect(problems({ LEASEQUEUE_LOG_LEVEL: 'loud' })).toEqual(['LEASEQUEUE_LOG_LEVEL must be one of debug, info, warn, error, not "loud".']);
  });

  test.each(CONFIG_VARIABLES.filter(({ name }) => !name.includes('DATABASE_URL')).map(({ name }) => name))('refuse an empty %s', (name) => {
    expect(problems({ [name]: '' })).toEqual([`${name} is empty: give it a value, or unset it.`]);
    expect(problems({ [name]: '  ' })).toHaveLength(1);
  });

  test('report every problem at once', () => {
    const found = problems({ LEASEQUEUE_PORT: 'x', LEASEQUEUE_LOG_LEVEL: 'loud', LEASEQUEUE_PROT: '1', LEASEQUEUE_HOST: '0.0.0.0' });
    expect(found.map((problem) => problem.split(' ')[0])).toEqual(['LEASEQUEUE_PROT', 'LEASEQUEUE_AUTH', 'LEASEQUEUE_PORT', 'LEASEQUEUE_LOG_LEVEL']);
  });
});

describe('a variable of the prefix', () => {
  test.each([
    ['LEASEQUEUE_PROT', 'LEASEQUEUE_PORT'],
    ['LEASEQUEUE_DATABASEPATH', 'LEASEQUEUE_DATABASE_PATH'],
    ['LEASEQUEUE_RETAIN_FINISHED_HOUR', 'LEASEQUEUE_RETAIN_FINISHED_HOURS'],
  ])('that is spelled wrong, %s, stops the start with the name that was meant', (name, meant) => {
    expect(problems({ [name]: '1' })).toEqual([`${name} is not a setting of LeaseQueue: did you mean ${meant}?`]);
  });

  test('that is like none stops the start, with its name and without its value', () => {
    expect(problems({ LEASEQUEUE_SOMETHING_ELSE_ALTOGETHER: 'secret' })).toEqual(['LEASEQUEUE_SOMETHING_ELSE_ALTOGETHER is not a setting of LeaseQueue.']);
  });

  test.each([
    'LEASEQUEUE_SERVICE_HOST',
    'LEASEQUEUE_SERVICE_PORT',
    'LEASEQUEUE_SERVICE_PORT_HTTP',
    'LEASEQUEUE_PORT_8000_TCP',
    'LEASEQUEUE_PORT_8000_TCP_ADDR',
  ])('that a container platform made, %s, is explained', (name) => {
    expect(problems({ [name]: '10.0.0.1' })[0]).toMatch(new RegExp(`^${name} .*service link`));
  });

  test('that belongs to the client is known and ignored', () => {
    expect(config({ LEASEQUEUE_URL: 'http://x', LEASEQUEUE_API_KEY: 'lq_a_b_c', LEASEQUEUE_API_KEY_FILE: '/run/key', LEASEQUEUE_TENANT: 'a' })).toEqual(
      config(),
    );
    expect(config({ LEASEQUEUE_CONTEXT: 'prod', LEASEQUEUE_JOB_ID: 'x', LEASEQUEUE_JOB_FENCE: '3' })).toEqual(config());
  });

  test.each(['LEASEQUEUE_DATABASE_URL', 'LEASEQUEUE_DATABASE_URL_FILE'])('for PostgreSQL, %s, says that it is not there yet, without its value', (name) => {
    const [problem, ...others] = problems({ [name]: 'postgres://user:secret@db/jobs' });
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${name} .*PostgreSQL is not part of this version yet`));
    expect(problem).not.toContain('secret');
  });
});

describe('authentication', () => {
  test.each([
    ['in development on loopback it is off', {}],
    ['on another address it may be switched off by name', { LEASEQUEUE_HOST: '0.0.0.0', LEASEQUEUE_AUTH: 'none' }],
    ['in production it may be switched off by name', { LEASEQUEUE_ENVIRONMENT: 'production', LEASEQUEUE_AUTH: 'none' }],
  ])('%s', (_name, env) => {
    expect(config(env).auth).toBe('none');
  });

  test.each([
    ['by name', { LEASEQUEUE_AUTH: 'required' }],
    ['in production', { LEASEQUEUE_ENVIRONMENT: 'production' }],
    ['in production on another address', { LEASEQUEUE_ENVIRONMENT: 'production', LEASEQUEUE_HOST: '0.0.0.0' }],
    ['by name on another address', { LEASEQUEUE_AUTH: 'required', LEASEQUEUE_HOST: '0.0.0.0' }],
  ])('is required %s', (_name, env) => {
    expect(config(env).auth).toBe('required');
  });

  test.each([
    ['another address without a word', { LEASEQUEUE_HOST: '0.0.0.0' }],
    ['a host name that may be anything', { LEASEQUEUE_HOST: 'db.internal' }],
  ])('%s stops the start, and the message says what to choose', (_name, env) => {
    const found = problems(env);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^LEASEQUEUE_AUTH has to be set by name.*"required".*"none"/);
  });

  test.each([
    ['where nobody chose', {}, true],
    ['on any address of the loopback', { LEASEQUEUE_HOST: '::1' }, true],
    ['not where it is switched off by name, for a proxy in front', { LEASEQUEUE_AUTH: 'none' }, false],
    ['not in production', { LEASEQUEUE_AUTH: 'none', LEASEQUEUE_ENVIRONMENT: 'production' }, false],
  ])('that is off answers to names of the loopback only %s', (_name, env, expected) => {
    expect(config(env).answersLoopbackNamesOnly).toBe(expected);
  });

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'LOCALHOST', '::ffff:127.0.0.1'])('%s is loopback', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  test.each(['0.0.0.0', '::', '10.0.0.1', 'localhost.example.com', '127.0.0.1.example.com', '1127.0.0.1'])('%s is not', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
