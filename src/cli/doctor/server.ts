/** What the doctor says of the server that commands would talk to. */
import { withoutSlashes } from '../../domain/text.ts';
import type { Clock } from '../../runtime/clock.ts';
import { bad, ok, type Symptom, warn } from './symptom.ts';

export interface ServerParts {
  /** As it is set; null where it is not. */
  readonly url: string | null;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
}

const DEFAULT_URL = 'http://127.0.0.1:8000';
const ANSWER_MS_MAX = 3_000;
/** The header tells whole seconds, and the answer takes its time. */
const CLOCKS_APART_MS_MAX = 5_000;
const BODY_CHARACTERS_MAX = 100_000;
const VERSION = /^[\w.+-]{1,40}$/;

interface Answer {
  readonly status: number;
  readonly date: string | null;
  readonly text: string;
}

export async function serverSymptoms({ url, clock }: ServerParts): Promise<readonly Symptom[]> {
  const address = addressOf(url ?? DEFAULT_URL);
  // What is not an address may be a secret that got into the wrong place.
  if (address === null) return [bad('server', 'LEASEQUEUE_URL is not an address', 'It has to begin with http:// or https://')];
  const ready = await ask(`${address}/health/ready`, clock);
  if (typeof ready === 'string') return [unreachable(address, ready, url !== null)];
  const readiness = readinessOf(address, ready);
  if (readiness.level !== 'ok') return [readiness];
  const version = await shownVersion(address, clock);
  return [readiness, ...(version === null ? [] : [ok('version', `the server is ${version}`)]), ...clockSymptoms(ready, clock.nowMs())];
}

/** With a proxy's path, and without a name and password. */
function addressOf(url: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? `${parsed.origin}${withoutSlashes(parsed.pathname).replace(/\/graphql$/, '')}` : null;
}

function unreachable(address: string, reason: string, isSet: boolean): Symptom {
  const [found, advice] = [`nothing answers at ${address} (${reason})`, 'Start the server, or set LEASEQUEUE_URL to where it is.'];
  return isSet ? bad('server', found, advice) : warn('server', found, advice);
}

function readinessOf(address: string, { status, text }: Answer): Symptom {
  if (status === 200 && field(text, 'status') === 'ready') return ok('server', `${address} is ready`);
  if (status === 503 && field(text, 'status') === 'not ready')
    return bad('server', `${address} is not ready: ${field(text, 'reason') ?? 'it does not say why'}`, 'Look at its log.');
  return bad(
    'server',
    `what answers at ${address} is no LeaseQueue server, or something is before it (status ${status})`,
    'Set LEASEQUEUE_URL to where the server is.',
  );
}

function field(text: string, name: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const found: unknown = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : null;
    return typeof found === 'string' ? found : null;
  } catch {
    return null;
  }
}

/** Null where keys are needed: nobody is told then. */
async function shownVersion(address: string, clock: ServerParts['clock']): Promise<string | null> {
  const answer = await ask(`${address}/health/live`, clock);
  const version = typeof answer === 'string' ? null : field(answer.text, 'version');
  return version !== null && VERSION.test(version) ? version : null;
}

function clockSymptoms({ date }: Answer, nowMs: number): readonly Symptom[] {
  const apartMs = date === null ? Number.NaN : nowMs - Date.parse(date);
  if (Number.isNaN(apartMs)) return [];
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  if (Math.abs(apartMs) <= CLOCKS_APART_MS_MAX) return [ok('clock', 'the clocks of this machine and of the server agree')];
  return [
    warn(
      'clock',
      `the clock of this machine is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} the server's`,
      'Set both by a time server: start times that are instants mean the server’s clock.',
    ),
  ];
}

/** The reason, in words, where nothing answers. */
async function ask(url: string, clock: ServerParts['clock']): Promise<Answer | string> {
  const late = new AbortController();
  const stopWaiting = clock.after(ANSWER_MS_MAX, () => late.abort());
  try {
    const response = await fetch(url, { signal: late.signal, redirect: 'manual' });
    return { status: response.status, date: response.headers.get('date'), text: (await response.text()).slice(0, BODY_CHARACTERS_MAX) };
  } catch (error) {
    return late.signal.aborted ? `no answer within ${ANSWER_MS_MAX / 1000} s` : reasonOf(error);
  } finally {
    stopWaiting();
  }
}

function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed';
}
