/**
 * The server's settings. Every variable of the prefix is either known or
 * stops the start: a setting that is spelled wrong must not pass for one that is switched off.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import type { Retention } from '../domain/job.ts';
import { BASE_PATH } from './base-path.ts';
import { LOG_LEVELS, type LogLevel } from './logger.ts';
import { closestName } from './closest-name.ts';
import { CLIENT_VARIABLES, type Environ, isClientVariable } from './environment.ts';

export const ENVIRONMENTS = ['development', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const AUTH_MODES = ['required', 'none'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

export interface Config {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Below which a proxy shows the server, such as `/queue`; the empty text: at the root. */
  readonly basePath: string;
  readonly databasePath: string;
  readonly environment: Environment;
  /** `none`: nobody has to sign in. */
  readonly auth: AuthMode;
  /** Where nobody has to sign in and nobody said so: names that a page of another site could not have made point here. */
  readonly answersLoopbackNamesOnly: boolean;
  readonly maxRequestBytes: number;
  readonly logLevel: LogLevel;
  /** Tenants that the metrics page names. */
  readonly metricTenantsMax: number;
  readonly retention: Retention;
}
export type ConfigResult = { readonly ok: true; readonly config: Config } | { readonly ok: false; readonly problems: readonly string[] };

const PREFIX = 'LEASEQUEUE_';
const DATABASE_PATH = 'leasequeue.db';
const REQUEST_BYTES_MIN = 1_024;
const REQUEST_BYTES_MAX = 16_777_216;
const RETAIN_HOURS_MAX = LIMITS.retainSecondsMax / 3_600;

/** A variable for the documentation. `default` null: none. */
export interface ConfigVariable {
  readonly name: string;
  readonly default: string | null;
  readonly meaning: string;
}

export const CONFIG_VARIABLES = [
  { name: 'LEASEQUEUE_HOST', default: '127.0.0.1', meaning: 'Address to listen on.' },
  { name: 'LEASEQUEUE_PORT', default: '8000', meaning: 'Port to listen on, 0 to 65535. 0 takes any free one, which the start line names.' },
  {
    name: 'LEASEQUEUE_BASE_PATH',
    default: '/',
    meaning: 'Path below which a proxy shows the server to browsers, such as `/queue`. Every address answers with it and without it.',
  },
  { name: 'LEASEQUEUE_DATABASE_PATH', default: DATABASE_PATH, meaning: 'SQLite file. One server process owns it.' },
  { name: 'LEASEQUEUE_DATABASE_URL', default: null, meaning: 'Reserved for PostgreSQL, which this version does not have yet: leave it unset.' },
  { name: 'LEASEQUEUE_DATABASE_URL_FILE', default: null, meaning: 'Reserved: the same from a file.' },
  {
    name: 'LEASEQUEUE_ENVIRONMENT',
    default: 'development',
    meaning: '`development` or `production`, which turns off GraphiQL and introspection and turns on authentication.',
  },
  {
    name: 'LEASEQUEUE_AUTH',
    default: '`required` in production, `none` in development on a loopback address',
    meaning:
      '`required`: every request needs an API key. `none`: nobody signs in, and everybody may do everything. Where it is not set, in development on loopback, only requests that call the server by a name of the loopback are answered; on any other address it has to be set.',
  },
  {
    name: 'LEASEQUEUE_MAX_REQUEST_BYTES',
    default: String(LIMITS.requestBytesMax),
    meaning: `Largest HTTP body or WebSocket message, ${REQUEST_BYTES_MIN} to ${REQUEST_BYTES_MAX} bytes.`,
  },
  { name: 'LEASEQUEUE_LOG_LEVEL', default: 'info', meaning: '`debug`, `info`, `warn` or `error`.' },
  {
    name: 'LEASEQUEUE_METRIC_TENANTS',
    default: '0',
    meaning: `How many tenants the metrics page names, with their quotas and what they use of them: 0 to ${LIMITS.metricTenantsMax}, the first by id.`,
  },
  {
    name: 'LEASEQUEUE_RETAIN_FINISHED_HOURS',
    default: String(LIMITS.retainFinishedSecondsDefault / 3_600),
    meaning: `Whole hours that completed and cancelled jobs are kept after their end, up to ${RETAIN_HOURS_MAX}; 0 keeps them for ever.`,
  },
  {
    name: 'LEASEQUEUE_RETAIN_DEAD_HOURS',
    default: String(LIMITS.retainDeadSecondsDefault / 3_600),
    meaning: 'The same for dead letters.',
  },
] as const satisfies readonly ConfigVariable[];
type VariableName = (typeof CONFIG_VARIABLES)[number]['name'];

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i;
const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))*\.?$/;
const DIGITS = /^\d{1,15}$/;
const SERVICE_LINK = /^LEASEQUEUE_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP))(?:_|$)/;
const SERVICE_LINK_HINT =
  'a container platform makes variables like this for a service named "leasequeue" (a service link): rename the service, or switch its links off (Kubernetes: enableServiceLinks: false)';

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(DIGITS, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const SCHEMAS = {
  host: z.string().refine((text) => isIP(text) !== 0 || HOST_NAME.test(text), 'must be an IP address or a host name, without a port'),
  port: z
    .string()
    .refine((text) => !/^(?:tcp|udp):\/\//.test(text), { error: `must be a port: ${SERVICE_LINK_HINT}`, abort: true })
    .pipe(wholeNumber(0, 65_535)),
  basePath: BASE_PATH,
  databasePath: z.string().refine((text) => !/^postgres(?:ql)?:/i.test(text), 'must be the path of a file; PostgreSQL is not part of this version yet'),
  environment: z.enum(ENVIRONMENTS, { error: `must be ${ENVIRONMENTS.join(' or ')}` }),
  auth: z.enum(AUTH_MODES, { error: 'must be required or none' }),
  maxRequestBytes: wholeNumber(REQUEST_BYTES_MIN, REQUEST_BYTES_MAX),
  metricTenants: wholeNumber(0, LIMITS.metricTenantsMax),
  logLevel: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }),
  retainHours: wholeNumber(0, RETAIN_HOURS_MAX).transform((value) => value * 3_600),
} as const;

type Read = <Value>(name: VariableName, schema: z.ZodType<Value>) => Value | undefined;

/** Reads one setting, undefined where it is not set. What is wrong with it is added to `problems`. */
function reader(env: Environ, problems: string[]): Read {
  return (name, schema) => {
    const text = env[name];
    if (text === undefined) return undefined;
    if (text.trim() === '') {
      problems.push(`${name} is empty: give it a value, or unset it.`);
      return undefined;
    }
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}${shown(name, text)}.`);
    return undefined;
  };
}

export type DatabasePathResult = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly problems: readonly string[] };

/** The database that the server would use, for commands that need no server: other settings may have any value. */
export function readDatabasePath(env: Environ): DatabasePathResult {
  const problems: string[] = [...unknownVariables(env), ...reservedVariables(env)];
  const path = reader(env, problems)('LEASEQUEUE_DATABASE_PATH', SCHEMAS.databasePath) ?? DATABASE_PATH;
  return problems.length === 0 ? { ok: true, path } : { ok: false, problems };
}

/** Reads the settings. Pure: every problem is named in the answer, all of them at once. */
export function readConfig(env: Environ): ConfigResult {
  const problems: string[] = [...unknownVariables(env), ...reservedVariables(env)];
  const read = reader(env, problems);
  const host = read('LEASEQUEUE_HOST', SCHEMAS.host) ?? '127.0.0.1';
  const environment = read('LEASEQUEUE_ENVIRONMENT', SCHEMAS.environment) ?? 'development';
  const auth = env['LEASEQUEUE_AUTH'] === undefined ? defaultAuth(environment, host) : (read('LEASEQUEUE_AUTH', SCHEMAS.auth) ?? 'required');
  if (auth === null) problems.push(CHOOSE_AUTH);
  const finishedSeconds = read('LEASEQUEUE_RETAIN_FINISHED_HOURS', SCHEMAS.retainHours) ?? LIMITS.retainFinishedSecondsDefault;
  const config: Config = {
    host,
    port: read('LEASEQUEUE_PORT', SCHEMAS.port) ?? 8_000,
    basePath: read('LEASEQUEUE_BASE_PATH', SCHEMAS.basePath) ?? '',
    databasePath: read('LEASEQUEUE_DATABASE_PATH', SCHEMAS.databasePath) ?? DATABASE_PATH,
    environment,
    auth: auth ?? 'required',
    answersLoopbackNamesOnly: env['LEASEQUEUE_AUTH'] === undefined && environment === 'development' && isLoopback(host),
    maxRequestBytes: read('LEASEQUEUE_MAX_REQUEST_BYTES', SCHEMAS.maxRequestBytes) ?? LIMITS.requestBytesMax,
    logLevel: read('LEASEQUEUE_LOG_LEVEL', SCHEMAS.logLevel) ?? 'info',
    metricTenantsMax: read('LEASEQUEUE_METRIC_TENANTS', SCHEMAS.metricTenants) ?? 0,
    retention: {
      completedSeconds: finishedSeconds,
      cancelledSeconds: finishedSeconds,
      deadSeconds: read('LEASEQUEUE_RETAIN_DEAD_HOURS', SCHEMAS.retainHours) ?? LIMITS.retainDeadSecondsDefault,
    },
  };
  return problems.length === 0 ? { ok: true, config } : { ok: false, problems };
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Where people put an address with a password in it, or an API key. */
const NEVER_SHOWN: ReadonlySet<VariableName> = new Set(['LEASEQUEUE_DATABASE_PATH', 'LEASEQUEUE_HOST', 'LEASEQUEUE_AUTH']);
/** A word or an address without its user: longer ones may be a secret, in whichever variable. */
const HARMLESS = /^[\w.:/ -]{1,32}$/;

/** A value as the message about it may show it; the empty text where it may not. */
function shown(name: VariableName, text: string): string {
  return !NEVER_SHOWN.has(name) && HARMLESS.test(text) ? `, not ${JSON.stringify(text)}` : '';
}

function unknownVariables(env: Environ): readonly string[] {
  const own: readonly string[] = CONFIG_VARIABLES.map(({ name }) => name);
  const known = [...own, ...CLIENT_VARIABLES.map(({ name }) => name)];
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && env[name] !== undefined && !own.includes(name) && !isClientVariable(name))
    .toSorted()
    .map((name) => {
      if (SERVICE_LINK.test(name)) return `${name} is not a setting: ${SERVICE_LINK_HINT}.`;
      const closest = closestName(name, known);
      return `${name} is not a setting of LeaseQueue${closest === null ? '.' : `: did you mean ${closest}?`}`;
    });
}

function reservedVariables(env: Environ): readonly string[] {
  return ['LEASEQUEUE_DATABASE_URL', 'LEASEQUEUE_DATABASE_URL_FILE']
    .filter((name) => env[name] !== undefined)
    .map((name) => `${name} is set, but PostgreSQL is not part of this version yet: unset it and use LEASEQUEUE_DATABASE_PATH.`);
}

const CHOOSE_AUTH =
  'LEASEQUEUE_AUTH has to be set by name where LEASEQUEUE_HOST is not a loopback address: "required" for API keys, or "none", only behind something that authenticates.';

/** Null: there is none, it has to be chosen. */
function defaultAuth(environment: Environment, host: string): AuthMode | null {
  if (environment === 'production') return 'required';
  return isLoopback(host) ? 'none' : null;
}
