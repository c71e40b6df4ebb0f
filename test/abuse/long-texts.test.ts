/** A text as long as anybody may send, made to hurt: whoever reads it takes time in proportion to its length. */
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { parseKey } from '../../src/auth/api-key.ts';
import { authenticateNobody } from '../../src/auth/authenticate.ts';
import { parseTenantId } from '../../src/auth/principal.ts';
import { canonicalJson, cutText, jsonFault, parseJson } from '../../src/domain/json.ts';
import { readEventCursor } from '../../src/graphql/cursors.ts';
import { parseDocument } from '../../src/graphql/document-limits.ts';
import { parseDateTime } from '../../src/domain/instant.ts';
import { isLoopback } from '../../src/runtime/config.ts';
import { readQuery } from '../../src/server/body.ts';
import { closeReason } from '../../src/server/close-reasons.ts';
import { isForeignOrigin, isHost, isLoopbackName, namesOneHost, splitAddress } from '../../src/server/origin.ts';
import { jsonMediaType } from '../../src/server/problem.ts';
import { readSources, type SyntaxNode } from '../support/source.ts';
import { tenant } from '../support/tenants.ts';

const CHARACTERS = 1_048_576;
/** For one text; what takes time in proportion needs some milliseconds, what takes its square needs minutes. */
const MS_MAX = 1_500;

const repeated = (unit: string, end: string): string => unit.repeat(Math.ceil(CHARACTERS / unit.length)) + end;

/** Pieces that patterns and parsers repeat, each followed by an end that none of them takes. */
const UNITS = [
  'a',
  '0',
  ' ',
  '\t',
  '.',
  '-',
  ':',
  '/',
  ',',
  ';',
  '"',
  '\\',
  '[',
  '{',
  '(',
  '%',
  '&a=',
  'a.',
  'a-',
  '0.',
  '=a',
  '1e',
  '\u00e9',
  '\u{1F98A}',
  '\ud800',
];
const HOSTILE = UNITS.flatMap((unit) => [repeated(unit, ''), repeated(unit, '\u0000!')]);

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

const regexOf = (node: SyntaxNode): { pattern: string; flags: string } | null => {
  const regex = node.type === 'Literal' ? node['regex'] : null;
  return typeof regex === 'object' && regex !== null ? (regex as { pattern: string; flags: string }) : null;
};

const PATTERNS: readonly Pattern[] = readSources('src').flatMap((file) =>
  file.nodes.flatMap((node) => {
    const regex = regexOf(node);
    return regex === null ? [] : [{ source: regex.pattern, flags: regex.flags, place: `${file.path}:${file.lineOf(node)}` }];
  }),
);

const searching = createContext();

/** Whether the pattern has searched the text within the time; a search that has not is ended. */
function isFast({ source, flags }: Pick<Pattern, 'source' | 'flags'>, text: string): boolean {
  Object.assign(searching, { pattern: new RegExp(source, flags), text });
  try {
    runInContext(flags.includes('g') ? 'text.replaceAll(pattern, "")' : 'pattern.test(text)', searching, { timeout: MS_MAX });
    return true;
  } catch {
    return false;
  }
}

/** The beginnings of what the pattern itself takes are what hurts it most. */
const unitsOf = (source: string): readonly string[] =>
  [...new Set(source.match(/[A-Za-z0-9 _"'.:/-]+/g) ?? [])].filter((unit) => unit.length <= 24).slice(0, 12);

describe('patterns in the source', () => {
  test('are there', () => {
    expect(PATTERNS.length).toBeGreaterThan(20);
  });

  test.each(PATTERNS)(
    '$place takes time in proportion',
    (pattern) => {
      const texts = [...HOSTILE, ...unitsOf(pattern.source).map((unit) => repeated(unit, '\u0000!'))];
      expect(texts.filter((text) => !isFast(pattern, text)).map((text) => text.slice(0, 40))).toEqual([]);
    },
    60_000,
  );

  test('would be seen if one did not', () => {
    expect(isFast({ source: '\\s+$', flags: '' }, repeated(' ', '!'))).toBe(false);
    expect(isFast({ source: '^(a+)+$', flags: '' }, repeated('a', '!'))).toBe(false);
  });
});

const ignored =
  (read: (text: string) => unknown) =>
  (text: string): void => {
    try {
      read(text);
    } catch {
      // A refusal is an answer, too.
    }
  };

const READERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['JSON', parseJson],
  ['JSON, then its canonical form', (text) => canonicalJson(parseJson(JSON.stringify({ [text]: [text] })))],
  ['the faults of JSON', (text) => jsonFault({ [text]: text }, 32)],
  ['a document', parseDocument],
  ['a document with a text', (text) => parseDocument(`{ a(b: ${JSON.stringify(text)}) }`)],
  ['a document with a block text', (text) => parseDocument(`{ a(b: """\n ${text}""") }`)],
  ['an instant', parseDateTime],
  ['a cursor', (text) => readEventCursor(text, tenant('default'), 'after')],
  ['a tenant', parseTenantId],
  ['an API key', parseKey],
  ['who is calling', (text) => authenticateNobody({ query: text, tenants: [text], authorizations: [] })],
  ['an address', splitAddress],
  ['a query by GET', readQuery],
  ['variables by GET', (text) => readQuery(`query=a&variables=${text}`)],
  ['a host', isHost],
  ['a name of the loopback', isLoopbackName],
  ['an address of the loopback', isLoopback],
  ['hosts among headers', (text) => namesOneHost([text, text])],
  ['an origin', (text) => isForeignOrigin({ origin: text, host: 'localhost' })],
  ['the host of an origin', (text) => isForeignOrigin({ origin: 'http://localhost', host: text })],
  ['accepted types', jsonMediaType],
  ['a close reason', closeReason],
  ['a text to be cut', (text) => cutText(text, 100)],
];

describe('readers of outside text', () => {
  test.each(READERS)(
    '%s takes time in proportion',
    (_name, read) => {
      const slow = HOSTILE.filter((text) => {
        const startedAtMs = performance.now();
        ignored(read)(text);
        return performance.now() - startedAtMs > 3 * MS_MAX;
      });
      expect(slow.map((text) => text.slice(0, 40))).toEqual([]);
    },
    60_000,
  );
});
