/** Chance where there may be no Node: in a browser, and in the client library. */

export interface Chance {
  /** 0 to 1, 1 excluded. */
  ratio(): number;
  /** 128 random bits in lower-case hexadecimal digits, from the platform's cryptographic source. */
  word(): string;
}

export const systemChance: Chance = {
  ratio: () => Math.random(),
  word: () => Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
};
