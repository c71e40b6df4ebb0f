/**
 * The way to the server by Node's own HTTP: a request costs a fraction of what it costs by `fetch`. Node's modules are asked
 * for at run time, so that a browser can load this file.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type EndpointParts, faultOf, retryAfterSeconds, type Transport, type WireRequest } from './transport.ts';

/** Connections rest for less than the five seconds after which a server closes them, so that none is used just then. */
const REST_MS_MAX = 4_000;

/** Null where there is no Node. */
export function nodeTransport({ endpoint, headers }: EndpointParts): Transport | null {
  if (typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function') return null;
  const http = process.getBuiltinModule(endpoint.startsWith('https:') ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: true, timeout: REST_MS_MAX });
  const url = new URL(endpoint);
  const usual = { ...process.getBuiltinModule('node:url').urlToHttpOptions(url), method: 'POST', agent };
  const isAscii = Object.values(headers).every((value) => /^[\0-\x7f]*$/.test(value));
  const request = ({ body, accept, signal }: WireRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const all = { host: url.host, ...headers, accept, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
      // As a list they are sent as they are, instead of being kept one by one until then.
      const sent = http.request({ ...usual, headers: Object.entries(all).flat() });
      endWithSignal(sent, signal);
      sent.once('response', resolve);
      sent.once('error', (error) => reject(faultOf(error, signal)));
      // Text travels in one piece with the headers, whose other characters would be sent as UTF-8 then.
      sent.end(isAscii ? body : Buffer.from(body));
    });
  return {
    async send(wire) {
      const response = await request(wire);
      const text = await textOf(response, wire.signal);
      return { status: response.statusCode ?? 0, retryAfterSeconds: retryAfterSeconds(response.headers['retry-after']), text };
    },
    async open(wire) {
      const response = await request(wire);
      return { status: response.statusCode ?? 0, mediaType: response.headers['content-type'] ?? '', chunks: chunksOf(response, wire.signal) };
    },
  };
}

function endWithSignal(sent: ClientRequest, signal: AbortSignal): void {
  const end = (): void => void sent.destroy();
  signal.addEventListener('abort', end, { once: true });
  sent.once('close', () => signal.removeEventListener('abort', end));
  if (signal.aborted) end();
}

function textOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => (text += piece));
    response.once('end', () => resolve(text));
    response.once('error', (error) => reject(faultOf(error, signal)));
  });
}

async function* chunksOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* response;
  } catch (error) {
    throw faultOf(error, signal);
  } finally {
    response.destroy();
  }
}
