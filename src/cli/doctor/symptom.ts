/** One line of the doctor's list. */

export interface Symptom {
  readonly level: 'ok' | 'warn' | 'bad';
  readonly about: string;
  /** What was found. */
  readonly found: string;
  /** What to do; null where nothing is. */
  readonly advice: string | null;
}

export function ok(about: string, found: string): Symptom {
  return { level: 'ok', about, found, advice: null };
}

export function warn(about: string, found: string, advice: string): Symptom {
  return { level: 'warn', about, found, advice };
}

export function bad(about: string, found: string, advice: string): Symptom {
  return { level: 'bad', about, found, advice };
}
