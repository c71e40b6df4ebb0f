/** The way to the server by `fetch`: in browsers, and wherever a program brings one of its own. */
import { type EndpointParts, faultOf, retryAfterSeconds, type Transport, type WireRequest } from './transport.ts';

export function fetchTransport({ endpoint, headers }: EndpointParts, ask: typeof fetch): Transport {
  const request = async ({ body, accept, signal }: WireRequest): Promise<Response> => {
    try {
      return await ask(endpoint, { method: 'POST', headers: { ...headers, accept, 'content-type': 'application/json' }, body, signal, redirect: 'manual' });
    } catch (error) {
      throw faultOf(error, signal);
    }
  };
  return {
    async send(wire) {
      const response = await request(wire);
      try {
        return { status: response.status, retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')), text: await response.text() };
      } catch (error) {
        throw faultOf(error, wire.signal);
      }
    },
    async open(wire) {
      const { status, headers: answered, body } = await request(wire);
      return { status, mediaType: answered.get('content-type') ?? '', chunks: chunksOf(body, wire.signal) };
    },
  };
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  // Not every browser can iterate over a stream.
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } catch (error) {
    throw faultOf(error, signal);
  } finally {
    reader.cancel().catch(() => {});
  }
}
