/** Followers of the event stream that look at what they get as little as possible: the server is what is measured. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import type { Figures } from '../row.ts';
import { FOLLOW, graphqlBody, SUBMIT_MANY } from './documents.ts';
import { GraphqlClient } from './graphql-client.ts';

export interface Following {
  readonly url: string;
  readonly count: number;
  readonly transport: 'websocket' | 'sse';
}

/** Told of each piece that arrives. */
type OnBytes = (bytes: Buffer) => void;

interface Follower {
  onBytes: OnBytes;
  close(): void;
}

const followers: Follower[] = [];
const AT_ONCE = 50;

/** Opens followers that stay until `unfollow`. Ends when each has had its first message. */
export async function follow({ url, count, transport }: Following): Promise<void> {
  const open = transport === 'websocket' ? overSocket : overStream;
  for (let left = count; left > 0; left -= AT_ONCE) {
    followers.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, () => open(url)))));
  }
}

export async function unfollow(_nothing: object): Promise<void> {
  for (const follower of followers.splice(0)) follower.close();
}

async function overSocket(url: string): Promise<Follower> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { perMessageDeflate: false, skipUTF8Validation: true });
  await once(socket, 'open');
  const first = Promise.withResolvers<void>();
  const subscribe = JSON.stringify({ id: '1', type: 'subscribe', payload: { query: FOLLOW } });
  const follower: Follower = {
    onBytes: (bytes) => {
      if (bytes.includes('connection_ack')) socket.send(subscribe);
      if (bytes.includes('"next"')) first.resolve();
    },
    close: () => socket.terminate(),
  };
  socket.on('message', (bytes: Buffer) => follower.onBytes(bytes));
  socket.on('close', (code) => first.reject(new Error(`the server closed a socket with ${code}`)));
  socket.send('{"type":"connection_init"}');
  await first.promise;
  return follower;
}

async function overStream(url: string): Promise<Follower> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const first = Promise.withResolvers<void>();
  const follower: Follower = {
    onBytes: (bytes) => {
      if (bytes.includes('JobEventBatch')) first.resolve();
    },
    close: () => socket.destroy(),
  };
  socket.on('data', (bytes) => follower.onBytes(bytes));
  socket.on('error', first.reject);
  const body = graphqlBody(FOLLOW);
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await first.promise;
  return follower;
}

export interface FanOut {
  readonly url: string;
  readonly events: number;
  /** Events of one commit. */
  readonly perCommit: number;
  /** Commits that are asked for at the same time. */
  readonly inFlight: number;
}

let rounds = 0;
const SECONDS_MAX = 60;

/** Submits jobs, one event each, and ends when every follower has got the last one. */
export async function fanOut({ url, events, perCommit, inFlight }: FanOut): Promise<Figures> {
  rounds += 1;
  const last = `last-${rounds}`;
  let receivedBytes = 0;
  const complete = Promise.all(followers.map((follower) => awaitText(follower, `"task":"${last}"`, (count) => (receivedBytes += count))));
  const client = new GraphqlClient(url);
  const startedMs = performance.now();
  await submitEvents(client, events - 1, perCommit, inFlight);
  await submit(
    client,
    ['x'].map(() => ({ queue: 'events', task: last })),
  );
  const timer = setTimeout(() => client.close(), SECONDS_MAX * 1_000);
  await Promise.race([complete, late()]);
  clearTimeout(timer);
  const ms = performance.now() - startedMs;
  client.close();
  const deliveries = events * followers.length;
  return { deliveriesPerSecond: (deliveries * 1_000) / ms, ms, bytesPerDelivery: receivedBytes / deliveries };
}

async function late(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, SECONDS_MAX * 1_000).unref());
  throw new Error(`some followers had not got every event after ${SECONDS_MAX} s`);
}

/** Ends with the piece that holds the text, also where it is cut in two. */
function awaitText(follower: Follower, text: string, count: (bytes: number) => void): Promise<void> {
  let tail: Buffer = Buffer.alloc(0);
  return new Promise((resolve) => {
    follower.onBytes = (bytes) => {
      count(bytes.length);
      if (bytes.includes(text) || Buffer.concat([tail, bytes.subarray(0, text.length)]).includes(text)) resolve();
      tail = bytes.subarray(-text.length);
    };
  });
}

async function submitEvents(client: GraphqlClient, events: number, perCommit: number, inFlight: number): Promise<void> {
  let left = events;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      const size = Math.min(perCommit, left);
      left -= size;
      await submit(
        client,
        Array.from({ length: size }, () => ({ queue: 'events', task: 'noop' })),
      );
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

async function submit(client: GraphqlClient, jobs: readonly object[]): Promise<void> {
  const { failed } = await client.call<{ readonly failed: number }>('submitJobs', SUBMIT_MANY, { input: { jobs } });
  if (failed > 0) throw new Error(`${failed} jobs were refused`);
}
