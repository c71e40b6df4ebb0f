/**
 * Looks through whatever servers under test let out, as it leaves them, for secrets that were minted or sent in the same
 * run. Each kind of secret has the places where it may be; anywhere else it is a leak.
 */

/** `wire`: bytes to a client, of any transport. `log`: lines of the log and whatever else a process prints. */
export type Outlet = 'wire' | 'log';

interface Kind {
  /** What stands before it where it may be on the wire. Absent: nowhere. In the log nothing may be anywhere. */
  readonly allowed?: RegExp;
}
const KINDS = {
  /** In the answer to its claim, under the field's name or under an alias of the generated documents. */
  leaseToken: { allowed: /"(?:leaseToken|a\d+)":"$/ },
  /** In the answer that makes the key, and in the cookie that keeps a browser signed in. */
  apiKey: { allowed: /(?:"secret":"|\bset-cookie: leasequeue_session=)$/i },
  idempotencyKey: {},
  requestId: {},
  /** Of payloads, results and details of errors; on the wire it is looked for by tests of its own, since most keys may read it. */
  content: {},
} as const satisfies Readonly<Record<string, Kind>>;
type KindName = keyof typeof KINDS;

export interface Leak {
  readonly outlet: Outlet;
  readonly kind: KindName;
  /** The secret with what is around it. */
  readonly excerpt: string;
}

const TOKEN_BYTES = 32;
const TOKEN_CHARACTERS = 43;
const MAYBE_TOKEN = /[\w-]{43,}/g;
const KEY_START = 'lq_';
const KEY = /lq_[a-z0-9-]{1,64}_[0-9A-Za-z]{16}_[0-9A-Za-z]{43}[0-9a-f]{6}/g;
/** Shorter texts are words that are found by chance. */
const SENT = /^[\w-]{8,128}$/;
const OF_A_WORD = /[\w-]/;
const AROUND = 40;
/** As much of what was sent before as a secret and its place can reach back. */
const CARRIED = 400;

const tokens = new Set<string>();
/** Whether a token may begin with these four characters: to look up each place of a long text would take too long. */
const beginnings = new Uint8Array(0x1_0000);
const sent = new Map<string, KindName>();
const found: Leak[] = [];
const left = new Set<KindName>();

/** For a file of tests that sends secrets of these kinds in places from which the server repeats what it got, such as ids: it has to look at the wire itself. */
export function leaveTheWire(...kinds: readonly KindName[]): void {
  for (const kind of kinds) left.add(kind);
}

/** Every secret of 256 bits that was drawn. */
export function noteDrawn(bytes: Uint8Array): void {
  if (bytes.length === TOKEN_BYTES) noteToken(Buffer.from(bytes).toString('base64url'));
}

function noteToken(token: string): void {
  tokens.add(token);
  beginnings[beginning(token, 0)] = 1;
}

function beginning(text: string, at: number): number {
  return (((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) & 0xffff;
}

const FIELDS: Readonly<Record<string, KindName>> = {
  idempotencyKey: 'idempotencyKey',
  requestId: 'requestId',
  payload: 'content',
  result: 'content',
  details: 'content',
};
const LITERAL = /(idempotencyKey|requestId): *"([^"]*)"/g;

/** What a client sends, by the names of the fields it is in. */
export function noteSent(body: string): void {
  for (const [, name = '', value = ''] of body.replaceAll('\\"', '"').matchAll(LITERAL)) note(FIELDS[name] ?? 'content', value);
  if (body.startsWith('{')) walk(parsed(body), null);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function walk(value: unknown, kind: KindName | null): void {
  if (typeof value === 'string') return kind === null ? undefined : note(kind, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) walk(child, kind ?? FIELDS[name] ?? null);
}

function note(kind: KindName, value: string): void {
  if (SENT.test(value) && !sent.has(value)) sent.set(value, kind);
}

/** Tokens that another process minted. */
export function noteAnswer(text: string): void {
  for (const [, token = ''] of text.matchAll(/"leaseToken":"([\w-]{43})"/g)) noteToken(token);
}

interface Sighting {
  readonly kind: KindName;
  readonly from: number;
  readonly to: number;
}

/** Looks at a text that leaves. One that goes on where another ended is given the end of that as `before`; answers its own. */
export function lookAt(outlet: Outlet, text: string, before = ''): string {
  const whole = before + text;
  for (const sighting of [...tokensIn(whole), ...keysIn(whole), ...sentWordsIn(whole, outlet)]) {
    // What ended in the text before was judged with it.
    if (sighting.to > before.length && !isAllowed(outlet, sighting, whole)) found.push({ outlet, kind: sighting.kind, excerpt: around(whole, sighting) });
  }
  // A slice would keep the whole text in memory.
  return Buffer.from(whole.slice(-CARRIED), 'latin1').toString('latin1');
}

function* tokensIn(whole: string): Generator<Sighting> {
  for (const { index, 0: run } of whole.matchAll(MAYBE_TOKEN)) {
    for (let from = 0; from <= run.length - TOKEN_CHARACTERS; from++) {
      if (beginnings[beginning(run, from)] === 0) continue;
      const to = from + TOKEN_CHARACTERS;
      if (tokens.has(run.slice(from, to))) yield { kind: 'leaseToken', from: index + from, to: index + to };
    }
  }
}

function* keysIn(whole: string): Generator<Sighting> {
  if (!whole.includes(KEY_START)) return;
  for (const { index, 0: key } of whole.matchAll(KEY)) yield { kind: 'apiKey', from: index, to: index + key.length };
}

function* sentWordsIn(whole: string, outlet: Outlet): Generator<Sighting> {
  for (const [word, kind] of sent) {
    if (outlet === 'wire' && kind === 'content') continue;
    for (let from = whole.indexOf(word); from !== -1; from = whole.indexOf(word, from + 1)) {
      const to = from + word.length;
      if (!OF_A_WORD.test(whole.charAt(from - 1)) && !OF_A_WORD.test(whole.charAt(to))) yield { kind, from, to };
    }
  }
}

function isAllowed(outlet: Outlet, { kind, from }: Sighting, whole: string): boolean {
  if (outlet === 'log') return false;
  if (left.has(kind)) return true;
  const { allowed }: Kind = KINDS[kind];
  return allowed?.test(whole.slice(Math.max(0, from - AROUND), from)) ?? false;
}

function around(whole: string, { from, to }: Sighting): string {
  return whole.slice(Math.max(0, from - AROUND), to + AROUND);
}

/** Every leak since the last call. */
export function takeLeaks(): readonly Leak[] {
  return found.splice(0);
}
