/** Redaction as a rule of its own: which places a path means, what a reader sees of them, and how an edit gets them back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { createRedaction, fitsTask, hiddenPaths, REDACTED, type RedactionRule, withoutHidden } from '../../src/domain/redaction.ts';
import { parsePath } from '../../src/domain/redaction-path.ts';
import { restoreHidden } from '../../src/domain/restore-hidden.ts';

const copy = (value: unknown): unknown => structuredClone(value);
const ruled = (paths: readonly string[]): readonly RedactionRule[] => paths.map((path) => ({ task: '*', path }));

function seen(value: unknown, ...paths: readonly string[]): unknown {
  const hidden = createRedaction(ruled(paths))?.hiddenIn('t') ?? null;
  return hidden === null ? value : withoutHidden(copy(value), hidden);
}

const ORDER = {
  card: { number: '4111', name: 'A' },
  items: [
    { iban: 'DE1', n: 1 },
    { iban: 'DE2', n: 2 },
  ],
  password: 'x',
  deep: { er: [{ password: 'y' }] },
};

describe('a path', () => {
  test.each([
    [['card.number'], { ...ORDER, card: { number: REDACTED, name: 'A' } }],
    [['card'], { ...ORDER, card: REDACTED }],
    [['card.*'], { ...ORDER, card: { number: REDACTED, name: REDACTED } }],
    [
      ['items.*.iban'],
      {
        ...ORDER,
        items: [
          { iban: REDACTED, n: 1 },
          { iban: REDACTED, n: 2 },
        ],
      },
    ],
    [['items.1'], { ...ORDER, items: [{ iban: 'DE1', n: 1 }, REDACTED] }],
    [['**.password'], { ...ORDER, password: REDACTED, deep: { er: [{ password: REDACTED }] } }],
    [['deep.**.password'], { ...ORDER, deep: { er: [{ password: REDACTED }] } }],
    [['deep.**'], { ...ORDER, deep: REDACTED }],
    [['**'], { card: REDACTED, items: REDACTED, password: REDACTED, deep: REDACTED }],
    [['card.nothing', 'nothing', 'password.more'], ORDER],
    [['card.number', '*.number', '**.name'], { ...ORDER, card: { number: REDACTED, name: REDACTED } }],
  ])('%j hides what it says and nothing else', (paths, expected) => {
    expect(seen(ORDER, ...paths)).toEqual(expected);
  });

  test('takes keys with dots, stars and backslashes behind a backslash', () => {
    expect(seen({ 'a.b': 1, '*': 2, c: 3, 'd\\': 4 }, 'a\\.b', '\\*', 'd\\\\')).toEqual({ 'a.b': REDACTED, '*': REDACTED, c: 3, 'd\\': REDACTED });
  });

  test('reaches the keys that objects have by nature only where they are there', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2,"b":3}');
    const hidden = createRedaction(ruled(['__proto__.a', 'constructor', 'toString']))?.hiddenIn('t') ?? [];
    expect(JSON.stringify(withoutHidden(value, hidden))).toBe('{"__proto__":{"a":"[redacted]"},"constructor":"[redacted]","b":3}');
  });

  test('of ** alone hides a value that is in no object', () => {
    expect([seen('text', '**'), seen(5, '**'), seen(null, '**'), seen('text', '*'), seen([1, 2], '**')]).toEqual([
      REDACTED,
      REDACTED,
      null,
      'text',
      [REDACTED, REDACTED],
    ]);
  });

  test.each(['', '.', 'a..b', 'a.', '.a', 'a*', '***', '**.a.**', 'x'.repeat(257), Array.from({ length: 17 }, () => 'a').join('.'), '\ud800'])(
    'is refused: %j',
    (path) => {
      expect(parsePath(path)).toEqual(expect.any(String));
    },
  );
});

test.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['ab', 'a', false],
  ['invoice.send', 'invoice.*', true],
  ['invoice', 'invoice.*', false],
  ['x.invoice.send', 'invoice.*', false],
  ['anything', '*', true],
  ['abcabc', '*abc', true],
  ['ab', 'ab*b', false],
  ['aba', 'a*a', true],
  ['a', 'a*a', false],
  ['xaybz', 'x*a*b*z', true],
  ['xbyaz', 'x*a*b*z', false],
])('the task %s fits the pattern %s: %s', (task, pattern, fits) => {
  expect(fitsTask(task, pattern)).toBe(fits);
});

test('rules hold for the tasks that they name', () => {
  const redaction = createRedaction([
    { task: 'a.*', path: 'x' },
    { task: '*', path: 'y' },
  ]);
  expect(withoutHidden({ x: 1, y: 2 }, redaction?.hiddenIn('a.b') ?? [])).toEqual({ x: REDACTED, y: REDACTED });
  expect(withoutHidden({ x: 1, y: 2 }, redaction?.hiddenIn('b') ?? [])).toEqual({ x: 1, y: REDACTED });
  expect(createRedaction([])).toBeNull();
  expect(createRedaction([{ task: 'a', path: 'x' }])?.hiddenIn('b')).toBeNull();
});

describe('the paths that are hidden', () => {
  const paths = (value: unknown, ...rules: readonly string[]) => hiddenPaths(value, createRedaction(ruled(rules))?.hiddenIn('t') ?? []);

  test('are told in the form of a rule, the outermost of each', () => {
    expect(paths(ORDER, 'items.*.iban', '**.password', 'card', 'card.number')).toEqual([
      'card',
      'items.0.iban',
      'items.1.iban',
      'password',
      'deep.er.0.password',
    ]);
    expect(paths({ 'a.*': { 'b\\': 1 } }, '*.*')).toEqual(['a\\.\\*.b\\\\']);
  });

  test('are no more than there is room for, and long keys are left out', () => {
    const many = paths({ list: Array.from({ length: 5_000 }, () => ({ x: 1 })) }, 'list.*.x');
    expect(many).toHaveLength(LIMITS.redactedPathsMax);
    const long = paths({ ['k'.repeat(60_000)]: 1 }, '*');
    expect(long).toEqual(['…']);
    const wide = paths(Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`a${n}`.padEnd(64, 'x'), { ['b'.padEnd(64, 'x')]: 1 }])), '*.*');
    expect(wide.join('').length).toBeLessThanOrEqual(LIMITS.redactedPathsCharactersMax);
  });
});

describe('an edit', () => {
  const PATHS = ['card.number', 'items.*.iban', '**.password', 'whole'];
  const STORED = { ...ORDER, whole: { a: [1] }, plain: 'kept' };
  const edit = (given: object, stored: unknown = STORED) => {
    const value = copy(given);
    const faults = restoreHidden(value, stored, createRedaction(ruled(PATHS))?.hiddenIn('t') ?? []);
    return { value, faults: faults.map(({ path, message }) => `${path.join('.')} ${message}`) };
  };

  test('of what a reader sees, unchanged, gives back what is stored', () => {
    expect(edit(seen(STORED, ...PATHS) as object)).toEqual({ value: STORED, faults: [] });
  });

  test('may change the rest, and write a hidden value anew', () => {
    const given = { ...(seen(STORED, ...PATHS) as typeof STORED), plain: 'new', password: 'new too' };
    expect(edit(given)).toEqual({ value: { ...STORED, plain: 'new', password: 'new too' }, faults: [] });
  });

  test('with the mark in a list of another length is refused, by the path', () => {
    const { faults } = edit({ items: [{ iban: REDACTED, n: 1 }] });
    expect(faults).toEqual([expect.stringMatching(/^items\.0\.iban is the mark .*length was changed/)]);
    expect(edit({ deep: { er: [{ password: REDACTED }, { password: REDACTED }] } }).faults).toHaveLength(2);
    expect(edit({ items: [{ iban: 'DE9', n: 1 }] })).toEqual({ value: { items: [{ iban: 'DE9', n: 1 }] }, faults: [] });
  });

  test.each([
    [{ card: { number: REDACTED } }, {}],
    [{ card: { number: REDACTED } }, { card: 'text' }],
    [{ more: { password: REDACTED } }, STORED],
    [{ items: { 0: { iban: REDACTED } } }, STORED],
  ])('with the mark where nothing is stored is refused: %j', (given, stored) => {
    expect(edit(given, stored).faults).toEqual([expect.stringMatching(/has none there/)]);
  });

  test('with the mark inside a value that is hidden as a whole is taken for the same place, or refused', () => {
    expect(edit({ whole: { a: [REDACTED] } })).toEqual({ value: { whole: { a: [1] } }, faults: [] });
    expect(edit({ whole: { a: [REDACTED, 2] } }).faults).toHaveLength(1);
  });

  test('may hold the text of the mark anywhere else', () => {
    expect(edit({ plain: REDACTED })).toEqual({ value: { plain: REDACTED }, faults: [] });
  });
});

describe('whatever the value and the rules', () => {
  const key = fc.constantFrom('a', 'b', 'c', '0', '__proto__', 'x.y');
  const step = fc.constantFrom('a', 'b', 'c', '0', '*', '__proto__', 'x\\.y');
  const path = fc
    .tuple(fc.array(step, { maxLength: 3 }), fc.boolean(), fc.array(step, { minLength: 1, maxLength: 2 }))
    .map(([before, isDeep, after]) => [...before, ...(isDeep ? ['**'] : []), ...after].join('.'));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.nat(9), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as unknown),
  }));

  /** The plain meaning of a path, slowly. */
  function matches(steps: readonly string[], keys: readonly string[]): boolean {
    const [first, ...rest] = steps;
    if (first === undefined) return keys.length === 0;
    if (first === '**') return matches(rest, keys) || (keys.length > 0 && matches(steps, keys.slice(1)));
    return keys.length > 0 && (first === '*' || first.replaceAll('\\', '') === keys[0]) && matches(rest, keys.slice(1));
  }
  function expected(around: unknown, paths: readonly (readonly string[])[], keys: readonly string[] = []): unknown {
    if (keys.length > 0 && paths.some((steps) => matches(steps, keys))) return REDACTED;
    if (typeof around !== 'object' || around === null) return around;
    if (Array.isArray(around)) return around.map((child, index) => expected(child, paths, [...keys, String(index)]));
    return Object.fromEntries(Object.entries(around).map(([name, child]) => [name, expected(child, paths, [...keys, name])]));
  }

  test('a reader sees exactly what no path means, and an unchanged edit restores it', () => {
    fc.assert(
      fc.property(value, fc.array(path, { minLength: 1, maxLength: 4 }), (given, paths) => {
        const steps = paths.map((text) => text.split(/(?<!\\)\./));
        const shown = seen(given, ...paths);
        expect(shown).toEqual(expected(given, steps));
        const faults = restoreHidden(shown, given, createRedaction(ruled(paths))?.hiddenIn('t') ?? []);
        expect([faults, shown]).toEqual([[], given]);
      }),
      { numRuns: 2_000 },
    );
  });
});
