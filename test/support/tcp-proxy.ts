/** A way to a server that breaks where a test wants it to, request by request. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What happens to a connection: `pass` lets it be; `before` cuts it once a request has come, and passes nothing on;
 * `after` passes the request on and cuts when the answer begins, `within` in the middle of the answer's body. A text is
 * answered in the server's place; `hold` keeps the answer back until the connection is cut.
 */
export type Mishap = 'pass' | 'before' | 'after' | 'within' | 'hold' | { readonly answer: string };

export interface TcpProxy extends AsyncDisposable {
  readonly url: string;
  /** Bodies of the requests that came, as far as they are one chunk; for counting. */
  readonly requests: readonly string[];
  /** Connections that are open. */
  readonly open: number;
  /** What the next requests meet, in order; after those everything passes. */
  fail(...mishaps: readonly Mishap[]): void;
  /** Goes to another server from now on. */
  leadTo(url: string): void;
  /** Cuts every connection that is open. */
  cutAll(): void;
}

export async function startProxy(target: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(target);
  const planned: Mishap[] = [];
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let mishap: Mishap = 'pass';
    const cut = (): void => {
      near.resetAndDestroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (text.startsWith('POST ')) {
        mishap = planned.shift() ?? 'pass';
        requests.push('');
      }
      requests.push((requests.pop() ?? '') + text);
      if (mishap === 'before') return cut();
      if (typeof mishap === 'object') return void near.end(mishap.answer);
      far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => {
      if (mishap === 'after') return cut();
      if (mishap === 'hold') return;
      if (mishap !== 'within') return void near.write(chunk);
      const body = chunk.indexOf('\r\n\r\n') + 4;
      near.write(chunk.subarray(0, Math.ceil((body + chunk.length) / 2)), cut);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get open() {
      return sockets.size;
    },
    fail: (...mishaps) => void planned.push(...mishaps),
    leadTo: (url) => ({ hostname, port } = new URL(url)),
    cutAll() {
      // A reset takes along what has arrived and was not read yet.
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An answer of HTTP in full. */
export function httpAnswer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): { readonly answer: string } {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return { answer: [`HTTP/1.1 ${status} Said`, ...lines, '', body].join('\r\n') };
}
