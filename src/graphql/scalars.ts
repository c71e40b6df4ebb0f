/**
 * The scalars: what text and values they take, and what they print. A refusal never names the value. How large or
 * deep JSON may be is no matter of the scalar, but of the input that holds it.
 */
import { Kind, type ValueNode } from 'graphql';
import { parseDateTime } from '../domain/instant.ts';
import { exactNumber, isRawNumber } from '../domain/json.ts';
import { builder } from './builder.ts';

/** What to send instead, for whoever sent a value that does not fit. By type name; the built-in ones included. */
export const SCALAR_HINTS: ReadonlyMap<string, string> = new Map([
  ['Int', 'must be a whole number between -2147483648 and 2147483647'],
  ['Float', 'must be a finite number'],
  ['String', 'must be text'],
  ['ID', 'must be text or a whole number'],
  ['Boolean', 'must be true or false'],
  ['DateTime', 'must be an RFC 3339 instant with a zone, such as 2026-03-01T12:00:00.000Z, of the years 0 to 9999'],
  ['JSON', 'must be a JSON value'],
  ['JSONObject', 'must be a JSON object'],
  ['EventCursor', 'must be the text of a cursor'],
]);

function refuse(scalar: string): never {
  throw new TypeError(`${scalar} ${SCALAR_HINTS.get(scalar)}`);
}

let written = { ms: 0, text: '1970-01-01T00:00:00.000Z' };

/** Instants of one answer are often the same, and writing one takes longer than all else about it. */
function instantText(ms: number): string {
  if (ms !== written.ms) written = { ms, text: new Date(ms).toISOString() };
  return written.text;
}

builder.scalarType('DateTime', {
  description:
    'An instant, as RFC 3339 text with a zone: `2026-03-01T12:00:00Z` or `2026-03-01T13:00:00.5+01:00`. A time without a zone is refused, ' +
    'and so is a day that does not exist. Up to nine digits of fraction are taken and cut to milliseconds. Output is always UTC with milliseconds: ' +
    '`2026-03-01T12:00:00.000Z`.',
  serialize: instantText,
  parseValue: (value) => (typeof value === 'string' ? parseDateTime(value) : null) ?? refuse('DateTime'),
});

type Variables = Readonly<Record<string, unknown>> | null | undefined;

function jsonOfLiteral(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables?.[node.name.value] ?? null;
    case Kind.INT:
    case Kind.FLOAT:
      return exactNumber(node.value, Number(node.value));
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return node.values.map((item) => jsonOfLiteral(item, variables));
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, jsonOfLiteral(value, variables)]));
    case Kind.ENUM:
      return refuse('JSON');
    default:
      return node satisfies never;
  }
}

function jsonObject(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
  return isObject ? value : refuse('JSONObject');
}

const NUMBERS = 'Whole numbers beyond 2^53 keep their digits, in variables and in the document alike.';

builder.scalarType('JSON', {
  description: `Any JSON value. ${NUMBERS}`,
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: jsonOfLiteral,
});

builder.scalarType('JSONObject', {
  description: `A JSON object: \`{"invoiceId": 42}\`. A list, a text, a number or null is refused. ${NUMBERS}`,
  serialize: (value) => value,
  parseValue: jsonObject,
  parseLiteral: (node, variables) => jsonObject(jsonOfLiteral(node, variables)),
});

builder.scalarType('EventCursor', {
  description:
    "An opaque, versioned position in a tenant's event log. Keep it and pass it back as it is; compare for equality only. It is bound to its tenant, " +
    'and to the database it came from.',
  serialize: (value) => value,
  parseValue: (value) => (typeof value === 'string' ? value : refuse('EventCursor')),
});
