/** The client of a command, from the connection that its flags name. */
import { LeaseQueue, type LeaseQueueOptions } from '../client/client.ts';
import { parseJson } from '../domain/json.ts';
import type { Connection } from './connection.ts';

/** Numbers of payloads and results keep their digits. */
export function clientOf({ url, apiKey, tenant }: Connection, options: LeaseQueueOptions = {}): LeaseQueue {
  return new LeaseQueue({ url, apiKey, tenant, parseJson, ...options });
}
