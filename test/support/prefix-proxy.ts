/** A proxy that shows a server below a path, as people put one before it: with the path taken away on the way, or left as it is. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PrefixProxy extends AsyncDisposable {
  /** With the path, without a slash at its end. */
  readonly url: string;
}

export interface PrefixProxyParts {
  readonly target: string;
  readonly prefix: string;
  readonly strips: boolean;
}

export async function startPrefixProxy({ target, prefix, strips }: PrefixProxyParts): Promise<PrefixProxy> {
  const { hostname, port } = new URL(target);
  const pass = ({ url = '', method, headers }: IncomingMessage) =>
    ask({ hostname, port, method, headers, path: strips ? url.slice(prefix.length) : url, agent: false });
  const server = createServer((request, response) => {
    if (request.url?.startsWith(`${prefix}/`) !== true) return void response.writeHead(404).end('something else');
    const passed = pass(request);
    passed.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  server.on('upgrade', (request, stream, head) => {
    const passed = pass(request);
    stream.on('error', () => passed.destroy());
    passed.on('error', () => stream.destroy());
    passed.on('response', () => stream.destroy());
    passed.on('upgrade', ({ rawHeaders }, upstream) => {
      const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}\r\n`] : []));
      stream.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      upstream.on('error', () => stream.destroy());
      stream.pipe(upstream).pipe(stream);
    });
    passed.end(head);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
