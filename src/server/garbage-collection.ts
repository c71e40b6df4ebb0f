/** How V8 collects the garbage of a server. Set by the process itself, so that it is the same however the server is started. */
import { setFlagsFromString } from 'node:v8';

/**
 * Whatever waits for a commit survives the collections meanwhile, so that V8 makes more of its kind in the old space from
 * then on ("pretenuring"). There they last until the whole heap is collected, with everything that they refer to: up to a
 * sixth of all that is made, and a collection of the whole heap for every ten thousand requests.
 */
const WITHOUT_PRETENURING = '--no-allocation-site-pretenuring';
/** The threads that would help to collect what is young take the core that clients use. */
const BY_THE_MAIN_THREAD = '--no-parallel-scavenge';

/** Of this process, from now on: to be called before any request. V8 reads both anew at each collection. */
export function setGarbageCollection(): void {
  for (const flag of [WITHOUT_PRETENURING, BY_THE_MAIN_THREAD]) setFlagsFromString(flag);
}
