/**
 * The log: one JSON line per entry. An entry is built from the fields allowed here, never by hiding some of what is
 * at hand: no payload, token, key, query text or address with its query has a field to be in, nor has the message of an
 * error, which may repeat any of them.
 */
import type { Clock } from './clock.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What an entry may tell beside its message. */
export interface LogFields {
  /** Also in the answer that the client got. */
  readonly requestId?: string;
  /** Name of the GraphQL operation, or of its root field. */
  readonly operation?: string;
  readonly transport?: string;
  readonly code?: string | number;
  readonly reason?: string;
  readonly method?: string;
  /** One of the server's own addresses, without the query; `elsewhere` for any other. */
  readonly path?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly url?: string;
  readonly version?: string;
  readonly environment?: string;
  readonly signal?: string;
  readonly step?: string;
  readonly count?: number;
  /** Name, code and stack are written, and the message where it cannot hold a value that was sent. */
  readonly error?: unknown;
}
const FIELDS = [
  'requestId',
  'operation',
  'transport',
  'code',
  'reason',
  'method',
  'path',
  'status',
  'durationMs',
  'url',
  'version',
  'environment',
  'signal',
  'step',
  'count',
] as const satisfies readonly (keyof LogFields)[];

export type Log = (message: string, fields?: LogFields) => void;
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}

export interface LoggerParts {
  readonly level: LogLevel;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly stream: { write(line: string): unknown };
}

const TEXT_CHARACTERS_MAX = 2_000;
const CAUSES_MAX = 3;
/** Errors whose messages are sentences of this program. Known by name: the log sees none of their classes. */
const PLAIN_ERRORS: ReadonlySet<string> = new Set(['StoreFault', 'DatabaseUnusable']);
/** What a database says of a constraint: the names of its columns. */
const BROKEN_CONSTRAINT = /^[A-Z ]+ constraint failed(?:: \w+(?:\.\w+)?(?:, \w+(?:\.\w+)?)*)?$/;
/** A line of a stack, which ends in a place. */
const FRAME = /^\s+at .*(?::\d+:\d+|<anonymous>|\bnative)\)?$/;

export function createLogger({ level, clock, stream }: LoggerParts): Logger {
  const at = (entryLevel: LogLevel): Log => {
    if (LOG_LEVELS.indexOf(entryLevel) < LOG_LEVELS.indexOf(level)) return () => {};
    return (message, fields = {}) => {
      const allowed = FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]] as const]));
      const error = 'error' in fields ? { error: describe(fields.error) } : {};
      const entry = { time: new Date(clock.nowMs()).toISOString(), level: entryLevel, message, ...Object.fromEntries(allowed), ...error };
      stream.write(`${JSON.stringify(entry)}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** `depth`: of the chain of causes, which may bite its own tail. */
function describe(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { name: 'thrown value', type: typeof error };
  const message = isPlain(error) ? { message: cut(error.message) } : {};
  const code = 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? { code: error.code } : {};
  const cause = error.cause === undefined || depth >= CAUSES_MAX ? {} : { cause: describe(error.cause, depth + 1) };
  return { name: error.name, ...message, ...code, stack: cut(frames(error)), ...cause };
}

function isPlain({ name, message }: Error): boolean {
  return PLAIN_ERRORS.has(name) || BROKEN_CONSTRAINT.test(message);
}

/** The stack after its first lines, which repeat the message. */
function frames({ stack = '', message }: Error): string {
  const said = stack.indexOf(message);
  return stack
    .slice(said === -1 ? 0 : said + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim())
    .join('\n');
}

function cut(text: string): string {
  return text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text;
}
