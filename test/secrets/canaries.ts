/** Recognisable values for everything that nobody else may read, and the search for them, however they are written. */

/** One of each kind that a client chooses. Keys and tokens are the server's own and join them when they are made. */
export const CANARIES = {
  idempotencyKey: 'canary-idempotency-8Rk2wVt0',
  requestId: 'canary-request-5Yq1nLz7',
  payload: 'canary-payload-3Hc9xPd4',
  result: 'canary-result-6Wm8bJf2',
  details: 'canary-details-1Tg5vNs9',
  errorMessage: 'canary-message-7Zr4kQh6',
} as const;
export type Kind = keyof typeof CANARIES | 'apiKey' | 'leaseToken';
export type Secrets = Map<string, Kind>;

export const newSecrets = (): Secrets => new Map(Object.entries(CANARIES).map(([kind, value]) => [value, kind as Kind]));

/** The text itself, and what base64 and percent signs make of it. */
function spellings(secret: string): readonly string[] {
  // In base64 the same bytes look different at each of three places.
  const encoded = [0, 1, 2].flatMap((before) => {
    const text = Buffer.from('x'.repeat(before) + secret).toString('base64');
    const whole = text.replace(/=+$/, '').slice(before === 0 ? 0 : 4, -4);
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set([secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...encoded])];
}

/** Kinds of the secrets that the text holds, in whichever spelling. */
export function kindsIn(text: string, secrets: Secrets): readonly Kind[] {
  return [...secrets].filter(([secret]) => spellings(secret).some((spelling) => text.includes(spelling))).map(([, kind]) => kind);
}

/** Where in an answer of JSON a secret stands: its kind, and the names on the way to it. */
export function placesIn(value: unknown, secrets: Secrets, path: readonly string[] = []): readonly string[] {
  if (typeof value === 'string') return kindsIn(value, secrets).map((kind) => `${kind} in ${path.join('.')}`);
  if (Array.isArray(value)) return value.flatMap((item: unknown) => placesIn(item, secrets, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    ...kindsIn(name, secrets).map((kind) => `${kind} as a name in ${path.join('.')}`),
    ...placesIn(child, secrets, [...path, name]),
  ]);
}
