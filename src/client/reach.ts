/** Tells when a server that could not be reached is there again. */
import type { RetryNotice } from './caller.ts';
import type { Transport } from './transport.ts';

export interface Reach {
  readonly transport: Transport;
  readonly onRetry: (notice: RetryNotice) => void;
}

/** The same transport, which notices the first answer after a call had to be repeated. */
export function watchReach(transport: Transport, onRetry: (notice: RetryNotice) => void, onReached: () => void): Reach {
  let isAway = false;
  const noticed = <Answer extends { readonly status: number }>(answer: Answer): Answer => {
    if (isAway && answer.status < 500) {
      isAway = false;
      onReached();
    }
    return answer;
  };
  return {
    onRetry(notice) {
      isAway = true;
      onRetry(notice);
    },
    transport: { send: async (request) => noticed(await transport.send(request)), open: async (request) => noticed(await transport.open(request)) },
  };
}
