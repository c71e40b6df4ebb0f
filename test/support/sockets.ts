/** Sockets of the graphql-transport-ws protocol, message by message. */
import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';

export interface SocketMessage {
  readonly type: string;
  readonly id?: string;
  // biome-ignore lint: payloads are looked into by tests, whose expectations are their types
  readonly payload?: any;
}
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

export class TestSocket {
  readonly socket: WebSocket;
  readonly received: SocketMessage[] = [];
  readonly closed: Promise<Closed>;
  #arrived = Promise.withResolvers<void>();
  #read = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.received.push(JSON.parse(data.toString('utf8')) as SocketMessage);
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    });
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }));
    });
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message that was not read yet, whatever it is. */
  async next(): Promise<SocketMessage> {
    while (this.received.length <= this.#read) await this.#arrived.promise;
    const message = this.received[this.#read];
    this.#read += 1;
    if (message === undefined) throw new Error('no message');
    return message;
  }

  /** The next message of this operation; others are read over. */
  async nextOf(id: string): Promise<SocketMessage> {
    for (;;) {
      const message = await this.next();
      if (message.id === id) return message;
    }
  }

  /** Ends when the server has seen everything that was sent before. */
  async echo(): Promise<void> {
    const before = this.received.filter(({ type }) => type === 'pong').length;
    this.send({ type: 'ping' });
    while (this.received.filter(({ type }) => type === 'pong').length === before) await this.#arrived.promise;
  }

  subscribe(id: string, query: string, variables: object = {}): void {
    this.send({ type: 'subscribe', id, payload: { query, variables } });
  }
}

export const EVENTS =
  'subscription Events($filter: JobEventFilter, $after: EventCursor, $maxBatch: Int! = 200) { jobEvents(filter: $filter, after: $after, maxBatch: $maxBatch) { __typename ... on JobEventBatch { caughtUp cursor events { kind jobId } } } }';

export async function openSocket(wsUrl: string, options: ClientOptions = {}, protocols: string | string[] = 'graphql-transport-ws'): Promise<TestSocket> {
  const opened = new TestSocket(new WebSocket(wsUrl, protocols, options));
  await once(opened.socket, 'open');
  return opened;
}

/** A socket after its handshake. */
export async function connectSocket(wsUrl: string, parameters: object = {}, options: ClientOptions = {}): Promise<TestSocket> {
  const socket = await openSocket(wsUrl, options);
  socket.send({ type: 'connection_init', payload: parameters });
  const { type } = await socket.next();
  if (type !== 'connection_ack') throw new Error(`${type} instead of an acknowledgement`);
  return socket;
}

/** Status with which a handshake is refused. */
export function refusedHandshake(
  wsUrl: string,
  options: ClientOptions = {},
  protocols: string | string[] = 'graphql-transport-ws',
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(wsUrl, protocols, options);
    socket.on('error', () => {});
    socket.once('open', () => reject(new Error('the handshake was accepted')));
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
}
