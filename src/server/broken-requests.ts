/** The answer to bytes that are no request, or that came too slowly to be one. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '../domain/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Problem, PROBLEMS, rawAnswer } from './problem.ts';

/** A client that is still sending reads the answer only if the connection stays open for a moment. */
export const LINGER_MS = 500;

interface Exchanged {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a connection asked last, until it is answered: whatever is kept for longer, the garbage collector copies on and on. */
interface Latest {
  exchanged: Exchanged | null;
}

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
export function answerBrokenRequests(server: Server, clock: Pick<Clock, 'sleep'>): void {
  const latest = new WeakMap<Duplex, Latest>();
  server.on('connection', (socket) => latest.set(socket, { exchanged: null }));
  server.on('request', (request, response) => {
    const of = latest.get(request.socket);
    if (of === undefined) return;
    of.exchanged = { request, response };
    response.on('close', () => {
      if (of.exchanged?.response === response) of.exchanged = null;
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const exchanged = latest.get(stream)?.exchanged ?? null;
    if (!stream.writable) return void stream.destroy();
    if (exchanged === null || isOver(exchanged) || isBrokenItself(exchanged)) return void refuse(stream, error, clock);
    // An answer is owed to the request before, which must not take this one for it.
    if (!exchanged.request.complete || exchanged.response.headersSent) return void stream.destroy();
    return void exchanged.response.setHeader('connection', 'close');
  });
}

async function refuse(stream: Duplex, { code = '' }: NodeJS.ErrnoException, clock: Pick<Clock, 'sleep'>): Promise<void> {
  stream.end(rawAnswer(PROBLEMS_BY_CODE[code] ?? PROBLEMS.notHttp));
  await clock.sleep(LINGER_MS);
  stream.destroy();
}

const isOver = ({ response }: Exchanged): boolean => response.writableFinished;

/** Whether the fault is in the body of the request that is next to be answered. */
function isBrokenItself({ request, response }: Exchanged): boolean {
  return !request.complete && !response.headersSent && response.socket !== null;
}
