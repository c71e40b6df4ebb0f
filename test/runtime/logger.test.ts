import { describe, expect, test } from 'vitest';
import { createLogger, LOG_LEVELS, type LogFields, type LogLevel } from '../../src/runtime/logger.ts';
import { DatabaseUnusable } from '../../src/store/engines/engine.ts';
import { StoreFault } from '../../src/store/store.ts';
import { ManualClock } from '../support/manual-clock.ts';

function logTo(level: LogLevel): { readonly log: ReturnType<typeof createLogger>; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLogger({ level, clock: new ManualClock(), stream: { write: (line) => lines.push(line) } }), lines };
}

const parse = (line: string | undefined): Record<string, unknown> => JSON.parse(line ?? '') as Record<string, unknown>;

function fail(error: string | Error): never {
  throw typeof error === 'string' ? new Error(error) : error;
}

describe('the log', () => {
  test('is one line of JSON an entry, with the time of the clock', () => {
    const { log, lines } = logTo('info');
    log.info('a line\nand another', { url: 'http://127.0.0.1:1', count: 0 });
    expect(lines).toEqual(['{"time":"2026-03-01T00:00:00.000Z","level":"info","message":"a line\\nand another","url":"http://127.0.0.1:1","count":0}\n']);
  });

  test.each(LOG_LEVELS)('at %s has the entries of that level and above', (level) => {
    const { log, lines } = logTo(level);
    for (const each of LOG_LEVELS) log[each](each);
    expect(lines.map((line) => parse(line)['level'])).toEqual(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
  });

  test('has no place for a field that is not allowed', () => {
    const { log, lines } = logTo('debug');
    const smuggled = { operation: 'Claim', payload: { secret: 1 }, leaseToken: 'secret', query: '{ secret }' } as LogFields;
    log.error('failed', smuggled);
    expect(parse(lines[0])).toEqual({ time: expect.any(String), level: 'error', message: 'failed', operation: 'Claim' });
  });

  test('tells an error with its cause and its stack, and of neither what it says, which may be a value that was sent', () => {
    const { log, lines } = logTo('debug');
    log.error('failed', { error: new TypeError('s3cret', { cause: Object.assign(new Error('s3cret'), { code: 'SQLITE_FULL' }) }) });
    const error = parse(lines[0])['error'] as Record<string, unknown>;
    expect(error).toEqual({ name: 'TypeError', stack: expect.any(String), cause: { name: 'Error', code: 'SQLITE_FULL', stack: expect.any(String) } });
    expect(error['stack']).toMatch(/^at .*logger\.test\.ts/);
    expect(lines[0]).not.toContain('s3cret');
  });

  test.each([
    ['JSON', () => JSON.parse('{"s3cret"')],
    ['an address', () => new URL('s3cret')],
    ['a whole number', () => BigInt('s3cret')],
    ['a pattern', () => new RegExp(['s3cret', '('].join(''))],
    ['a name where none can be', () => Reflect.get(Object, 's3cret').length],
    ['lines that look like a stack', () => fail('no\n    at s3cret (file:///s3cret.ts:1:1)\n    at s3cret:1:1')],
    ['a message that was changed', () => fail(Object.assign(new Error('a\n    at s3cret'), { message: 'b' }))],
  ])('tells of an error about %s that was sent without a word of it', (_name, run) => {
    const { log, lines } = logTo('debug');
    try {
      run();
    } catch (error) {
      log.error('failed', { error });
    }
    expect(parse(lines[0])['error']).toMatchObject({ name: expect.stringMatching(/Error$/), stack: expect.stringContaining('logger.test.ts') });
    expect(lines[0]).not.toContain('s3cret');
  });

  test.each([
    ['a fault of the store', new StoreFault('busy', 'Try again.', { outcomeUnknown: false }), 'Try again.'],
    ['a database that is of no use', new DatabaseUnusable('Create the folder.'), 'Create the folder.'],
    ['a constraint', new Error('UNIQUE constraint failed: jobs.tenant_id, jobs.queue'), 'UNIQUE constraint failed: jobs.tenant_id, jobs.queue'],
    ['a constraint on rows', new Error('FOREIGN KEY constraint failed'), 'FOREIGN KEY constraint failed'],
    ['a constraint, with more', new Error('UNIQUE constraint failed: jobs.queue is s3cret'), undefined],
  ])('repeats what holds names and no values: of %s', (_name, error, message) => {
    const { log, lines } = logTo('debug');
    log.error('failed', { error });
    expect((parse(lines[0])['error'] as Record<string, unknown>)['message']).toBe(message);
  });

  test('repeats of a long message as much as anybody reads', () => {
    const { log, lines } = logTo('debug');
    log.error('failed', { error: new DatabaseUnusable('x'.repeat(5_000)) });
    expect(parse(lines[0])['error']).toMatchObject({ message: `${'x'.repeat(2_000)}…` });
  });

  test.each([
    ['a text', 's3cret', 'string'],
    ['nothing', undefined, 'undefined'],
    ['an object without a prototype', Object.create(null), 'object'],
  ])('tells of %s that was thrown no more than its type', (_name, thrown, type) => {
    const { log, lines } = logTo('debug');
    log.error('failed', { error: thrown });
    expect(parse(lines[0])['error']).toEqual({ name: 'thrown value', type });
  });

  test('survives an error that is its own cause', () => {
    const { log, lines } = logTo('debug');
    const error = new Error('loop');
    error.cause = error;
    log.error('failed', { error });
    expect(lines).toHaveLength(1);
  });
});
