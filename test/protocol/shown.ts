/** Compares what a page shows with what a server answered, as far as it is the same each time. */

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A whole number that a double would change. */
const LONG_NUMBER = /([:[,]\s*)(\d{16,})/g;
/** A second or a few go by between two commands. */
const SECONDS_OF_LEASE_GONE_MAX = 5;

/** JSON, in which long numbers are kept digit for digit. */
export function parsed(text: string): unknown {
  return JSON.parse(text.replace(LONG_NUMBER, '$1"$2"'));
}

/** What `…` stands for on one page: a text that is shown twice stands for one value, another text for another one. */
export class Stand {
  readonly #values = new Map<string, string>();

  /** Every place where they differ. */
  differences(shown: unknown, got: unknown, path = ''): readonly string[] {
    if (typeof shown === 'string' && typeof got === 'string') return this.#fits(shown, got) ? [] : [`${path}: ${got} is not ${shown}`];
    if (typeof shown === 'object' && shown !== null && typeof got === 'object' && got !== null) {
      const names = [...new Set([...Object.keys(shown), ...Object.keys(got)])];
      return names.flatMap((name) => this.differences(Reflect.get(shown, name), Reflect.get(got, name), `${path}/${name}`));
    }
    if (path.endsWith('/leaseSeconds') && Math.abs(Number(shown) - Number(got)) <= SECONDS_OF_LEASE_GONE_MAX) return [];
    return shown === got ? [] : [`${path}: ${String(got)} is not ${String(shown)}`];
  }

  #fits(shown: string, got: string): boolean {
    if (INSTANT.test(shown)) return INSTANT.test(got);
    const [start = '', name] = shown.split('…');
    if (name === undefined) return shown === got;
    if (!got.startsWith(start) || got.length <= start.length) return false;
    return name === '' || this.#isTheSame(shown, got);
  }

  #isTheSame(shown: string, got: string): boolean {
    const known = this.#values.get(shown);
    if (known !== undefined) return known === got;
    if ([...this.#values.values()].includes(got)) return false;
    this.#values.set(shown, got);
    return true;
  }
}
