/** Paths of redaction rules: keys joined by dots, where `*` is any key of its level and `**` any number of levels. */
import { LIMITS } from './limits.ts';

export type PathStep = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'any' } | { readonly kind: 'deep' };

const ANY = { kind: 'any' } as const;
const DEEP = { kind: 'deep' } as const;
/** A character with the backslash before it, a dot, or any other character. */
const PIECE = /\\(?<escaped>[^])|(?<dot>\.)|(?<plain>[^])/gu;

/** The steps of a path, or what is wrong with it, after "must". A backslash takes the meaning from `.`, `*` and itself. */
export function parsePath(path: string): readonly PathStep[] | string {
  const { redactionPathCharactersMax: charactersMax, redactionPathKeysMax: keysMax } = LIMITS;
  if (!path.isWellFormed() || path.length === 0 || path.length > charactersMax) return `be 1 to ${charactersMax} characters of well-formed text`;
  const names = split(path);
  if (names.length > keysMax) return `have 1 to ${keysMax} keys`;
  const steps: PathStep[] = [];
  for (const { text, isStar } of names) {
    if (text === '') return 'name a key between its dots';
    if (!isStar) steps.push({ kind: 'key', key: text });
    else if (text === '*' || text === '**') steps.push(text === '*' ? ANY : DEEP);
    else return 'have * and ** only in place of a whole key; write \\* for the character';
  }
  return steps.filter(({ kind }) => kind === 'deep').length > 1 ? 'have ** once at most' : steps;
}

interface Name {
  text: string;
  /** It holds a star that no backslash stands before. */
  isStar: boolean;
}

function split(path: string): readonly Name[] {
  let name: Name = { text: '', isStar: false };
  const names = [name];
  for (const { groups = {} } of path.matchAll(PIECE)) {
    const { escaped, dot, plain } = groups;
    if (dot !== undefined) names.push((name = { text: '', isStar: false }));
    else {
      name.text += escaped ?? plain ?? '';
      if (plain === '*') name.isStar = true;
    }
  }
  return names;
}

/** The keys as such a path. Long ones are data rather than names, and left out. */
export function printPath(keys: readonly string[]): string {
  return keys.map((key) => shownKey(key).replaceAll(/[\\.*]/g, '\\$&')).join('.');
}

export function shownKey(key: string): string {
  return key.length <= LIMITS.nameCharactersMax ? key : '…';
}
