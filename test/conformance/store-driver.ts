/** Drives the store itself, on SQLite in memory. */
import { openTestStore } from '../support/store.ts';
import type { DriverMaker } from './driver.ts';
import { repositoryDriver } from './repository-driver.ts';

export const storeDriver: DriverMaker = {
  name: 'the store',
  async make() {
    const { store, clock } = await openTestStore();
    return repositoryDriver(store, clock);
  },
};
