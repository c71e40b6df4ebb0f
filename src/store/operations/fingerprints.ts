/** Digests by which a submission is known again, and what differs where another one comes under its key. */
import { canonicalRequest, FINGERPRINT_FIELDS, type FingerprintField, fingerprintText, type SubmitRequest, USUAL_REQUEST } from '../../domain/idempotency.ts';
import { digest } from '../../runtime/digest.ts';

/** Of a field that differs, to name it: six characters tell a million million apart. */
const FIELD_CHARACTERS = 6;

function shortDigest(text: string): string {
  return digest(text).slice(0, FIELD_CHARACTERS);
}

const NAMES_MAX = 1_000;
const digestsOfNames = new Map<string, string>();

/** Of texts that come again and again. */
function nameDigest(name: string): string {
  const known = digestsOfNames.get(name);
  if (known !== undefined) return known;
  if (digestsOfNames.size >= NAMES_MAX) digestsOfNames.clear();
  const fresh = shortDigest(name);
  digestsOfNames.set(name, fresh);
  return fresh;
}

/** Digest of the whole, then a short one of each field that is not as it usually is, which names what differs. */
export function fingerprintOf(request: SubmitRequest): string {
  const canonical = canonicalRequest(request);
  let fingerprint = digest(fingerprintText(canonical));
  for (const field of FINGERPRINT_FIELDS) {
    const text = canonical[field];
    fingerprint += '.';
    if (text !== USUAL_REQUEST[field]) fingerprint += field === 'queue' || field === 'task' ? nameDigest(text) : shortDigest(text);
  }
  return fingerprint;
}

export function isSameRequest(left: string, right: string): boolean {
  return left.split('.', 1)[0] === right.split('.', 1)[0];
}

export function differingFields(left: string, right: string): readonly string[] {
  const [, ...leftFields] = left.split('.');
  const [, ...rightFields] = right.split('.');
  return FINGERPRINT_FIELDS.filter((field, index) => fieldDigest(field, leftFields[index]) !== fieldDigest(field, rightFields[index]));
}

/** Earlier ones are longer, and written out for usual fields too. */
function fieldDigest(field: FingerprintField, written = ''): string {
  return written === '' ? shortDigest(USUAL_REQUEST[field]) : written.slice(0, FIELD_CHARACTERS);
}
