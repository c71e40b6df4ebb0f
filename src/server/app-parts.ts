/** What a server is made of: whatever differs between one that runs and one under test is given, not found. */
import type { Authenticate } from '../auth/authenticate.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Entropy } from '../runtime/entropy.ts';
import type { Logger } from '../runtime/logger.ts';
import type { LeaseRepository } from '../store/housekeeping.ts';
import type { NetworkLimits } from './network-limits.ts';

export interface AppParts {
  readonly config: Config;
  readonly store: LeaseRepository;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Logger;
  /** A socket that does not answer a ping is ended at the next one. Absent: 12 s. */
  readonly pingEveryMs?: number;
  /** Absent: as the limits say. */
  readonly network?: Partial<NetworkLimits>;
  /** False: every request goes through yoga's own handler and executor, which tests hold the short way to. Absent: true. */
  readonly shortWay?: boolean;
  /** Tells who is calling, over every transport. Absent: as the settings say. */
  readonly authenticate?: Authenticate;
}
