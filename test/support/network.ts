/** The way between a program and a server, as a test wants it: one that is cut without a word, and one that answers in the server's place. */
import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Wire extends AsyncDisposable {
  readonly url: string;
  /** From now on nothing arrives, in either direction, and nobody is told. */
  cut(): void;
  /** Connections from before are gone, as behind a router that forgot them; new ones get through. */
  heal(): void;
  /** Where it leads. Null: nobody is there. */
  lead(url: string | null): void;
}

/** Passes bytes on. */
export async function startWire(to: string | null): Promise<Wire> {
  let [target, isCut] = [to, false];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (target === null) return void socket.destroy();
    const { hostname, port } = new URL(target);
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const [from, into] of [
      [socket, far],
      [far, socket],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => (isCut ? undefined : into.write(bytes)));
      from.on('end', () => (isCut ? undefined : into.end()));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!isCut) into.destroy();
      });
    }
  });
  const url = await listen(server);
  const drop = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url,
    cut: () => (isCut = true),
    heal() {
      isCut = false;
      drop();
    },
    lead: (where) => (target = where),
    async [Symbol.asyncDispose]() {
      server.close();
      drop();
      await once(server, 'close');
    },
  };
}

export interface Gateway extends AsyncDisposable {
  readonly url: string;
  /** Bodies of requests, as they came, with when. */
  readonly asked: readonly Asked[];
  /** The status with which it answers by itself; null where the server does. */
  refuse: (body: string) => number | null;
}
export interface Asked {
  readonly body: string;
  readonly refused: number | null;
  /** Monotonic. */
  readonly ms: number;
}

/** Passes requests on, or answers them with a page of its own. */
export async function startGateway(to: string): Promise<Gateway> {
  const asked: Asked[] = [];
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const refused = gateway.refuse(body);
    asked.push({ body, refused, ms: performance.now() });
    if (refused !== null) return void response.writeHead(refused, { 'content-type': 'text/html' }).end('<h1>no</h1>');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const reply = await fetch(`${to}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: gone.signal });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  };
  const server = createHttpServer((request, response) => {
    void text(request)
      .then((body) => answer(body, response))
      .catch(() => response.destroy());
  });
  const gateway: Gateway = {
    url: await listen(server),
    asked,
    refuse: () => null,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return gateway;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
