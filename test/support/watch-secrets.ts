/** Has every file of tests watched for secrets that its servers let out; one that is found fails the file. */
// oxlint-disable no-underscore-dangle -- what a stream is written through has such names in Node
import { Server, type Socket } from 'node:net';
import { afterAll, expect } from 'vitest';
import { lookAt, noteSent, takeLeaks } from './secret-watch.ts';

/** Below HTTP, WebSocket and event streams there is one way out. */
function watchConnection(socket: Socket): void {
  let before = '';
  const look = (chunk: Uint8Array | string): void => {
    before = lookAt('wire', typeof chunk === 'string' ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1'), before);
  };
  const write = socket._write.bind(socket);
  const writeMany = socket._writev?.bind(socket);
  socket._write = (chunk: Uint8Array | string, encoding, done) => {
    look(chunk);
    write(chunk, encoding, done);
  };
  if (writeMany === undefined) return;
  socket._writev = (chunks, done) => {
    for (const { chunk } of chunks as readonly { readonly chunk: Uint8Array | string }[]) look(chunk);
    writeMany(chunks, done);
  };
}

const emit = Server.prototype.emit;
Server.prototype.emit = function (this: Server, event: string | symbol, ...details: readonly unknown[]): boolean {
  if (event === 'connection') watchConnection(details[0] as Socket);
  return Reflect.apply(emit, this, [event, ...details]) as boolean;
};

const send = globalThis.fetch;
globalThis.fetch = (input, init) => {
  if (typeof init?.body === 'string') noteSent(init.body);
  return send(input, init);
};

for (const name of ['debug', 'info', 'log', 'warn', 'error'] as const) {
  const print = console[name];
  console[name] = (...said: unknown[]) => {
    lookAt('log', said.map(String).join(' '));
    print(...said);
  };
}

afterAll(() => {
  expect(takeLeaks(), 'secrets were let out where they may not be').toEqual([]);
});
