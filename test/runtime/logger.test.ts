import { describe, expect, test } from 'vitest';
import { createLogger, LOG_LEVELS, type LogFields, type LogLevel } from '../../src/runtime/logger.ts';
import { ManualClock } from '../support/manual-clock.ts';

function logTo(level: LogLevel): { readonly log: ReturnType<typeof createLogger>; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLogger({ level, clock: new ManualClock(), stream: { write: (line) => lines.push(line) } }), lines };
}

const parse = (line: string | undefined): Record<string, unknown> => JSON.parse(line ?? '') as Record<string, unknown>;

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

  test('tells an error with its cause and its stack, without the message in it again', () => {
    const { log, lines } = logTo('debug');
    log.error('failed', { error: new TypeError('outer', { cause: Object.assign(new Error('inner'), { code: 'SQLITE_FULL' }) }) });
    const error = parse(lines[0])['error'] as Record<string, unknown>;
    expect(error).toMatchObject({ name: 'TypeError', message: 'outer', cause: { name: 'Error', message: 'inner', code: 'SQLITE_FULL' } });
    expect(error['stack']).toMatch(/^at .*logger\.test\.ts/);
    expect(error['stack']).not.toContain('outer');
  });

  test.each([
    ['a text', 'went wrong', 'went wrong'],
    ['nothing', undefined, 'undefined undefined'],
    ['an object without a prototype', Object.create(null), 'object'],
    ['a long text', 'x'.repeat(5_000), `${'x'.repeat(2_000)}…`],
  ])('tells of %s that was thrown', (_name, thrown, message) => {
    const { log, lines } = logTo('debug');
    log.error('failed', { error: thrown });
    expect(parse(lines[0])['error']).toEqual({ name: 'thrown value', message });
  });

  test('survives an error that is its own cause', () => {
    const { log, lines } = logTo('debug');
    const error = new Error('loop');
    error.cause = error;
    log.error('failed', { error });
    expect(lines).toHaveLength(1);
  });
});
