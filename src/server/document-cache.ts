/**
 * What is known of documents by their text, for the texts that were asked for last. Bounded by characters rather than
 * entries, because a parsed document takes some sixty times the memory of its text: clients that vary their documents
 * cost parsing, but no memory.
 */

/** Longer texts are rare, and have values inside that are different each time. */
const TEXT_CHARACTERS_MAX = 8_192;
const GENERATION_CHARACTERS_MAX = 250_000;
/** What any entry counts beside its text. */
const ENTRY_CHARACTERS = 250;

export class DocumentCache<Value> {
  // What is asked for is in the young generation or moves there. When that is full it becomes the old one, and the old
  // one goes: one look-up for what is asked for often, where a list in order of use would take four.
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #youngCharacters = 0;

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(text: string): Value | undefined {
    const value = this.#young.get(text);
    if (value !== undefined) return value;
    const older = this.#old.get(text);
    if (older !== undefined) this.set(text, older);
    return older;
  }

  set(text: string, value: Value): void {
    if (text.length > TEXT_CHARACTERS_MAX) return;
    this.#old.delete(text);
    if (!this.#young.has(text)) this.#youngCharacters += text.length + ENTRY_CHARACTERS;
    this.#young.set(text, value);
    if (this.#youngCharacters < GENERATION_CHARACTERS_MAX) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngCharacters = 0;
  }
}
