/** Everything that is measured of LeaseQueue itself, in the order of the table. */
import type { Suite } from '../row.ts';
import { ACCESS_SUITE } from './access.ts';
import { CLIENT_SUITE } from './client.ts';
import { CONSOLE_SUITE } from './consoles.ts';
import { DEPTH_SUITE } from './depth.ts';
import { EVENT_SUITE } from './events.ts';
import { FOOTPRINT_SUITE } from './footprint.ts';
import { GROWTH_SUITE } from './growth.ts';
import { CEILING_SUITE, HTTP_SUITE } from './http.ts';
import { PEER_SUITE } from './peers.ts';
import { SCREEN_SUITE } from './screens.ts';
import { SDK_SUITE } from './sdk.ts';
import { STEADINESS_SUITE } from './steadiness.ts';

/** The suites of one group are compared with each other. */
export const GROUPS: readonly (readonly Suite[])[] = [
  [CEILING_SUITE],
  [HTTP_SUITE],
  [CLIENT_SUITE, SDK_SUITE],
  [ACCESS_SUITE],
  [EVENT_SUITE],
  [STEADINESS_SUITE],
  [DEPTH_SUITE],
  [FOOTPRINT_SUITE],
  [GROWTH_SUITE],
  [CONSOLE_SUITE],
  [SCREEN_SUITE],
];

/** The same, with other queues beside what can be compared with them. */
export const GROUPS_WITH_PEERS = GROUPS.map((suites) => (suites.includes(CLIENT_SUITE) ? [...suites, PEER_SUITE] : suites));
