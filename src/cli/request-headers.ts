/** The headers by which a server knows who asks. */
import type { Connection } from './connection.ts';

export function requestHeaders({ apiKey, tenant }: Pick<Connection, 'apiKey' | 'tenant'>): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    ...(tenant !== null && { 'x-leasequeue-tenant': tenant }),
  };
}
