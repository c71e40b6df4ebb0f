/** Whether a value holds what is expected of it, and where it does not. */

/** Objects may have more members than expected; everything else has to be equal. */
export function holds(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && actual.length === expected.length && expected.every((item, index) => holds(actual[index], item));
  }
  if (!isObject(expected)) return Object.is(actual, expected);
  return isObject(actual) && Object.entries(expected).every(([name, value]) => Object.hasOwn(actual, name) && holds(actual[name], value));
}

/** The value without what nobody expects anything of, so that a difference shows only what differs. */
export function relevantPart(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.map((item, index) => relevantPart(item, expected[index]));
  if (!isObject(actual) || !isObject(expected)) return actual;
  const names = Object.keys(expected).filter((name) => Object.hasOwn(actual, name));
  return Object.fromEntries(names.map((name) => [name, relevantPart(actual[name], expected[name])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
