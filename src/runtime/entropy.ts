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

/**
 * Makes UUIDs of version 7 (RFC 9562 section 5.7, method 1 of section 6.2) that grow with every call of one
 * process, also within a millisecond and when the clock steps back: ids then go on from the last instant.
 */
export function createIdMaker(entropy: Entropy): (nowMs: number) => string {
  let lastMs = 0;
  let counter = 0;
  return (nowMs) => {
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = 0;
    } else if (++counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
    const random = Buffer.from(entropy.bytes(8));
    random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
    const tail = random.toString('hex');
    const time = lastMs.toString(16).padStart(12, '0');
    const count = counter.toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}
