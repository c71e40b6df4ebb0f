/** The payload of a job as a person gives it: in the flag, in a file, or on standard input. Every digit of a number is kept. */
import { readFileSync, statSync } from 'node:fs';
import { canonicalJson, jsonFault, parseJson, utf8Bytes } from '../../domain/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { standardInput } from '../standard-input.ts';

/** As written, with spaces: more than a payload may have without. */
const TEXT_BYTES_MAX = 16 * LIMITS.payloadBytesMax;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `source` is JSON, `@` and the path of a file, or `-` for standard input. Throws a CommandFailure in one sentence. */
export async function readPayload(source: string): Promise<Record<string, unknown>> {
  const where = source === '-' ? 'standard input' : source.startsWith('@') ? source.slice(1) : '--payload';
  return payloadOf(await textOf(source, where), where);
}

async function textOf(source: string, where: string): Promise<string> {
  try {
    if (source === '-') return await standardInput(TEXT_BYTES_MAX);
    return source.startsWith('@') ? fileText(where) : source;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw wrong(`cannot be read: ${error.message}`, where, error);
  }
}

function fileText(path: string): string {
  if (statSync(path).size > TEXT_BYTES_MAX) throw wrong(`is larger than ${TEXT_BYTES_MAX} bytes`, path);
  return decoder.decode(readFileSync(path));
}

function payloadOf(text: string, where: string): Record<string, unknown> {
  const value = parsed(text, where);
  const fault = payloadFault(value);
  if (fault !== null) throw wrong(fault, where);
  return value as Record<string, unknown>;
}

function parsed(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrong(`is not JSON: ${error.message}`, where, error);
  }
}

/** Why it cannot be a payload, in words after its name; null where it can. */
export function payloadFault(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not a JSON object, such as {"invoiceId": 42}';
  const fault = jsonFault(value, LIMITS.jsonDepthMax);
  if (fault !== null) return `${fault.message}${fault.path.length === 0 ? '' : `, at ${fault.path.join('.')}`}`;
  const bytes = utf8Bytes(canonicalJson(value));
  return bytes > LIMITS.payloadBytesMax ? `has ${bytes} bytes as JSON without spaces, and a payload at most ${LIMITS.payloadBytesMax}` : null;
}

function wrong(fault: string, where: string, cause?: unknown): CommandFailure {
  return new CommandFailure(`the payload (${where}) ${fault}. Nothing was submitted.`, EXIT.usage, { cause });
}
