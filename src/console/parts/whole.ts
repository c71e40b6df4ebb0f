/** Whole numbers as people type them into a form: an empty text says nothing. */

/** Why the text is none from `min` to `max`; null where it is, or where nothing was typed. */
export function wholeFault(text: string, min: number, max: number): string | null {
  const typed = text.trim();
  if (typed === '') return null;
  if (!/^[+-]?\d+$/.test(typed)) return `is no whole number: ${min} to ${max}`;
  const value = Number(typed);
  return value < min || value > max ? `must be ${min} to ${max}` : null;
}

/** Null where nothing was typed. Needs a text without a fault. */
export function wholeOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
