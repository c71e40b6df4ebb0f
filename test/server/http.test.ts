import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { exchange, openConnection, readToEnd, untilClosed } from '../support/raw-http.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.app.stop());

const JSON_TYPE = { 'content-type': 'application/json' };
const GRAPHQL_JSON = 'application/graphql-response+json';

async function ask(
  init: RequestInit,
  path = '/graphql',
): Promise<{ status: number; headers: Headers; body: { errors?: { extensions: { code: string } }[]; data?: unknown } }> {
  const response = await fetch(`${server.url}${path}`, init);
  return { status: response.status, headers: response.headers, body: (await response.json()) as { errors: [] } };
}
const codeOf = ({ body }: Awaited<ReturnType<typeof ask>>): string | undefined => body.errors?.[0]?.extensions.code;
const post = (body: BodyInit, headers: Record<string, string> = JSON_TYPE) => ask({ method: 'POST', headers, body });

/** A valid request of exactly so many bytes. */
function bodyOf(bytes: number): string {
  const frame = '{"query":"{ __typename }"}';
  return frame + ' '.repeat(bytes - frame.length);
}
const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
const head = (...headers: string[]): string =>
  ['POST /graphql HTTP/1.1', 'host: localhost', 'content-type: application/json', 'connection: close', ...headers, '', ''].join('\r\n');

describe('a body', () => {
  test('at the limit is taken, by header and in chunks (B83)', async () => {
    expect((await post(bodyOf(131_072))).body).toEqual({ data: { __typename: 'Query' } });
    const { status, text } = await exchange(server.url, head('transfer-encoding: chunked') + chunked(bodyOf(131_072)));
    expect([status, text.includes('"__typename":"Query"')]).toEqual([200, true]);
  });

  test('one byte over it is refused, by header and in chunks, and the connection closed (B83)', async () => {
    const answer = await post(bodyOf(131_073));
    expect([answer.status, codeOf(answer)]).toEqual([413, 'REQUEST_ENTITY_TOO_LARGE']);
    expect(answer.headers.get('connection')).toBe('close');
    const { status, text } = await exchange(server.url, head('transfer-encoding: chunked').replace('connection: close\r\n', '') + chunked(bodyOf(131_073)));
    expect([status, text.includes('REQUEST_ENTITY_TOO_LARGE')]).toEqual([413, true]);
  });

  test('that goes on for ever costs no memory and does not disturb others (B83)', async () => {
    const socket = await openConnection(server.url);
    const answer = readToEnd(socket);
    socket.write(head('transfer-encoding: chunked'));
    const before = process.memoryUsage();
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 200 * 1024 * 1024) {
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), untilClosed(socket)]);
      sent += chunk.length;
      if (sent % (100 * chunk.length) === 0) expect((await server.graphql('{ __typename }')).status).toBe(200);
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
    const after = process.memoryUsage();
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(32 * 1024 * 1024);
    expect(sent).toBeLessThan(200 * 1024 * 1024);
  });

  test('that is longer than its header says is not read on', async () => {
    const { text } = await exchange(server.url, head('content-length: 10') + 'x'.repeat(1024));
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('that ends early runs nothing', async () => {
    const socket = await openConnection(server.url);
    socket.write(head('content-length: 500') + '{"query":"mutation { submitJob(input: {task: \\"early\\"}) { __typename } }"}');
    socket.end();
    await readToEnd(socket);
    expect((await server.graphql('{ jobs(filter: {tasks: ["early"]}) { nodes { id } } }')).data).toEqual({ jobs: { nodes: [] } });
  });

  test.each([
    ['not JSON', '{"query": ', 400, 'BAD_REQUEST'],
    ['empty', '', 400, 'BAD_REQUEST'],
    ['a list of operations', '[{"query":"{ __typename }"}]', 400, 'BAD_REQUEST'],
    ['a text', '"{ __typename }"', 400, 'BAD_REQUEST'],
    ['null', 'null', 400, 'BAD_REQUEST'],
    ['without a query', '{"variables":{}}', 400, 'BAD_REQUEST'],
    ['with a number for a query', '{"query":1}', 400, 'BAD_REQUEST'],
    ['with a member that is no parameter', '{"query":"{ __typename }","then":false}', 400, 'BAD_REQUEST'],
    ['with a list of variables', '{"query":"{ __typename }","variables":[1]}', 400, 'BAD_REQUEST'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400, 'BAD_REQUEST'],
  ])('that is %s is refused', async (_name, body, status, code) => {
    const answer = await post(body);
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  test.each([
    ['application/x-www-form-urlencoded', 'query=%7B__typename%7D'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/graphql', '{ __typename }'],
    ['text/plain', '{"query":"{ __typename }"}'],
    ['application/json; charset=utf-16', '{"query":"{ __typename }"}'],
    ['application/jsonp', '{"query":"{ __typename }"}'],
  ])('of the type %s is refused', async (type, body) => {
    const answer = await post(body, { 'content-type': type });
    expect([answer.status, codeOf(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])('of the type %s is taken', async (type) => {
    expect((await post('{"query":"{ __typename }"}', { 'content-type': type })).status).toBe(200);
  });

  test.each(['gzip', 'deflate', 'br', 'identity, gzip', 'x-unknown'])('encoded as %s is refused, however little it is', async (encoding) => {
    const answer = await post('{}', { ...JSON_TYPE, 'content-encoding': encoding });
    expect([answer.status, codeOf(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('keeps the digits of numbers that a double would change', async () => {
    const body =
      '{"query":"mutation($p: JSONObject!) { submitJob(input: {task: \\"t\\", payload: $p}) { ... on SubmitJobSuccess { job { payload } } } }","variables":{"p":{"n":9007199254740993}}}';
    const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers: JSON_TYPE, body });
    expect(await response.text()).toContain('{"n":9007199254740993}');
  });
});

describe('an address', () => {
  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('/graphql does not answer %s', async (method) => {
    const answer = await ask({ method });
    expect([answer.status, codeOf(answer), answer.headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, POST']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('/graphql takes queries by GET, and mutations not', async () => {
    expect(
      (await ask({}, `/graphql?${new URLSearchParams({ query: 'query($n: Int = 1) { jobs(first: $n) { nodes { id } } }', variables: '{"n":1}' })}`)).status,
    ).toBe(200);
    const mutation = await ask({}, '/graphql?query=mutation%7B__typename%7D');
    expect([mutation.status, mutation.headers.get('allow')]).toEqual([405, 'POST']);
    const broken = await ask({}, '/graphql?query=%7B__typename%7D&variables=%7B');
    expect([broken.status, codeOf(broken)]).toEqual([400, 'BAD_REQUEST']);
    expect((await ask({}, '/graphql')).status).toBe(400);
  });

  test.each(['/nothing', '/graphql/', '/graphqlx', '/__proto__', '/constructor', '/health', '/../etc/passwd', '/schema.graphql'])(
    '%s is not there',
    async (path) => {
      const answer = await ask({}, path);
      expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
    },
  );

  test.each(['/', '/metrics', '/health/live', '/health/ready'])('%s answers GET and HEAD only', async (path) => {
    expect((await fetch(server.url + path)).status).toBe(200);
    expect((await fetch(server.url + path, { method: 'HEAD' })).status).toBe(200);
    const answer = await ask({ method: 'POST' }, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test.each(['/', '/graphql?query=%7B__typename%7D', '/nothing', '/metrics'])('%s tells browsers to be careful', async (path) => {
    const { headers } = await fetch(server.url + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });
});

describe('what a client accepts', () => {
  test.each([
    [GRAPHQL_JSON, GRAPHQL_JSON],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    [`${GRAPHQL_JSON}, application/json;q=0.9`, GRAPHQL_JSON],
    ['text/html, application/json', 'application/json'],
  ])('%s is answered as %s', async (accept, type) => {
    const { headers } = await post('{"query":"{ __typename }"}', { ...JSON_TYPE, accept });
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });

  test.each(['text/html', 'image/png', 'application/xml'])('%s is nothing that is given', async (accept) => {
    const answer = await post('{"query":"{ __typename }"}', { ...JSON_TYPE, accept });
    expect([answer.status, codeOf(answer)]).toEqual([406, 'NOT_ACCEPTABLE']);
  });

  test('JSON only is not enough for a subscription', async () => {
    const answer = await post('{"query":"subscription { jobEvents { __typename } }"}', { ...JSON_TYPE, accept: 'application/json' });
    expect([answer.status, codeOf(answer)]).toEqual([406, 'NOT_ACCEPTABLE']);
    await expect.poll(() => server.app.followers()).toBe(0);
  });
});

describe('a request that is no request', () => {
  test.each([
    ['noise', 'hello\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['two lengths', 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    ['two hosts', 'GET / HTTP/1.1\r\nhost: localhost\r\nHost: localhost\r\n\r\n'],
    ['a host that is none', 'GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nhost: a b{}\r\nconnection: close\r\n\r\n'],
  ])('(%s) is 400, and the server goes on', async (_name, text) => {
    expect((await exchange(server.url, text)).status).toBe(400);
    expect((await server.graphql('{ __typename }')).status).toBe(200);
  });
});

describe('a page of another origin', () => {
  const query = '{"query":"{ __typename }"}';

  test.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'nonsense'])('%s may not ask', async (origin) => {
    const answer = await post(query, { ...JSON_TYPE, origin });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
  });

  test('is not what a page of this server is', async () => {
    expect((await post(query, { ...JSON_TYPE, origin: server.url })).status).toBe(200);
  });
});

describe('credentials in the address (B133)', () => {
  test.each(['token=s3cret', 'api_key=s3cret', 'authorization=Bearer%20s3cret'])('as %s are refused, and not logged', async (credentials) => {
    for (const accept of ['application/json', 'text/event-stream']) {
      const answer = await ask({ method: 'POST', headers: { ...JSON_TYPE, accept }, body: '{"query":"{ __typename }"}' }, `/graphql?${credentials}`);
      expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
      expect(JSON.stringify(answer.body)).toMatch(/header/);
    }
    expect(JSON.stringify(server.logs)).not.toContain('s3cret');
    expect(server.logs.at(-1)).toMatchObject({ path: '/graphql', status: 401 });
  });

  test.each(['/s3cret', '/graphql/s3cret', 'http://user:s3cret@127.0.0.1/graphql', '/%73%33cret#s3cret'])(
    'as %s, in its path, are not logged',
    async (target) => {
      const { status } = await exchange(server.url, `GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      await expect.poll(() => server.logs.at(-1)).toMatchObject({ path: 'elsewhere', status });
      expect(JSON.stringify(server.logs)).not.toMatch(/s3cret|%73/);
    },
  );
});
