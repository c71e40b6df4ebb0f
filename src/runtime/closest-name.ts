/** Which of the known names a misspelt one was probably meant to be. */

/** Changed, missing or surplus characters up to which a name counts as a misspelling. */
const DISTANCE_MAX = 4;

/** The nearest of `known`, or null where none is near. */
export function closestName(name: string, known: readonly string[]): string | null {
  const ranked = known.map((candidate) => ({ candidate, distance: editDistance(name, candidate) })).toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= DISTANCE_MAX ? best.candidate : null;
}

/** Levenshtein's, row by row. */
function editDistance(from: string, to: string): number {
  const first = Array.from({ length: to.length + 1 }, (_, index) => index);
  const last = [...from].reduce((above, character, rowIndex) => {
    const row = [rowIndex + 1];
    for (const [index, other] of [...to].entries()) {
      const replaced = (above[index] ?? 0) + (character === other ? 0 : 1);
      row.push(Math.min(replaced, (above[index + 1] ?? 0) + 1, (row[index] ?? 0) + 1));
    }
    return row;
  }, first);
  return last[to.length] ?? 0;
}
