/** Which form of a file a client gets, by what it says it can decode (RFC 9110, 12.5.3). */

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/** Null: as it is, which whoever wants nothing else gets too. */
export function chooseEncoding(acceptEncoding: string | undefined, has: (encoding: ContentEncoding) => boolean): ContentEncoding | null {
  if (acceptEncoding === undefined) return null;
  const weights = weightsOf(acceptEncoding);
  const weightOf = (name: string, otherwise: number): number => weights.get(name) ?? weights.get('*') ?? otherwise;
  const asItIs = weights.get('identity') ?? 0;
  const [best] = ENCODINGS.filter((name) => has(name) && weightOf(name, 0) > 0 && weightOf(name, 0) >= asItIs).toSorted(
    (left, right) => weightOf(right, 0) - weightOf(left, 0),
  );
  return best ?? null;
}

function weightsOf(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((entry): [string, number] => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
      return [name === 'x-gzip' ? 'gzip' : name, weight >= 0 && weight <= 1 ? weight : 0];
    }),
  );
}
