/** Does everything at a server that can be done with secrets, right and wrong, over every transport, and keeps what it says to that. */
import { schema } from '../../src/graphql/schema.ts';
import { exchange, openConnection, readToEnd } from '../support/raw-http.ts';
import { openSocket, refusedHandshake, type TestSocket } from '../support/sockets.ts';
import { CALLS, type Call, documentOf, kindOf, LAST_CALL, type Life } from './calls.ts';
import { CANARIES, kindsIn, placesIn, type Secrets } from './canaries.ts';

export interface Place {
  readonly url: string;
  readonly wsUrl: string;
  /** May do everything and see everything. */
  readonly key: string;
  /** May do the same but for claims and tenants, and see no payloads. */
  readonly narrowKey: string;
}

/** Where a secret may be: its kind and the names on the way to it. */
const ALLOWED = [
  /^leaseToken in data\.claimJobs\.leases\.leaseToken$/,
  /^payload in data\.claimJobs\.leases\.job\.payload\.card$/,
  /^apiKey in data\.createApiKey\.secret$/,
  /^details in data\..*\b(?:lastError|error)\.details\.card$/,
  /^errorMessage in data\..*\b(?:lastError|error)\.message$/,
  /^errorMessage in data\.deadLetterGroups?\.(?:nodes\.)?message$/,
];
const ALLOWED_WITH_PAYLOADS = [...ALLOWED, /^payload in data\..*\bpayload\.card$/, /^result in data\..*\bresult\.card$/];

export class Visit {
  /** Every place where a secret was that may not be there. */
  readonly leaks: string[] = [];
  /** Places where a secret was that may be there: proof that it was looked for. */
  readonly seen = new Set<string>();
  readonly secrets: Secrets;
  readonly life: Life = { jobId: '', leaseToken: '', keyId: '' };
  /** Codes of the errors and failures that came. */
  readonly codes = new Set<string>();
  readonly #place: Place;

  constructor(place: Place, secrets: Secrets) {
    this.#place = place;
    this.secrets = secrets;
    for (const key of [place.key, place.narrowKey]) this.#keep(key);
  }

  get authorization(): string {
    return `Bearer ${this.#place.key}`;
  }

  /** The whole key, and the part of it that is secret. */
  #keep(key: string): void {
    this.secrets.set(key, 'apiKey').set(key.split('_').at(-1) ?? key, 'apiKey');
  }

  /** A text in which no secret may be. */
  silent(what: string, text: string): void {
    for (const kind of kindsIn(text, this.secrets)) this.leaks.push(`${what}: ${kind}`);
    for (const [, code = ''] of text.matchAll(/"code":"(\w+)"/g)) this.codes.add(code);
  }

  #answer(what: string, text: string, allowed: readonly RegExp[]): void {
    for (const [, code = ''] of text.matchAll(/"code":"(\w+)"/g)) this.codes.add(code);
    for (const place of placesIn(JSON.parse(text), this.secrets)) {
      if (allowed.some((pattern) => pattern.test(place))) this.seen.add(place);
      else this.leaks.push(`${what}: ${place}`);
    }
  }

  async post(what: string, body: string, key = this.#place.key, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const response = await fetch(`${this.#place.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
      body,
    });
    this.silent(`headers of ${what}`, JSON.stringify([...response.headers]));
    return response.text();
  }

  /** An operation that goes right or wrong, where what is sent may come back from where it is kept only. */
  async operation(what: string, query: string, variables: object, key = this.#place.key): Promise<string> {
    const text = await this.post(what, JSON.stringify({ query, variables }), key);
    this.#learn(text);
    this.#answer(what, text, key === this.#place.key ? ALLOWED_WITH_PAYLOADS : ALLOWED);
    return text;
  }

  #learn(text: string): void {
    const { data } = JSON.parse(text) as { data?: Record<string, Record<string, never> | null> | null };
    const { claimJobs, createApiKey, submitJob } = data ?? {};
    const { leaseToken, job } = (claimJobs?.['leases']?.[0] ?? {}) as { leaseToken?: string; job?: { id: string } };
    if (leaseToken !== undefined && job !== undefined) {
      this.secrets.set(leaseToken, 'leaseToken');
      Object.assign(this.life, { leaseToken, jobId: job.id });
    }
    const submitted = (submitJob as { job?: { id: string } } | undefined)?.job;
    if (submitted !== undefined) this.life.jobId = submitted.id;
    const made = createApiKey as { secret?: string; apiKey?: { id: string } } | undefined;
    if (made?.secret !== undefined) this.#keep(made.secret);
    if (made?.apiKey !== undefined) this.life.keyId = made.apiKey.id;
  }

  /** Every operation of the schema; reads also without the scope for payloads. */
  async everything(): Promise<void> {
    await this.calls();
    await this.#subscriptions();
  }

  async calls(): Promise<void> {
    for (const call of CALLS) await this.#call(call);
  }

  end(): Promise<void> {
    return this.#call(LAST_CALL);
  }

  async #call({ field, variables }: Call): Promise<void> {
    const { key, narrowKey } = this.#place;
    const given = variables(this.life);
    const kind = kindOf(schema, field);
    const query = documentOf(schema, field, Object.keys(given), kind);
    await this.operation(field, query, given);
    if (kind === 'query' || field === 'submitJob') await this.operation(`${field} without PAYLOADS`, query, given, narrowKey);
    if (key === narrowKey) throw new Error('two keys were expected');
  }

  async #subscriptions(): Promise<void> {
    const { url, key, narrowKey } = this.#place;
    const given = { maxBatch: 1_000, everyMs: 20 };
    const cursor = await this.#firstCursor();
    const query = documentOf(schema, 'jobEvents', ['after', 'maxBatch', 'everyMs'], 'subscription');
    const variables = { ...given, after: cursor };
    for (const holder of [key, narrowKey]) {
      const allowed = holder === key ? ALLOWED_WITH_PAYLOADS : ALLOWED;
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${holder}` };
      const stopping = new AbortController();
      const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }), signal: stopping.signal });
      this.#answer('an event stream', await firstEvent(response), allowed);
      stopping.abort();
      const socket = await this.socket(`Bearer ${holder}`);
      socket.subscribe('1', query, variables);
      this.#answer('a socket', JSON.stringify((await socket.nextOf('1')).payload), allowed);
      socket.subscribe('2', documentOf(schema, 'stats', [], 'subscription'));
      this.silent('figures over a socket', JSON.stringify((await socket.nextOf('2')).payload));
      socket.socket.close();
    }
  }

  async #firstCursor(): Promise<string> {
    const text = await this.operation('cursors', '{ jobEvents(first: 1) { nodes { cursor } } }', {});
    return (JSON.parse(text) as { data: { jobEvents: { nodes: readonly { cursor: string }[] } } }).data.jobEvents.nodes[0]?.cursor ?? '';
  }

  /** After its first message was answered, if only by its end. */
  async socket(authorization: unknown = this.authorization): Promise<TestSocket> {
    const socket = await openSocket(this.#place.wsUrl);
    socket.send({ type: 'connection_init', payload: { authorization } });
    await Promise.race([socket.next(), socket.closed]);
    return socket;
  }

  #everySecret(): readonly string[] {
    return [...Object.values(CANARIES), this.#place.key, this.life.leaseToken];
  }

  /** What is wrong with the request, with each secret in it. */
  async failures(): Promise<void> {
    for (const secret of this.#everySecret()) {
      await this.#badDocuments(secret);
      await this.#badVariables(secret);
      await this.#badBodies(secret);
      await this.#badMessages(secret);
    }
    await this.#badCredentials();
    await this.#badRequests();
  }

  async #badDocuments(secret: string): Promise<void> {
    const word = /^\w+$/.test(secret) ? secret : `w_${secret.replaceAll(/\W/g, '_')}`.padEnd(41, '_');
    this.secrets.set(word, this.secrets.get(secret) ?? 'apiKey');
    const documents = [
      `mutation { submitJob(input: {task: "t", idempotencyKey: "${secret}" `,
      `mutation { submitJob(input: {task: "t", idempotencyKey: "${secret}" } "${secret}") { __typename } }`,
      `mutation { submitJob(input: {task: "t", idempotencyKey: "${secret}`,
      `{ stats { ready } } """${secret}`,
      `# ${secret}\n{ nope }`,
      `mutation { submitJob(input: {task: "t", priority: "${secret}"}) { __typename } }`,
      `mutation { submitJob(input: {task: {a: "${secret}"}}) { __typename } }`,
      `mutation { completeJob(input: {jobId: "1", leaseToken: ${word}}) { __typename } }`,
      `query ${word} { ${word} }`,
      `query ${word}($${word}: ${word}) { stats(${word}: $${word}) @${word} { ...${word} } }`,
      `{ jobs(after: "${secret}") { nodes { id } } }`,
      `{ jobEvents(after: "${secret}") { cursor } }`,
    ];
    for (const query of documents) {
      this.silent('a bad document', await this.post('a bad document', JSON.stringify({ query, operationName: query.includes(`query ${word}`) ? word : null })));
      this.silent('a bad document in an address', await (await fetch(`${this.#place.url}/graphql?query=${encodeURIComponent(query)}`, this.#signed())).text());
      this.silent('a bad document on a stream', await this.post('a bad document', JSON.stringify({ query }), undefined, { accept: 'text/event-stream' }));
    }
  }

  #signed(): { readonly headers: { readonly authorization: string } } {
    return { headers: { authorization: `Bearer ${this.#place.key}` } };
  }

  async #badVariables(secret: string): Promise<void> {
    const wrong: readonly unknown[] = [
      secret,
      [secret],
      { a: secret },
      `${secret} ${'x'.repeat(200)}`,
      { [`${secret}\u0000`]: 1 },
      `${secret}\ud800`,
      4711,
      null,
    ];
    const inputs: Readonly<Record<string, readonly string[]>> = {
      submitJob: ['task', 'payload', 'idempotencyKey', 'priority', 'queue', 'tags', 'start', 'concurrencyKey', secret],
      claimJobs: ['workerId', 'requestId', 'max', 'queues', 'completing'],
      completeJob: ['leaseToken', 'result'],
      heartbeat: ['leases'],
      failJob: ['error', 'retry'],
      updateTenant: ['quotas'],
      createApiKey: ['scopes', 'expiresAt', 'queues'],
    };
    for (const [field, names] of Object.entries(inputs)) {
      const query = documentOf(schema, field, ['input'], 'mutation');
      for (const name of names) {
        const bad = wrong.find((value) => typeof value === 'object' && value !== null && !Array.isArray(value)) ?? secret;
        for (const value of name === 'payload' || name === 'result'
          ? [secret.repeat(4_000), `${secret}\ud800`]
          : [bad, [secret, bad], `${secret}\u0000\ud800 ${'x'.repeat(200)}`]) {
          const input = { ...(name === 'payload' && { task: 't' }), [name]: name === 'payload' ? { card: value } : value };
          this.silent(
            `${field} with a bad ${name === secret ? 'name' : name}`,
            await this.post(`a bad ${field}`, JSON.stringify({ query, variables: { input } })),
          );
        }
      }
    }
    this.silent('variables that are none', await this.post('variables', JSON.stringify({ query: '{ stats { ready } }', variables: secret })));
    this.silent('extensions that are none', await this.post('extensions', JSON.stringify({ query: '{ stats { ready } }', extensions: secret })));
    this.silent('a parameter that is none', await this.post('parameters', JSON.stringify({ query: '{ stats { ready } }', [secret]: secret })));
    this.silent('an unknown name', await this.post('names', JSON.stringify({ query: '{ stats { ready } }', operationName: secret.padEnd(41, '_') })));
  }

  async #badBodies(secret: string): Promise<void> {
    for (const body of [
      `{"query": "${secret}`,
      secret,
      `"${secret}"`,
      `["${secret}"]`,
      `{"query": "{ stats { ready } }", "x": ${secret}}`,
      secret.repeat(8_000),
    ])
      this.silent('a bad body', await this.post('a bad body', body));
    for (const headers of [
      { 'content-type': secret },
      { 'content-type': `application/json; charset=${secret}` },
      { 'content-encoding': secret },
      { accept: secret },
    ])
      this.silent('a bad type', await this.post('a bad type', `{"query": "${secret}"}`, undefined, headers));
  }

  async #badMessages(secret: string): Promise<void> {
    const messages = [
      secret,
      `{"type": "${secret}`,
      { type: secret },
      { type: 'subscribe', id: 5, payload: { query: secret } },
      { type: 'connection_init', payload: secret },
      { type: 'ping', payload: secret },
      Buffer.from(secret),
    ];
    for (const message of messages) {
      const socket = await this.socket();
      if (Buffer.isBuffer(message)) socket.socket.send(message);
      else socket.send(message);
      this.silent('the end of a socket', JSON.stringify(await socket.closed));
      this.silent('messages of a socket', JSON.stringify(socket.received));
    }
    const socket = await this.socket();
    const events = documentOf(schema, 'jobEvents', ['filter', 'after'], 'subscription');
    const subscribed: readonly (readonly [query: string, variables: object])[] = [
      [`subscription { jobEvents(after: "${secret}`, {}],
      [`subscription { jobEvents(filter: "${secret}") { __typename } }`, {}],
      [events, { after: secret }],
      [events, { filter: { queues: { a: secret }, [secret]: secret } }],
      [events, { filter: secret }],
      [`query ${secret} { stats { ready } }`, {}],
      [`mutation { submitJob(input: {task: "t", idempotencyKey: "${secret}"}) { __typename } }`, {}],
    ];
    for (const [index, [query, variables]] of subscribed.entries()) {
      socket.subscribe(String(index), query, variables);
      this.silent('a bad subscription', JSON.stringify(await socket.nextOf(String(index))));
    }
    socket.socket.close();
  }

  async #badCredentials(): Promise<void> {
    const { url, wsUrl, key } = this.#place;
    const forged = `${key.slice(0, -10)}0123456789`;
    this.secrets.set(forged, 'apiKey').set(forged.split('_').at(-1) ?? '', 'apiKey');
    for (const authorization of [key, `Basic ${key}`, `Bearer ${forged}`, `Bearer ${key} ${key}`, `Bearer ${key}x`, `Bearer ${this.life.leaseToken}`])
      this.silent('bad credentials', await this.post('bad credentials', '{"query": "{ stats { ready } }"}', undefined, { authorization }));
    for (const authorization of [`Bearer ${forged}`, { key }, [key], `Basic ${key}`]) {
      const socket = await this.socket(authorization);
      this.silent('bad credentials of a socket', JSON.stringify([await socket.closed, socket.received]));
    }
    for (const name of ['token', 'api_key', 'apiKey', 'authorization', 'access_token', 'Authorization']) {
      for (const accept of ['application/json', 'text/event-stream', 'text/html'])
        this.silent('credentials in an address', await (await fetch(`${url}/graphql?${name}=${key}&query={__typename}`, { headers: { accept } })).text());
      this.silent('credentials in the address of a socket', (await refusedHandshake(`${wsUrl}?${name}=${key}`)).text);
      this.silent('credentials in the address of a page', await (await fetch(`${url}/?${name}=${key}`)).text());
    }
    await this.#session();
  }

  async #session(): Promise<void> {
    const { url, key } = this.#place;
    const session = (method: string, headers: Record<string, string>) => fetch(`${url}/session`, { method, headers });
    const opened = await session('POST', { authorization: `Bearer ${key}` });
    const [cookie = ''] = opened.headers.getSetCookie();
    if (!cookie.includes(key)) this.leaks.push('the session keeps no key');
    this.silent('a session', (await opened.text()) + JSON.stringify([...opened.headers].filter(([name]) => name !== 'set-cookie')));
    const asked = { 'content-type': 'application/json', cookie: cookie.split(';')[0] ?? '' };
    for (const headers of [asked, { ...asked, 'x-leasequeue-csrf': key }, { ...asked, cookie: `${asked.cookie}x`, 'x-leasequeue-csrf': '1' }]) {
      const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: '{"query": "{ viewer { apiKey { id } } }"}' });
      this.silent('a request with a cookie', (await response.text()) + JSON.stringify([...response.headers]));
    }
    for (const [method, headers] of [
      ['POST', asked],
      ['POST', { authorization: `Bearer ${key}x` }],
      ['DELETE', { ...asked, 'x-leasequeue-csrf': '1' }],
      ['PUT', asked],
    ] as const) {
      const response = await session(method, headers);
      this.silent(`${method} of a session`, (await response.text()) + JSON.stringify([...response.headers]));
    }
  }

  async #badRequests(): Promise<void> {
    const { url, key } = this.#place;
    const head = (first: string, ...headers: readonly string[]) => `${[first, ...headers, 'connection: close'].join('\r\n')}\r\n\r\n`;
    const host = 'host: localhost';
    const upgrade = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'];
    const requests = [
      key,
      `${key}\r\n\r\n`,
      head(`GET /${key} HTTP/1.1`, host),
      head(`GET /graphql/${key} HTTP/1.1`, host),
      head(`GET http://user:${key}@localhost/graphql HTTP/1.1`, host),
      head(`${key} / HTTP/1.1`, host),
      head(`GET / HTTP/${key}`, host),
      head(`GET /${key.repeat(200)} HTTP/1.1`, host),
      head('GET / HTTP/1.1', host, `x-${key}: ${key.repeat(400)}`),
      head('GET / HTTP/1.1', host, ...Array.from({ length: 200 }, () => `x-a: ${key}`)),
      head('GET / HTTP/1.1', host, `${key} : ${key}`),
      head('GET /graphql HTTP/1.1', `host: ${key} ${key}`),
      head('GET /graphql HTTP/1.1', `host: user:${key}@localhost`),
      head('GET /graphql HTTP/1.1', host, `origin: http://${key}`),
      head('POST /graphql HTTP/1.1', host, `expect: ${key}`, 'content-length: 0'),
      head('POST /graphql HTTP/1.1', host, `content-length: ${key}`),
      head('POST /graphql HTTP/1.1', host, `transfer-encoding: ${key}`),
      head('POST /graphql HTTP/1.1', host, 'transfer-encoding: chunked') + key,
      head(
        'POST /graphql HTTP/1.1',
        host,
        `authorization: Bearer ${key}`,
        `x-leasequeue-tenant: ${key}`,
        'content-type: application/json',
        'content-length: 2',
      ) + '{}',
      head('GET /graphql HTTP/1.1', host, ...upgrade, 'sec-websocket-protocol: graphql-transport-ws', `sec-websocket-key: ${key}`),
      head('GET /graphql HTTP/1.1', host, ...upgrade, `sec-websocket-protocol: ${key}`, 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='),
      head('GET /graphql HTTP/1.1', host, 'connection: Upgrade', `upgrade: ${key}`),
    ];
    for (const request of requests) this.silent('a bad request', (await exchange(url, request)).text);
    const cut = await openConnection(url);
    const answer = readToEnd(cut);
    cut.end(head('POST /graphql HTTP/1.1', host, `authorization: Bearer ${key}`, 'content-type: application/json', 'content-length: 9999') + key);
    this.silent('a body that was cut off', await answer);
  }

  async pages(): Promise<void> {
    const { url } = this.#place;
    for (const path of ['/', '/metrics', '/health/live', '/health/ready', '/schema.graphql', '/graphql']) {
      const response = await fetch(url + path, { headers: { accept: path === '/graphql' ? 'text/html' : '*/*', authorization: `Bearer ${this.#place.key}` } });
      this.silent(`the page ${path}`, (await response.text()) + JSON.stringify([...response.headers]));
    }
  }
}

async function firstEvent(response: Response): Promise<string> {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const [, data] = /^data: (.+)$/m.exec(text) ?? [];
    if (data !== undefined && text.includes('\n\n', text.indexOf('data: '))) return data;
  }
  return text;
}
