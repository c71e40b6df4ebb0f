/** Digests, and the only comparison of secrets. */
import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of the bytes, of a text's UTF-8, in base64url (43 characters). Secrets are stored and compared in this form only. */
export function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url');
}

/** Compares two digests in constant time. Never throws, whatever the texts. */
export function equalDigests(left: string, right: string): boolean {
  const a = Buffer.from(left, 'utf8');
  const b = Buffer.from(right, 'utf8');
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The first digits (hexadecimal, lower case) of the text's SHA-256: a name for whatever the text describes. */
export function hexDigest(text: string, digits: number): string {
  return hash('sha256', text, 'hex').slice(0, digits);
}

/** A few digits (hexadecimal, lower case) that tell most misspellings of a text apart from it. */
export function checkDigits(text: string, count: number): string {
  return hexDigest(text, count);
}
