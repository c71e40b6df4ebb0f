/** The ways in: each sends a call and gives back the whole answer as one text, status, headers and body alike. */
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { WebSocket } from 'ws';

export interface Servers {
  /** Takes the short way where it can. */
  readonly url: string;
  /** Never does. */
  readonly longUrl: string;
}
export interface Sent {
  readonly document: string;
  readonly variables: object;
  /** Text of the API key. */
  readonly key: string;
  /** Value of the header, or connection parameter, that names a tenant. */
  readonly tenant?: string | readonly string[] | undefined;
}
export type Way = (servers: Servers, sent: Sent) => Promise<string>;

const agent = new Agent({ keepAlive: true });

const isSubscription = (document: string): boolean => document.startsWith('subscription');

interface HttpCall {
  readonly url: string;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  /** Whether this is enough of an answer that does not end by itself. */
  readonly isEnough: (text: string) => boolean;
}

/** Everything but what the time of the answer decides. */
const UNSTEADY: ReadonlySet<string> = new Set(['date']);

function httpAnswer({ url, method, headers, body, isEnough }: HttpCall): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent }, (response) => {
      let text = '';
      const end = (): void => {
        const shown = Object.entries(response.headers).filter(([name]) => !UNSTEADY.has(name));
        resolve(`${response.statusCode} ${JSON.stringify(shown)}\n${text}`);
      };
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (!isEnough(text)) return;
        end();
        sending.destroy();
      });
      response.once('end', end).once('error', end);
    });
    sending.once('error', reject);
    sending.end(body);
  });
}

const NEVER_ENOUGH = (): boolean => false;

interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isEnough?: HttpCall['isEnough'];
}

/** Several values are a header for each. */
const naming = ({ tenant }: Sent): OutgoingHttpHeaders =>
  tenant === undefined ? {} : { 'x-leasequeue-tenant': typeof tenant === 'string' ? tenant : [...tenant] };

function post({ url, headers, isEnough = NEVER_ENOUGH }: PostOptions, sent: Sent): Promise<string> {
  const { document: query, variables } = sent;
  const body = JSON.stringify({ query, variables });
  return httpAnswer({ url: `${url}/graphql`, method: 'POST', headers: { 'content-type': 'application/json', ...naming(sent), ...headers }, body, isEnough });
}

const bearer = ({ key }: Sent): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` });

function get({ url }: Servers, sent: Sent): Promise<string> {
  const parameters = new URLSearchParams({ query: sent.document, variables: JSON.stringify(sent.variables) });
  return httpAnswer({
    url: `${url}/graphql?${parameters}`,
    method: 'GET',
    headers: { ...bearer(sent), ...naming(sent), accept: STATUSES },
    isEnough: NEVER_ENOUGH,
  });
}

/** Of a stream that goes on, the first result is the answer. */
function eventStream({ url }: Servers, sent: Sent): Promise<string> {
  const isEnough = (text: string): boolean => isSubscription(sent.document) && /event: next\ndata: .*\n\n/.test(text);
  return post({ url, headers: { ...bearer(sent), accept: 'text/event-stream' }, isEnough }, sent);
}

/** The messages of a socket that asks once, and how it was closed. */
function socket({ url }: Servers, sent: Sent): Promise<string> {
  return new Promise((resolve) => {
    const messages: string[] = [];
    const client = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const payload = { authorization: `Bearer ${sent.key}`, ...(sent.tenant !== undefined && { 'x-leasequeue-tenant': sent.tenant }) };
    client.on('open', () => client.send(JSON.stringify({ type: 'connection_init', payload })));
    client.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      messages.push(text);
      const { type } = JSON.parse(text) as { type: string };
      if (type === 'connection_ack') client.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: sent.document, variables: sent.variables } }));
      else if (type !== 'next' || isSubscription(sent.document)) client.close(1000, 'enough');
    });
    client.on('error', () => {});
    client.on('close', (code, reason) => resolve([...messages, `${code} ${reason.toString('utf8')}`].join('\n')));
  });
}

/** With which an answer's status says what it is. */
const STATUSES = 'application/graphql-response+json';

export const WAYS = {
  'HTTP, the short way': ({ url }, sent) => post({ url, headers: { ...bearer(sent), accept: STATUSES } }, sent),
  'HTTP, the long way': ({ longUrl: url }, sent) => post({ url, headers: { ...bearer(sent), accept: STATUSES } }, sent),
  'HTTP GET': get,
  'session cookie': ({ url }, sent) =>
    post({ url, headers: { accept: 'application/json', cookie: `leasequeue_session=${sent.key}`, 'x-leasequeue-csrf': '1' } }, sent),
  'event stream': eventStream,
  WebSocket: socket,
} as const satisfies Readonly<Record<string, Way>>;
