/** Drives the model, which must pass every scenario that a real queue must pass. */
import { RETENTION } from '../support/job-factory.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { DriverMaker } from './driver.ts';
import { ModelQueue } from './model.ts';
import { repositoryDriver } from './repository-driver.ts';

export const modelDriver: DriverMaker = {
  name: 'the model',
  async make() {
    const clock = new ManualClock();
    return repositoryDriver(new ModelQueue(clock, RETENTION), clock);
  },
};
