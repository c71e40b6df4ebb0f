/** What a page shows of a terminal, against what the terminal printed. */

/** A text with a letter behind it, such as `01a2…a`: the same value wherever it is shown. */
const NAMED = /[\w-]*…[a-z]\b/g;
const ANY_LINES = '…';

const squeezed = (line: string): string => line.trim().replaceAll(/\s+/g, ' ');
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(squeezed)
    .filter((line) => line !== '');
const quoted = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Compares word by word; `…` stands for any text, and for any lines where it stands alone. */
export class ShownOutput {
  readonly #values = new Map<string, string>();

  /** The first line of what is shown that was not printed in its place, or what was printed beyond; null where they agree. */
  difference(shown: string, printed: string): string | null {
    const [wanted, got] = [linesOf(shown), linesOf(printed)];
    let at = 0;
    for (const [index, line] of wanted.entries()) {
      if (line === ANY_LINES) {
        const next = wanted[index + 1];
        if (next === undefined) return null;
        while (at < got.length && !this.#fits(next, got[at] ?? '')) at += 1;
      } else if (!this.#fits(line, got[at++] ?? '')) return `${got[at - 1] ?? 'nothing'} is not ${line}`;
    }
    return at < got.length ? `${got[at]} is not shown` : null;
  }

  /** Keeps what named texts stand for, once a line fits. */
  #fits(shown: string, got: string): boolean {
    const names = shown.match(NAMED) ?? [];
    const pattern = shown.split(NAMED).map((part) => quoted(part).replaceAll('…', '.*'));
    const values = names.map((name) => quoted(name.slice(0, name.indexOf('…'))) + String.raw`[\w-]+`);
    const found = new RegExp(`^${pattern.map((part, index) => part + (values[index] === undefined ? '' : `(${values[index]})`)).join('')}$`).exec(got);
    if (found === null || names.some((name, index) => !this.#isTheSame(name, found[index + 1] ?? ''))) return false;
    for (const [index, name] of names.entries()) this.#values.set(name, found[index + 1] ?? '');
    return true;
  }

  #isTheSame(name: string, value: string): boolean {
    const known = this.#values.get(name);
    return known === undefined ? ![...this.#values.values()].includes(value) : known === value;
  }
}
