/** Memory without what is only waiting to be freed, so that figures of it can be compared. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'major' | 'minor' }) => void;

/** `minor`: only of what is young. */
export function collectGarbage(type: 'major' | 'minor' = 'major'): void {
  collect({ type });
}
