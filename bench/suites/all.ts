/** Everything that is measured of LeaseQueue itself, in the order of the table. */
import type { Suite } from '../row.ts';
import { CLIENT_SUITE } from './client.ts';
import { EVENT_SUITE } from './events.ts';
import { CEILING_SUITE, HTTP_SUITE } from './http.ts';

export const SUITES: readonly Suite[] = [CEILING_SUITE, HTTP_SUITE, CLIENT_SUITE, EVENT_SUITE];
