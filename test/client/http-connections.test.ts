/** How the client's connections are used again, left, and lost. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LeaseQueue } from '../../src/client/index.ts';
import { nodeTransport } from '../../src/client/node-transport.ts';
import { type Transport, TransportFault, type WireAnswer } from '../../src/client/transport.ts';
import { selfSigned } from '../support/certificate.ts';
import { ManualClock } from '../support/manual-clock.ts';

const LF = '\r\n';

function answer(body: string, ...lines: readonly string[]): string {
  return `HTTP/1.1 200 OK${LF}${[...lines, `content-length: ${body.length}`].join(LF)}${LF}${LF}${body}`;
}

/** What a connection of the server's has come to. */
interface Place {
  readonly socket: Socket;
  received: string;
  isClosed: boolean;
}

let places: Place[];
/** What the server does once something came. */
let onData: (place: Place) => void;
let server: ReturnType<typeof createServer>;
let clock: ManualClock;
let transport: Transport;
beforeEach(async () => {
  [places, clock] = [[], new ManualClock()];
  onData = ({ socket }) => socket.write(answer('{}'));
  server = createServer({ allowHalfOpen: true }, (socket) => {
    const place = { socket, received: '', isClosed: false };
    places.push(place);
    socket.on('error', () => {});
    socket.on('close', () => (place.isClosed = true));
    socket.on('end', () => socket.end());
    socket.on('data', (chunk: Buffer) => {
      place.received += chunk.toString();
      onData(place);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  transport = transportTo((server.address() as AddressInfo).port);
});
afterEach(() => {
  for (const { socket } of places) socket.destroy();
  server.close();
});

function transportTo(port: number, protocol: 'http' | 'https' = 'http', headers: Readonly<Record<string, string>> = {}): Transport {
  const way = nodeTransport({ endpoint: `${protocol}://127.0.0.1:${port}/graphql`, headers }, () => clock.monotonicMs());
  if (way === null) throw new Error('this is Node');
  return way;
}

function ask(body = '{}', signal: AbortSignal = new AbortController().signal): Promise<WireAnswer> {
  return transport.send({ body, accept: 'application/json', signal });
}

async function faultOf(asked: Promise<unknown>): Promise<TransportFault> {
  const fault: unknown = await asked.catch((error: unknown) => error);
  if (fault instanceof TransportFault) return fault;
  throw new Error('a TransportFault was expected', { cause: fault });
}

describe('a connection', () => {
  test('is used by one request after the other, and by one at a time', async () => {
    await ask();
    await ask();
    expect(places).toHaveLength(1);
    await Promise.all([ask(), ask(), ask()]);
    expect(places).toHaveLength(3);
    await Promise.all([ask(), ask(), ask()]);
    expect(places).toHaveLength(3);
  });

  test('is used no more once it has rested for four seconds, after five of which a server would close it', async () => {
    await ask();
    clock.advance(3_999);
    await ask();
    clock.advance(4_000);
    await ask();
    expect(places).toHaveLength(2);
    await expect.poll(() => places[0]?.isClosed).toBe(true);
  });

  test('rests for less where the server tells that it closes it earlier', async () => {
    onData = ({ socket }) => socket.write(answer('{}', 'keep-alive: timeout=3'));
    await ask();
    clock.advance(1_999);
    await ask();
    expect(places).toHaveLength(1);
    clock.advance(2_000);
    await ask();
    expect(places).toHaveLength(2);
  });

  test.each([
    ['says that it closes it', answer('{}', 'connection: close')],
    ['closes it within a second', answer('{}', 'keep-alive: timeout=1')],
    ['speaks an old HTTP', answer('{}').replace('1.1', '1.0')],
    ['sends more than the answer', `${answer('{}')}${answer('[]')}`],
  ])('is not used again where the server %s', async (_, bytes) => {
    onData = ({ socket }) => socket.write(bytes);
    expect(await ask()).toMatchObject({ status: 200, text: '{}' });
    await expect.poll(() => places[0]?.isClosed).toBe(true);
    await ask();
    expect(places).toHaveLength(2);
  });

  test('that brings something while it rests is left, and what it brought is not taken for an answer', async () => {
    await ask();
    places[0]?.socket.write(answer('["of nobody"]'));
    await expect.poll(() => places[0]?.isClosed).toBe(true);
    expect(await ask()).toMatchObject({ text: '{}' });
    expect(places).toHaveLength(2);
  });

  test('that the server closed while it rested is not used, and nothing fails', async () => {
    await ask();
    places[0]?.socket.end();
    await expect.poll(() => places[0]?.isClosed).toBe(true);
    expect(await ask()).toMatchObject({ status: 200 });
    expect(places).toHaveLength(2);
  });

  test('over which an answer came before all of the request was sent is not used again', async () => {
    const refusal = answer('{"errors":[]}');
    onData = (place) => {
      place.socket.removeAllListeners('data').pause();
      place.socket.write(refusal);
    };
    expect(await ask(`"${'x'.repeat(50_000_000)}"`)).toMatchObject({ text: '{"errors":[]}' });
    onData = ({ socket }) => socket.write(answer('{}'));
    expect(await ask()).toMatchObject({ text: '{}' });
    expect(places).toHaveLength(2);
  });

  test('that rests keeps no program from its end', async () => {
    const patient = createHttpServer({ keepAliveTimeout: 0 }, (_, response) => response.end('{"data":{"job":null}}')).listen(0, '127.0.0.1');
    await once(patient, 'listening');
    const client = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));
    const url = `http://127.0.0.1:${(patient.address() as AddressInfo).port}`;
    const program = `const { LeaseQueue } = await import(${JSON.stringify(client)}); console.log(await new LeaseQueue({ url: '${url}' }).job({ id: 'x' }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
    expect(stdout.trim()).toBe('null');
    patient.closeAllConnections();
    patient.close();
  }, 20_000);
});

describe('a request', () => {
  test('leaves out of the program what is about the connection, or would hide its end', async () => {
    const headers = {
      'x-way': 'é',
      'transfer-encoding': 'chunked',
      'content-length': '1',
      connection: 'x-way',
      expect: '100-continue',
      te: 'x',
      upgrade: 'h2c',
    };
    transport = transportTo((server.address() as AddressInfo).port, 'http', headers);
    await ask('{"a":"é"}');
    expect(places[0]?.received.toLowerCase()).not.toMatch(/transfer-encoding|connection:|expect:|te:|upgrade:/);
    expect(places[0]?.received.match(/content-length: \d+/g)).toEqual(['content-length: 10']);
  });

  test('that is given up rejects with the reason, and its connection is left, and no other', async () => {
    const end = new AbortController();
    onData = (place) => {
      if (place.received.includes('"stays"')) place.socket.write(answer('"here"'));
      else end.abort(new Error('enough'));
    };
    const left = ask('"goes"', end.signal);
    await expect(left).rejects.toThrow('enough');
    expect(await ask('"stays"')).toMatchObject({ text: '"here"' });
    await expect.poll(() => places.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  test('that is given up before it is sent opens nothing', async () => {
    await expect(ask('{}', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(places).toHaveLength(0);
  });

  test('to a server that is not there was not sent', async () => {
    server.close();
    await once(server, 'close');
    expect(await faultOf(ask())).toMatchObject({ isSent: false, message: 'ECONNREFUSED' });
  });

  test.each([
    ['closes the connection', (socket: Socket) => socket.end()],
    ['closes it within the answer', (socket: Socket) => socket.end(answer('{}').slice(0, -1))],
    ['resets it', (socket: Socket) => socket.resetAndDestroy()],
    ['answers with something else than HTTP', (socket: Socket) => socket.write(`nonsense${LF}${LF}`)],
  ])('may have been carried out where the server %s', async (_, act) => {
    onData = ({ socket }) => act(socket);
    expect(await faultOf(ask())).toMatchObject({ isSent: true });
    await expect.poll(() => places[0]?.isClosed).toBe(true);
  });
});

describe('over TLS', () => {
  const certificate = selfSigned();
  const trusted = getCACertificates('default');
  let secure: ReturnType<typeof createTlsServer>;
  let sockets: TLSSocket[];
  let hellos: (readonly [protocol: unknown, name: unknown, isKnown: boolean])[];
  beforeEach(async () => {
    [sockets, hellos] = [[], []];
    secure = createTlsServer({ ...certificate, ALPNProtocols: ['http/1.1'] }, (socket) => {
      sockets.push(socket);
      hellos.push([socket.alpnProtocol, socket.servername, socket.isSessionReused()]);
      socket.on('error', () => {});
      socket.on('data', () => void socket.write(answer('{"data":{"job":null}}', 'connection: close')));
    }).listen(0, '127.0.0.1');
    await once(secure, 'listening');
  });
  afterEach(() => {
    setDefaultCACertificates(trusted);
    for (const socket of sockets) socket.destroy();
    secure.close();
  });

  test('a server whose certificate is trusted is asked, and knows the client again', async () => {
    setDefaultCACertificates([...trusted, certificate.cert]);
    const { port } = secure.address() as AddressInfo;
    const lq = new LeaseQueue({ url: `https://localhost:${port}` });
    expect(await lq.job({ id: 'x' })).toBeNull();
    expect(await lq.job({ id: 'x' })).toBeNull();
    expect(hellos).toEqual([
      ['http/1.1', 'localhost', false],
      ['http/1.1', 'localhost', true],
    ]);
    expect(await new LeaseQueue({ url: `https://127.0.0.1:${port}` }).job({ id: 'x' })).toBeNull();
  });

  test('another one is sent nothing', async () => {
    transport = transportTo((secure.address() as AddressInfo).port, 'https');
    expect(await faultOf(ask())).toMatchObject({ isSent: false, message: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(sockets.map(({ bytesRead }) => bytesRead)).toEqual(sockets.map(() => 0));
  });
});
