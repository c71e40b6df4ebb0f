/** Chance, as everything else gets it. */
import { randomBytes } from 'node:crypto';

export interface Entropy {
  bytes(count: number): Uint8Array;
  /** 0 to 1, 1 excluded. */
  ratio(): number;
}

/** Drawn at once: one draw of many bytes costs little more than one of a few. */
const POOL_BYTES = 4_096;

function createPool(): (count: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (count) => {
    if (count > POOL_BYTES) return randomBytes(count);
    if (used + count > pool.length) [pool, used] = [randomBytes(POOL_BYTES), 0];
    // A copy: `slice` of what randomBytes gives would be a view, and be wiped with the next line.
    const bytes = new Uint8Array(pool.subarray(used, used + count));
    // What was handed out once must not be found in memory again.
    pool.fill(0, used, used + count);
    used += count;
    return bytes;
  };
}

export const systemEntropy: Entropy = {
  bytes: createPool(),
  ratio: () => Math.random(),
};

/** A secret of 256 bits, safe in a URL. */
export function mintSecret(entropy: Entropy): string {
  return Buffer.from(entropy.bytes(32)).toString('base64url');
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The most whole alphabets that a byte can tell: what is beyond would favour the first characters. */
const FAIR_BYTES = 256 - (256 % ALPHANUMERIC.length);

/** Random letters and digits, each as likely as the next: 5.95 bits a character. */
export function mintWord(entropy: Entropy, characters: number): string {
  let word = '';
  while (word.length < characters) {
    for (const byte of entropy.bytes(characters - word.length)) if (byte < FAIR_BYTES) word += ALPHANUMERIC[byte % ALPHANUMERIC.length];
  }
  return word;
}

/** Of the number that an id ends with: twelve hexadecimal digits, from this character on. */
const ID_NUMBER_MAX = 2 ** 48 - 1;
const ID_NUMBER_AT = 24;

/**
 * Makes UUIDs of version 7 (RFC 9562 section 5.7, method 1 of section 6.2) that grow with every call of one
 * process, also within a millisecond and when the clock steps back: ids then go on from the last instant. Their last
 * group is the number that the caller gives, as the other counters of section 6.2, and 14 bits are random.
 */
export function createIdMaker(entropy: Entropy): (nowMs: number, number: number) => string {
  const random = randomGroups(entropy);
  let lastMs = 0;
  let time = '';
  let counter = 0;
  return (nowMs, number) => {
    if (number > ID_NUMBER_MAX) throw new RangeError(`${number} does not fit into an id`);
    if (nowMs > lastMs || ++counter > 0xfff) {
      lastMs = Math.max(nowMs, lastMs + 1);
      const digits = lastMs.toString(16).padStart(12, '0');
      time = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
      counter = 0;
    }
    return `${time}${counter.toString(16).padStart(3, '0')}-${random()}-${number.toString(16).padStart(12, '0')}`;
  };
}

/** The number that an id ends with; null for a text that is no such id. */
export function numberInId(id: string): number | null {
  const digits = id.slice(ID_NUMBER_AT);
  return /^[\da-f]{12}$/.test(digits) ? Number.parseInt(digits, 16) : null;
}

/** Ids for which chance is drawn at once. */
const GROUPS_AT_ONCE = 256;

/** The random group of an id, with the variant of RFC 9562 section 4.1 as its first two bits. */
function randomGroups(entropy: Entropy): () => string {
  let digits = '';
  return () => {
    if (digits === '') digits = Buffer.from(entropy.bytes(2 * GROUPS_AT_ONCE)).toString('hex');
    const [first, rest] = [Number.parseInt(digits.slice(0, 1), 16), digits.slice(1, 4)];
    digits = digits.slice(4);
    return `${VARIANT_DIGITS[first & 3] ?? ''}${rest}`;
  };
}
const VARIANT_DIGITS = '89ab';
