/** The text of an API key, `lq_<tenant>_<id>_<secret>`: how it is made, and what can be read off it. */
import type { TenantId } from '../domain/job.ts';
import { checkDigits, digest } from '../runtime/digest.ts';
import { type Entropy, mintWord } from '../runtime/entropy.ts';
import { parseTenantId } from './principal.ts';

const ID_CHARACTERS = 16;
/** 256 bits. */
const SECRET_CHARACTERS = 43;
/** Of everything before them: a key that was misspelled or cut off is refused without a look at the database. */
const CHECK_CHARACTERS = 6;
/** With the longest name of a tenant. */
const KEY_CHARACTERS_MAX = 140;
const KEY_PATTERN = /^lq_([a-z0-9-]{1,64})_([0-9A-Za-z]{16})_([0-9A-Za-z]{43})([0-9a-f]{6})$/;

export interface MintedKey {
  readonly id: string;
  /** The key itself: shown once, stored nowhere. */
  readonly text: string;
  /** What is stored of it. */
  readonly secretHash: string;
}

/** What a key says about itself. */
export interface KeyName {
  readonly tenant: TenantId;
  readonly id: string;
}

export function mintKey(entropy: Entropy, tenant: TenantId): MintedKey {
  const id = mintWord(entropy, ID_CHARACTERS);
  const start = `${keyPrefix({ tenant, id })}_${mintWord(entropy, SECRET_CHARACTERS)}`;
  const text = start + checkDigits(start, CHECK_CHARACTERS);
  return { id, text, secretHash: digest(text) };
}

/** The part of a key that may be shown, by which its holder finds it again. */
export function keyPrefix({ tenant, id }: KeyName): string {
  return `lq_${tenant}_${id}`;
}

/** The same part of a text that may be a key, without a look at the rest; empty for one that cannot be. */
export function prefixIn(text: string): string {
  return text.length > KEY_CHARACTERS_MAX ? '' : text.slice(0, Math.max(0, text.lastIndexOf('_')));
}

/** Null for a text that cannot be a key. Never throws, whatever the text. */
export function parseKey(text: string): KeyName | null {
  if (text.length > KEY_CHARACTERS_MAX) return null;
  const [, name = '', id = '', secret = '', check] = KEY_PATTERN.exec(text) ?? [];
  const tenant = parseTenantId(name);
  if (tenant === null || check !== checkDigits(`${keyPrefix({ tenant, id })}_${secret}`, CHECK_CHARACTERS)) return null;
  return { tenant, id };
}
