/** The socket of one page. It looks at what it gets as little as possible: the server is what is measured. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Asked } from './seats.ts';

/** As the console does. */
const PING_MS = 2_000;
const NEXT = Buffer.from('"type":"next"');
const REFUSED = [Buffer.from('"type":"error"'), Buffer.from('"errors"')];

export interface PageSocketParts {
  readonly onMessage: (bytes: number) => void;
  readonly onProblem: (error: Error) => void;
}

export class PageSocket {
  readonly #socket: WebSocket;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners = new Map<string, (data: Buffer) => void>();
  #isClosed = false;

  private constructor(socket: WebSocket, { onMessage, onProblem }: PageSocketParts) {
    this.#socket = socket;
    this.#timer = setInterval(() => socket.send('{"type":"ping"}'), PING_MS);
    socket.on('message', (bytes: Buffer) => {
      if (REFUSED.some((text) => bytes.includes(text))) return onProblem(new Error(`a page was told: ${bytes.toString('utf8', 0, 300)}`));
      if (!bytes.includes(NEXT)) return;
      onMessage(bytes.length);
      for (const [id, listen] of this.#listeners) if (bytes.includes(`"id":"${id}"`)) listen(bytes);
    });
    socket.on('close', (code) => {
      if (!this.#isClosed) onProblem(new Error(`the server closed a page's socket with ${code}`));
    });
  }

  static async open(url: string, parts: PageSocketParts): Promise<PageSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { perMessageDeflate: false, skipUTF8Validation: true });
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    await once(socket, 'message');
    return new PageSocket(socket, parts);
  }

  /** `listen` gets the whole message; absent: nobody reads it. */
  follow(id: string, { document, variables }: Asked, listen?: (message: Buffer) => void): void {
    if (listen !== undefined) this.#listeners.set(id, listen);
    this.#socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query: document, variables } }));
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#socket.terminate();
  }
}
