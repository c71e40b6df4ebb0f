/** What must hold in a store at any time, whatever was done to it. */
import type { Engine } from '../../src/store/engines/engine.ts';
import { inspect, sentenceOf } from '../../src/store/inspection/inspect.ts';

export const READ_WHOLE = { after: null, before: null, limit: 1_000, fromEnd: false };

/** What does not agree, in words; empty where everything does. */
export async function inconsistencies({ db }: Pick<Engine, 'db'>): Promise<readonly string[]> {
  return (await inspect({ db, replays: true })).flatMap(({ breaches }) => breaches.map(sentenceOf));
}
