/** Reads what a request carries: counted as it arrives, decoded strictly, parsed so that numbers keep their digits. */
import type { IncomingMessage } from 'node:http';
import { parseJson } from '../domain/json.ts';
import { bodyTooLarge, type Problem, PROBLEMS } from './problem.ts';

export type Reading = { readonly ok: true; readonly params: object } | { readonly ok: false; readonly problem: Problem };

const refused = (problem: Problem): Reading => ({ ok: false, problem });

/** The parameters in the body of a POST. Stops reading one byte past the limit, whatever its headers say. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Reading> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (!isJson(request.headers['content-type'])) return refused(PROBLEMS.notJson);
  if (encoding !== 'identity') return refused(PROBLEMS.encoded);
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return refused(bodyTooLarge(bytesMax));

  const bytes = await collect(request, bytesMax);
  if (bytes === 'too large') return refused(bodyTooLarge(bytesMax));
  if (bytes === 'incomplete') return refused(PROBLEMS.incomplete);
  const text = decode(bytes);
  if (text === null) return refused(PROBLEMS.badText);
  const params = parsed(text);
  if (params === BROKEN) return refused(PROBLEMS.badJson);
  if (Array.isArray(params)) return refused(PROBLEMS.batch);
  if (typeof params !== 'object' || params === null) return refused(PROBLEMS.notObject);
  if (hasUnknownParameter(params)) return refused(PROBLEMS.unknownParameter);
  return isOperationName('operationName' in params ? params.operationName : null) ? { ok: true, params } : refused(PROBLEMS.badOperationName);
}

/**
 * Any other is refused here, without its name, which the HTTP library would repeat; and whoever reads the parameters later
 * may take a member `then` for a promise.
 */
const PARAMETERS: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);

function hasUnknownParameter(params: object): boolean {
  for (const name in params) if (!PARAMETERS.has(name) && Reflect.get(params, name) !== null) return true;
  return false;
}

function isOperationName(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/** The parameters in the address of a GET. */
export function readQuery(search: string): Reading {
  const given = new URLSearchParams(search);
  const params: Record<string, unknown> = {};
  for (const name of ['query', 'operationName']) params[name] = given.get(name) || undefined;
  for (const name of ['variables', 'extensions']) {
    const value = parsed(given.get(name) || 'null');
    if (value === BROKEN) return refused(PROBLEMS.badParameter);
    params[name] = value ?? undefined;
  }
  return { ok: true, params };
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return type === 'application/json' && (charset === undefined || /^"?utf-?8"?$/.test(charset));
}

function collect(request: IncomingMessage, bytesMax: number): Promise<Buffer | 'too large' | 'incomplete'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= bytesMax) return;
      request.pause().off('data', take);
      resolve('too large');
    };
    const end = (): void => resolve(joined(chunks));
    // Later than the end it changes nothing.
    const cut = (): void => resolve('incomplete');
    request.on('data', take).on('end', end).on('close', cut).on('error', cut);
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

const BROKEN = Symbol('not JSON');

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return BROKEN;
  }
}
