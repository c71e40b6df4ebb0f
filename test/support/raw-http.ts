/** HTTP byte by byte, for requests that no client library would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** An open connection to the server of this address. */
export async function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Ends when the connection does, however it ends. */
export function untilClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

/** Everything that the server says until it closes. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await untilClosed(socket);
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends the text as it is, and reads until the server closes. */
export async function exchange(url: string, text: string): Promise<RawAnswer> {
  const socket = await openConnection(url);
  const answer = readToEnd(socket);
  socket.write(text);
  const answered = await answer;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answered)?.[1] ?? 0), text: answered };
}
