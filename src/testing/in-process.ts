/** The way to a server in the same process: requests and answers as HTTP has them, without a socket. */
import { LIMITS } from '../domain/limits.ts';
import { parseJson } from '../domain/json.ts';
import type { Transport, WireRequest } from '../client/transport.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Exchange } from '../server/exchange.ts';
import { bodyTooLarge, type Problem, problemText } from '../server/problem.ts';
import type { Inside } from './inside.ts';

export interface InProcessParts {
  readonly inside: Pick<Inside, 'yoga' | 'principal'>;
  readonly clock: Clock;
  /** Called whenever a request or an answer passes. */
  readonly passed: () => void;
}

const ADDRESS = 'http://localhost/graphql';
/** As servers do, so that a quiet stream is told apart from a broken one. */
const PING_EVERY_MS = 12_000;
const PING = new TextEncoder().encode(':\n\n');

export function inProcessTransport(parts: InProcessParts): Transport {
  return {
    async send(request) {
      const response = await ask(parts, request);
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, retryAfterSeconds: retryAfter === null ? null : Number(retryAfter), text: await response.text() };
    },
    async open(request) {
      const { status, headers, body } = await ask(parts, request);
      return { status, mediaType: headers.get('content-type') ?? '', chunks: chunksOf(parts, body, request.signal) };
    },
  };
}

/** Rejects with the signal's reason as soon as that aborts; what an answer that then finds nobody has taken is given back. */
async function ask({ inside, passed }: InProcessParts, { body, accept, signal }: WireRequest): Promise<Response> {
  passed();
  signal.throwIfAborted();
  if (Buffer.byteLength(body) > LIMITS.requestBytesMax) return refused(bodyTooLarge(LIMITS.requestBytesMax));
  const undos: (() => Promise<void>)[] = [];
  const exchange: Exchange = {
    principal: inside.principal,
    transport: 'sse',
    params: parseJson(body) as object,
    accept,
    signal,
    onUndelivered: (undo) => void undos.push(undo),
    startStream: () => {},
  };
  const headers = { accept, 'content-type': 'application/json' };
  const answer = await inside.yoga.fetch(ADDRESS, { method: 'POST', headers, body }, { exchange });
  passed();
  if (!signal.aborted) return answer;
  for (const undo of undos) await undo();
  throw signal.reason;
}

function refused(problem: Problem): Response {
  return new Response(problemText(problem), { status: problem.status, headers: { 'content-type': 'application/json' } });
}

async function* chunksOf({ clock, passed }: InProcessParts, body: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  const reader = body.getReader();
  const over = new AbortController();
  const gone = new Promise<'gone'>((resolve) => signal.addEventListener('abort', () => resolve('gone'), { once: true, signal: over.signal }));
  try {
    let reading = reader.read();
    for (;;) {
      const heard = new AbortController();
      const silence = clock.sleep(PING_EVERY_MS, heard.signal).then(() => 'silence' as const);
      const found = signal.aborted ? 'gone' : await Promise.race([reading, silence, gone]);
      heard.abort();
      passed();
      if (found === 'gone') throw signal.reason;
      if (found === 'silence') {
        yield PING;
        continue;
      }
      if (found.done) return;
      yield found.value;
      reading = reader.read();
    }
  } finally {
    over.abort();
    void reader.cancel().catch(() => {});
  }
}
