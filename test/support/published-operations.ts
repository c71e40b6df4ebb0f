/** The documents of the clients, as they are published. */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../schema/operations/', import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

const FRAGMENTS_NAME = 'fragments.graphql';
/** What the others share. */
export const FRAGMENTS = textOf(FRAGMENTS_NAME);

export interface PublishedDocument {
  /** Path below `schema/operations`. */
  readonly name: string;
  readonly text: string;
}

export const PUBLISHED: readonly PublishedDocument[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.graphql') && name !== FRAGMENTS_NAME)
  .toSorted()
  .map((name) => ({ name, text: textOf(name) }));
