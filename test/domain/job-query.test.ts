/** The language in which a person says which jobs: what it takes, what it refuses and where, and that it can be printed and read back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JOB_STATES } from '../../src/domain/job.ts';
import { parseJobQuery } from '../../src/domain/job-query/parse.ts';
import { printJobQuery } from '../../src/domain/job-query/print.ts';
import { EVERYTHING, type JobQuery, SORTS, subjectOf, type Term, withoutSubject, withTerm } from '../../src/domain/job-query/query.ts';

function read(text: string): JobQuery {
  const parsed = parseJobQuery(text);
  if (!parsed.ok) throw new Error(`${parsed.fault.column}: ${parsed.fault.message}`);
  return parsed.query;
}

function faultOf(text: string): readonly [column: number, message: string, possible: readonly string[]] {
  const parsed = parseJobQuery(text);
  if (parsed.ok) throw new Error('it was taken');
  return [parsed.fault.column, parsed.fault.message, parsed.fault.possible];
}

describe('a query is read', () => {
  test.each<[string, readonly Term[]]>([
    ['', []],
    ['  queue:billing ', [{ field: 'queue', values: ['billing'] }]],
    ['state:dead,RETRY', [{ field: 'state', values: ['dead', 'retry'] }]],
    ['queue:a,b,a', [{ field: 'queue', values: ['a', 'b'] }]],
    ['key:"Ann, of \\"X\\""', [{ field: 'key', values: ['Ann, of "X"'] }]],
    ['tag:customer=42', [{ field: 'tag', key: 'customer', value: '42' }]],
    ['tag:customer=', [{ field: 'tag', key: 'customer', value: '' }]],
    ['tag:"a=b"=c=d', [{ field: 'tag', key: 'a=b', value: 'c=d' }]],
    ['tag:"customer=Ann Smith"', [{ field: 'tag', key: 'customer', value: 'Ann Smith' }]],
    [
      'age>1h age<7d',
      [
        { field: 'age', side: '>', seconds: 3_600 },
        { field: 'age', side: '<', seconds: 604_800 },
      ],
    ],
    ['created>2026-11-01', [{ field: 'created', side: '>', moment: { atMs: Date.UTC(2026, 10, 1) } }]],
    ['finished<2026-11-01T13:00:00+01:00', [{ field: 'finished', side: '<', moment: { atMs: Date.UTC(2026, 10, 1, 12) } }]],
    ['run<now', [{ field: 'run', side: '<', moment: { fromNowSeconds: 0 } }]],
    ['run>now+15m', [{ field: 'run', side: '>', moment: { fromNowSeconds: 900 } }]],
    ['worker:"w*"', [{ field: 'worker', values: ['w*'] }]],
  ])('%s', (text, terms) => {
    expect(read(text)).toEqual({ terms, sort: 'newest' });
  });

  test('with its order', () => {
    expect(read('sort:finished state:dead')).toEqual({ terms: [{ field: 'state', values: ['dead'] }], sort: 'finished' });
  });
});

describe('a text that is no query is refused at the column, with what could stand there', () => {
  test.each<[string, number, RegExp]>([
    ['queue:a -state:dead', 9, /excluded/],
    ['!state:dead', 1, /excluded/],
    ['task:invoice.*', 14, /wildcards/],
    ['payload.customer.id=42', 1, /payload.*cannot be searched/],
    ['error:timeout', 1, /Errors cannot be searched here/],
    ['queue:a OR queue:b', 9, /no AND, OR or NOT/],
    ['queue:a queue:b', 9, /asked at column 1/],
    ['age>1h created<2026-11-01', 8, /asked at column 1/],
    ['state:deed', 7, /no such value/],
    ['state:dead,', 12, /missing/],
    ['queue:', 7, /missing/],
    ['queue:a,,b', 9, /missing/],
    ['quue:a', 1, /no field “quue”/],
    ['billing', 1, /begins with its field/],
    ['queue', 6, /followed by :/],
    ['state=dead', 6, /followed by :/],
    ['age:1h', 4, /followed by < or >/],
    ['age>=1h', 5, /age is a whole number/],
    ['age>1w', 5, /age is a whole number/],
    ['age>9999999999d', 5, /hundred years/],
    ['created>yesterday', 9, /instant is a day/],
    ['created>2026-02-30', 9, /instant is a day/],
    ['run<2026-11-01T12:00:00', 5, /instant is a day/],
    ['key:"open', 5, /quote is not closed/],
    ['key:"open\\', 5, /quote is not closed/],
    ['tag:customer', 5, /key and a value/],
    ['tag:a=1,b=2', 8, /One value/],
    ['queue:-x', 7, /must be 1 to 64/],
    [`worker:${'w'.repeat(129)}`, 8, /must be 1 to 128/],
    ['sort:newest sort:oldest', 13, /asked at column 1/],
    ['sort:sideways', 6, /no such value/],
    ['error:abc', 1, /grouped by them/],
  ])('%s', (text, column, message) => {
    const [foundColumn, foundMessage] = faultOf(text);
    expect(foundMessage).toMatch(message);
    expect(foundColumn).toBe(column);
  });

  test('names the states, the orders, the fields and the marks', () => {
    expect(faultOf('state:deed')[2]).toEqual(JOB_STATES);
    expect(faultOf('sort:up')[2]).toEqual(SORTS);
    expect(faultOf('quue:a')[2]).toContain('queue');
    expect(faultOf('age=1h')[2]).toEqual(['<', '>']);
  });
});

const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,12}$/);
const text = fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }).filter((given) => given.isWellFormed() && !/\p{Cc}/u.test(given));
const listOf = (value: fc.Arbitrary<string>) => fc.uniqueArray(value, { minLength: 1, maxLength: 4 });
const side = fc.constantFrom('<' as const, '>' as const);
const seconds = fc.integer({ min: 0, max: 3_153_600_000 });
const moment = fc.oneof(
  fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) }).map((atMs) => ({ atMs })),
  fc.integer({ min: 0, max: 36_000 }).map((day) => ({ atMs: day * 86_400_000 })),
  fc.integer({ min: -3_153_600_000, max: 3_153_600_000 }).map((fromNowSeconds) => ({ fromNowSeconds })),
);
const term: fc.Arbitrary<Term> = fc.oneof(
  fc.record({ field: fc.constantFrom('queue' as const, 'task' as const), values: listOf(name) }),
  fc.record({ field: fc.constant('key' as const), values: listOf(text) }),
  fc.record({ field: fc.constant('worker' as const), values: listOf(text.filter((given) => /^[^\p{C}\p{Z}]+$/u.test(given))) }),
  fc.record({ field: fc.constant('state' as const), values: fc.uniqueArray(fc.constantFrom(...JOB_STATES), { minLength: 1 }) }),
  fc.record({ field: fc.constant('tag' as const), key: text, value: fc.oneof(text, fc.constant('')) }),
  fc.record({ field: fc.constant('age' as const), side, seconds }),
  fc.record({ field: fc.constantFrom('created' as const, 'finished' as const, 'run' as const), side, moment }),
);
/** As the controls of a form make it: term by term. */
const query: fc.Arbitrary<JobQuery> = fc
  .record({ terms: fc.array(term, { maxLength: 8 }), sort: fc.constantFrom(...SORTS) })
  .map(({ terms, sort }) => terms.reduce(withTerm, { terms: [], sort } as JobQuery));

describe('whatever was chosen by controls', () => {
  test('is printed as text that reads back to the same query', () => {
    fc.assert(
      fc.property(query, (made) => {
        expect(read(printJobQuery(made))).toEqual(made);
      }),
      { numRuns: 1_000 },
    );
  });

  test('has no two terms about the same thing, and loses one that is taken away', () => {
    fc.assert(
      fc.property(query, (made) => {
        const subjects = made.terms.map(subjectOf);
        expect(new Set(subjects).size).toBe(subjects.length);
        const bare = subjects.reduce(withoutSubject, made);
        expect(bare).toEqual({ ...EVERYTHING, sort: made.sort });
      }),
    );
  });
});

describe('whatever a person types', () => {
  const typed = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc
      .array(
        fc.constantFrom('queue', 'state', 'tag', 'age', 'sort', ':', '=', '<', '>', ',', '"', '\\', ' ', 'dead', 'a', '1h', 'now-', '2026-11-01', '*', '-'),
        { maxLength: 12 },
      )
      .map((parts) => parts.join('')),
    query.map(printJobQuery),
  );

  test('is refused at a column of it, or printed in a form that stays the same', () => {
    fc.assert(
      fc.property(typed, (given) => {
        const parsed = parseJobQuery(given);
        if (parsed.ok) {
          const printed = printJobQuery(parsed.query);
          expect(read(printed)).toEqual(parsed.query);
          expect(printJobQuery(read(printed))).toBe(printed);
        } else {
          expect(parsed.fault.column).toBeGreaterThanOrEqual(1);
          expect(parsed.fault.column).toBeLessThanOrEqual(given.length + 1);
          expect(parsed.fault.message).not.toBe('');
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
