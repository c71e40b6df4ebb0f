/** The answer to bytes that are no request, or that came too slowly to be one. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '../domain/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AnswersOwed, Exchanged } from './answers-owed.ts';
import { type Problem, PROBLEMS, rawAnswer } from './problem.ts';

/** A client that is still sending reads the answer only if the connection stays open for a moment. */
export const LINGER_MS = 500;

const PROBLEMS_BY_CODE: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
    message: `The request line and the headers are larger than ${LIMITS.requestHeaderBytesMax} bytes.`,
    extensions: { max: LIMITS.requestHeaderBytesMax },
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time.' },
};

/** Answers for the server what Node cannot hand on as a request. */
export function answerBrokenRequests(server: Server, owed: AnswersOwed, clock: Pick<Clock, 'sleep'>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    if (!stream.writable) return void stream.destroy();
    const last = owed.lastOf(stream);
    if (last === null || isBrokenItself(last)) return void refuse(stream, error, clock);
    // An answer is owed to the request before, which must not take this one for it.
    if (!last.request.complete || last.response.headersSent) return void stream.destroy();
    return void last.response.setHeader('connection', 'close');
  });
}

async function refuse(stream: Duplex, { code = '' }: NodeJS.ErrnoException, clock: Pick<Clock, 'sleep'>): Promise<void> {
  stream.end(rawAnswer(PROBLEMS_BY_CODE[code] ?? PROBLEMS.notHttp));
  await clock.sleep(LINGER_MS);
  stream.destroy();
}

/** Whether the fault is in the body of the request that is next to be answered. */
function isBrokenItself({ request, response }: Exchanged): boolean {
  return !request.complete && !response.headersSent && response.socket !== null;
}
