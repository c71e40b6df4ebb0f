/** Results of an operation as server-sent events, in the distinct-connections mode of the GraphQL over SSE protocol. */
import type { ExecutionResult } from 'graphql';
import { formatError } from '../graphql/outcome.ts';

export const COMPLETE = 'event: complete\ndata:\n\n';

/** A result as an event of the stream. */
export function eventText(result: ExecutionResult): Buffer {
  const told = result.errors === undefined ? result : { ...result, errors: result.errors.map(formatError) };
  return Buffer.from(`event: next\ndata: ${JSON.stringify(told)}\n\n`);
}
