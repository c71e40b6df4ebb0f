/** What the load process can do, by name. */
import { appendLoad, sqliteLoad } from './ceilings.ts';
import { depthLoad, seedPlaces } from './depth-load.ts';
import { httpLoad } from './http-load.ts';
import { mixedLoad } from './mixed-load.ts';
import { closeConsoles, consoleUsage, openConsoles } from './open-consoles.ts';
import { fanOut, follow, unfollow } from './subscribers.ts';
import { bulkLoad, drainLoad, fillLoad, latencyLoad, processLoad, settingsOf, submitLoad, togetherLoad } from './workloads.ts';

export const TASKS = {
  append: appendLoad,
  sqlite: sqliteLoad,
  http: httpLoad,
  submit: submitLoad,
  bulk: bulkLoad,
  process: processLoad,
  fill: fillLoad,
  drain: drainLoad,
  together: togetherLoad,
  latency: latencyLoad,
  settings: settingsOf,
  depth: depthLoad,
  seed: seedPlaces,
  follow,
  unfollow,
  fanOut,
  mixed: mixedLoad,
  openConsoles,
  consoleUsage,
  closeConsoles,
};
export type Tasks = typeof TASKS;
