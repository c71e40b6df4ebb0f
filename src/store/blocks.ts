/** Things in blocks of few sizes: for what is done with many at once by a statement that is kept for each size. */

const SIZES = [64, 32, 16, 8, 4, 2, 1] as const;

/** All of them in their order, in the largest blocks that there are. */
export function inBlocks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const blocks: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += blocks.at(-1)?.length ?? 1) {
    const left = items.length - from;
    blocks.push(items.slice(from, from + (SIZES.find((size) => size <= left) ?? 1)));
  }
  return blocks;
}
