/** The client of a command. Loaded when one is needed: help and completion need none. */
import { LeaseQueue, type LeaseQueueOptions } from '../client/index.ts';
import { parseJson } from '../domain/json.ts';
import type { Connection } from './connection.ts';

/** Numbers keep their digits. */
export function clientOf({ url, apiKey, tenant }: Connection, options: LeaseQueueOptions): LeaseQueue {
  return new LeaseQueue({ url, apiKey, tenant, parseJson, ...options });
}
