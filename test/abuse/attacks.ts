/** Attacks by their number: the same seed and number are the same bytes. */
import { badBody, badQuery, multipart } from './bodies.ts';
import { type Chance, chanceOf } from './chance.ts';
import { badDocument, validDocuments } from './documents.ts';
import { brokenRequest } from './requests.ts';
import { badSocket } from './sockets.ts';

export interface Attack {
  /** For whoever wants to see it again. */
  readonly name: string;
  /** What is written at once, one after the other. */
  readonly pieces: readonly Buffer[];
}

export function attacksOf(seed: number): (index: number) => Attack {
  const documents = validDocuments(seed);
  const kinds = {
    request: brokenRequest,
    body: badBody,
    document: (chance: Chance) => badDocument(chance, documents),
    query: badQuery,
    multipart,
    socket: (chance: Chance) => badSocket(chance, documents),
  } as const;
  // Some have more to be wrong than others.
  const mix = ['request', 'request', 'request', 'body', 'body', 'document', 'document', 'document', 'query', 'multipart', 'socket', 'socket'] as const;
  return (index) => {
    const chance = chanceOf(seed * 1_000_003 + index);
    const kind = chance.pick(mix);
    return { name: `${kind} ${index} of seed ${seed}`, pieces: inPieces(chance, kinds[kind](chance)) };
  };
}

function inPieces(chance: Chance, bytes: Buffer): readonly Buffer[] {
  if (chance.percent(70)) return [bytes];
  const place = chance.below(bytes.length + 1);
  return [bytes.subarray(0, place), bytes.subarray(place)];
}
