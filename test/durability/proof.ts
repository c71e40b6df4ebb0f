/** How thorough these tests are: a sample with every `npm test`, everything with `npm run prove:durability`. */

export const IS_PROOF = process.env['DURABILITY_PROOF'] === '1';

/** Figures of a proof, for the record. `began`: by performance.now(). */
export function announce(figures: string, began: number): void {
  if (IS_PROOF) process.stdout.write(`${figures} (${((performance.now() - began) / 1000).toFixed(1)} s)\n`);
}
