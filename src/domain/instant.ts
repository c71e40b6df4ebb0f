/** Instants as people and machines write them. */

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;
const ISO_CHARACTERS = '2026-03-01T12:00:00.000Z'.length;

/** Epoch milliseconds of RFC 3339 text with a zone, finer digits cut off; null where it is not the text of an instant. */
export function parseDateTime(text: string): number | null {
  const [, date, hour, minute, second, fraction = '', sign = '+', zoneHours = '00', zoneMinutes = '00'] = DATE_TIME.exec(text) ?? [];
  const localMs = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // A day that its month does not have parses as one of the next month, and prints differently.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString().slice(0, 10) !== date) return null;
  const zoneMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  const ms = sign === '-' ? localMs + zoneMs : localMs - zoneMs;
  return new Date(ms).toISOString().length === ISO_CHARACTERS ? ms : null;
}
