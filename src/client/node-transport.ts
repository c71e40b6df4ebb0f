/**
 * The way to the server where there is Node: calls over connections of its own, streams by Node's HTTP. A request costs a
 * fraction of what it costs by `fetch`. Node's modules are asked for at run time, so that a browser can load this file.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { Connections, type Opening } from './http-connections.ts';
import { type EndpointParts, faultOf, retryAfterSeconds, type Transport, type WireRequest } from './transport.ts';

/** Null where there is no Node. */
export function nodeTransport(parts: EndpointParts, monotonicMs: () => number): Transport | null {
  if (typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function') return null;
  const url = new URL(parts.endpoint);
  const headers = { host: url.host, ...endToEnd(parts.headers) };
  const connections = new Connections({ open: opener(url), monotonicMs });
  const start = Object.entries(headers).reduce((text, [name, value]) => `${text}${name}: ${value}\r\n`, `POST ${url.pathname} HTTP/1.1\r\n`);
  return {
    async send({ body, accept, signal }) {
      const length = Buffer.byteLength(body);
      const head = `${start}accept: ${accept}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
      // HTTP knows one byte for each character of a header, and JSON is UTF-8: as long as all is ASCII, the same.
      const request = length === body.length ? head + body : Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
      const { status, retryAfter, text } = await connections.ask(request, signal);
      return { status, retryAfterSeconds: retryAfterSeconds(retryAfter), text };
    },
    async open(wire) {
      const response = await openStream(url, headers, wire);
      return { status: response.statusCode ?? 0, mediaType: response.headers['content-type'] ?? '', chunks: chunksOf(response, wire.signal) };
    },
  };
}

/** What a program's headers may not say, because it is about the connection (RFC 9110, section 7.6.1) or the length of the body. */
const OF_THE_CONNECTION: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

function endToEnd(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name)));
}

function opener(url: URL): () => Opening {
  const [net, tls] = [process.getBuiltinModule('node:net'), url.protocol === 'https:' ? process.getBuiltinModule('node:tls') : null];
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (tls === null) return () => ({ socket: net.connect({ host, port: Number(url.port || 80) }), event: 'connect' });
  const to = { host, port: Number(url.port || 443), servername: net.isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] };
  // Of the last connection, so that the next one needs no certificate.
  let session: Buffer | null = null;
  return () => {
    const socket: TLSSocket = tls.connect(session === null ? to : { ...to, session });
    socket.on('session', (next) => (session = next));
    return { socket, event: 'secureConnect' };
  };
}

function openStream(url: URL, headers: Readonly<Record<string, string>>, { body, accept, signal }: WireRequest): Promise<IncomingMessage> {
  const http = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const bytes = Buffer.from(body);
  const all = { ...headers, accept, 'content-type': 'application/json', 'content-length': bytes.length };
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { method: 'POST', headers: all, agent: false });
    endWithSignal(sent, signal);
    sent.once('response', resolve);
    sent.once('error', (error) => reject(faultOf(error, signal)));
    sent.end(bytes);
  });
}

function endWithSignal(sent: ClientRequest, signal: AbortSignal): void {
  const end = (): void => void sent.destroy();
  signal.addEventListener('abort', end, { once: true });
  sent.once('close', () => signal.removeEventListener('abort', end));
  if (signal.aborted) end();
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
