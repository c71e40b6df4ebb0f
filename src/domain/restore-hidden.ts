/**
 * An edited payload in which hidden values are still marks: each takes the stored value of the same place. Where there
 * is no telling which one that is, the edit is refused rather than guessed at.
 */
import type { JsonFault } from './json.ts';
import { type Hidden, isInner, visitMarks } from './redaction.ts';
import { shownKey } from './redaction-path.ts';

const FAULTS_MAX = 20;

/** Changes `given`, and answers what is wrong where anything is. */
export function restoreHidden(given: unknown, stored: unknown, hidden: Hidden): readonly JsonFault[] {
  const faults: JsonFault[] = [];
  visitMarks(given, hidden, (around, key, keys) => {
    const found = sameAt(given, stored, keys);
    if ('value' in found) Reflect.set(around, key, found.value);
    else if (faults.length < FAULTS_MAX) faults.push({ path: keys.map(shownKey), message: found.fault });
  });
  return faults;
}

const NOTHING = { fault: 'is the mark of a hidden value, and the stored payload has none there: leave it out, or write the value itself' } as const;
const OTHER_LENGTH = {
  fault: 'is the mark of a hidden value in a list whose length was changed, so that nobody can tell which one is meant: write the value itself',
} as const;

/** What is stored under the same keys; lists on the way must be as long as they were. */
function sameAt(given: unknown, stored: unknown, keys: readonly string[]): { readonly value: unknown } | typeof NOTHING | typeof OTHER_LENGTH {
  let [edited, kept] = [given, stored];
  for (const key of keys) {
    if (!isInner(kept) || !isInner(edited) || Array.isArray(kept) !== Array.isArray(edited)) return NOTHING;
    if (Array.isArray(kept) && Array.isArray(edited) && kept.length !== edited.length) return OTHER_LENGTH;
    if (!Object.hasOwn(kept, key)) return NOTHING;
    [edited, kept] = [Reflect.get(edited, key), Reflect.get(kept, key)];
  }
  return { value: kept };
}
