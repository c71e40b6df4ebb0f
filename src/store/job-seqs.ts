/** The jobs that the items of a call became, as a short text: most calls make theirs one after the other. */

/** Numbers of jobs by the places of their items; null where an item became none. */
export type JobSeqs = readonly (number | null)[];

/** `first+count` for jobs that were made one after the other, `-count` for items that became none. */
export function textOf(seqs: JobSeqs): string {
  const runs: { readonly first: number | null; count: number }[] = [];
  for (const seq of seqs) {
    const run = runs.at(-1);
    const next = run === undefined || run.first === null ? null : run.first + run.count;
    if (run !== undefined && seq === next) run.count += 1;
    else runs.push({ first: seq, count: 1 });
  }
  return runs.map(({ first, count }) => (first === null ? `-${count}` : `${first}+${count}`)).join(' ');
}

export function seqsOf(text: string): JobSeqs {
  return text.split(' ').flatMap((run) => {
    const [first, count] = run.startsWith('-') ? [null, run.slice(1)] : run.split('+');
    return Array.from({ length: Number(count) }, (_, index) => (first === null ? null : Number(first) + index));
  });
}
