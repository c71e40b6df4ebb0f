/**
 * How answers leave: expected failures as members of result unions, and everything that concerns the request as a
 * GraphQL error with a code. The only maker of GraphQL errors, for every transport.
 */
import { type FieldNode, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Scope } from '../domain/access.ts';
import { FAILURES, type Failure, type Outcome } from '../domain/failures.ts';
import type { InvalidRequest, StoreFault } from '../store/store.ts';

/** One thing that is wrong with the input. The message never holds the value. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The value of an outcome, or its failure: a member of the operation's result union either way. */
export function answer<Value, Refusal extends Failure>(outcome: Outcome<Value, Refusal>): Value | Refusal {
  return outcome.ok ? outcome.value : outcome.failure;
}

/** The one outcome of a call with one request. */
export function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`one outcome was expected, not ${items.length}`);
  return item;
}

/** Names the member of a result union: the failure's type, or else the one success type. */
export function memberType(successType: string): (member: object) => string {
  return (member) => failureType(member) ?? successType;
}

function failureType(member: object): string | null {
  return 'code' in member && isFailureCode(member.code) ? FAILURES[member.code].type : null;
}

function isFailureCode(code: unknown): code is Failure['code'] {
  return typeof code === 'string' && Object.hasOwn(FAILURES, code);
}

// `spec`: the status holds for application/graphql-response+json only; plain JSON answers 200.
const BAD_DOCUMENT = { spec: true, status: 400 } as const;

const issueText = ({ path, message }: Issue): string => `${path.join('.')} ${message}`;

/** BAD_USER_INPUT. Needs at least one issue. */
export function badInput(issues: readonly Issue[]): GraphQLError {
  const [first, ...others] = issues.map(issueText);
  const rest = others.length === 0 ? '' : ` (and ${others.length} more, see the issues)`;
  return new GraphQLError(`The input is not valid: ${first}${rest}.`, { extensions: { code: 'BAD_USER_INPUT', issues, http: BAD_DOCUMENT } });
}

/** PAYLOAD_TOO_LARGE. The issues' messages state limit and size. */
export function payloadTooLarge(issues: readonly Issue[]): GraphQLError {
  return new GraphQLError(`The input is too large: ${issues.map(issueText).join('; ')}.`, { extensions: { code: 'PAYLOAD_TOO_LARGE', issues } });
}

/** INVALID_CURSOR: malformed, of another tenant, or of another list or order. */
export function invalidCursor(argument: string): GraphQLError {
  return new GraphQLError(`\`${argument}\` is not a cursor of this list. Use a cursor that the same field gave out, in the same order, or leave it out.`, {
    extensions: { code: 'INVALID_CURSOR', argument },
  });
}

export type ComplexityKind = 'bytes' | 'tokens' | 'depth' | 'aliases' | 'rootFields' | 'directives' | 'cost';

/** OPERATION_TOO_COMPLEX. `found` may be the first count past the limit, where counting stops there. */
export function tooComplex(kind: ComplexityKind, found: number, max: number): GraphQLError {
  return new GraphQLError(`The document is too complex: ${kind} ${found}, at most ${max} allowed. Split it into several requests.`, {
    extensions: { code: 'OPERATION_TOO_COMPLEX', kind, found, max, http: { status: 400 } },
  });
}

/** UNAUTHENTICATED: nobody the server knows, or nobody it still trusts. */
export function unauthenticated(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED', http: { status: 401, headers: { 'www-authenticate': 'Bearer' } } } });
}

/** FORBIDDEN: the key is restricted to other queues. */
function otherQueue(): { readonly message: string; readonly extensions: Record<string, unknown> } {
  const message = 'The API key is restricted to other queues than the one that was named. Nothing was changed.';
  return { message, extensions: { code: 'FORBIDDEN', http: { status: 403 } } };
}

/** FORBIDDEN: the field is about the whole tenant, and the key is restricted to some of its queues. */
export function wholeTenant(field: string): GraphQLError {
  const message = `${field} concerns all queues of the tenant, and this key is restricted to some. Leave the field out, or use a key for all queues.`;
  return new GraphQLError(message, { extensions: { code: 'FORBIDDEN', field, http: { status: 403 } } });
}

/** FORBIDDEN: the field needs any of the scopes, and the key has none of them. */
export function forbidden(field: string, anyOf: readonly Scope[]): GraphQLError {
  const missing =
    anyOf.length === 1 ? `the scope ${anyOf.join()}, which this key does not have` : `one of the scopes ${anyOf.join(', ')}, and this key has none of them`;
  return new GraphQLError(`${field} needs ${missing}. Nothing was run: leave the field out, or use a key with the scope.`, {
    extensions: { code: 'FORBIDDEN', field, scopes: anyOf, http: { status: 403 } },
  });
}

/** RATE_LIMITED: nothing was run, and the same request may be sent again after this time. */
export function rateLimited(retryAfterMs: number): GraphQLError {
  const ms = Math.max(1, Math.ceil(retryAfterMs));
  return new GraphQLError(`Too many requests, or too costly ones, in too short a time. Nothing was run: repeat the request in ${ms} ms.`, {
    extensions: { code: 'RATE_LIMITED', retryAfterMs: ms, http: { status: 429, headers: { 'retry-after': String(Math.ceil(ms / 1_000)) } } },
  });
}

/** GRAPHQL_VALIDATION_FAILED in the executor's own words for a schema that is not explained. */
export function schemaHidden(nodes: readonly [FieldNode, ...FieldNode[]]): GraphQLError {
  const [node] = nodes;
  const message = `GraphQL introspection has been disabled, but the requested query contained the field "${node.name.value}".`;
  return new GraphQLError(message, { nodes: [node], extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: BAD_DOCUMENT } });
}

/** Names in a document are shown and logged up to this length. What is longer may be a token or a key where a name should be. */
export const SHOWN_NAME_CHARACTERS_MAX = 40;
const LONG_NAME = new RegExp(`\\w{${SHOWN_NAME_CHARACTERS_MAX + 1},}`, 'g');
const withoutLongNames = (message: string): string => message.replace(LONG_NAME, '…');

/** The same error of a bad document, in which such names are left out. */
export function shownNames(error: GraphQLError): GraphQLError {
  const message = withoutLongNames(error.message);
  return message === error.message ? error : rewritten(error, message, error.extensions);
}

const SUGGESTION = ' Did you mean ';

/** The errors of a bad document without hints at names that the schema has. */
export function withoutSuggestions(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  return errors.map((error) => {
    const end = error.message.endsWith('?') ? error.message.indexOf(SUGGESTION) : -1;
    return end === -1 ? error : rewritten(error, error.message.slice(0, end), error.extensions);
  });
}

/** GRAPHQL_VALIDATION_FAILED with a message of ours in place of one that repeats a value of the document. */
export function invalidLiteral(error: GraphQLError, message: string): GraphQLError {
  return rewritten(error, message, { code: 'GRAPHQL_VALIDATION_FAILED', http: BAD_DOCUMENT });
}

function rewritten(error: GraphQLError, message: string, extensions: Readonly<Record<string, unknown>>): GraphQLError {
  return new GraphQLError(message, { nodes: error.nodes, source: error.source, positions: error.positions, path: error.path, extensions });
}

/** The HTTP library's word for a document of several operations, none of which was named. */
const NO_OPERATION = 'OPERATION_RESOLUTION_FAILURE';
const SYNTAX_ERROR = /^Syntax Error: /;
/** A token of the document that holds a value. */
const QUOTED_VALUE = /\b(String|BlockString|Int|Float) ".*"/s;

/** GRAPHQL_PARSE_FAILED for a syntax error of graphql's, which may repeat a value of the document. */
export function invalidSyntax(error: GraphQLError): GraphQLError {
  return rewritten(error, withoutLongNames(error.message.replace(QUOTED_VALUE, '$1')), { code: 'GRAPHQL_PARSE_FAILED', http: BAD_DOCUMENT });
}

function unavailable(fault: StoreFault): { readonly message: string; readonly extensions: Record<string, unknown> } {
  const doubt = fault.outcomeUnknown ? 'Whether the change happened is unknown' : 'Nothing was changed';
  const message = `The server cannot serve this request at the moment. ${doubt}: repeat it with the same idempotency key, lease token or requestId.`;
  return { message, extensions: { code: 'SERVICE_UNAVAILABLE', outcomeUnknown: fault.outcomeUnknown, http: { status: 503 } } };
}

/** By name: the layer sees the store as a type only. */
function isStoreFault(cause: unknown): cause is StoreFault {
  return cause instanceof Error && cause.name === 'StoreFault' && 'outcomeUnknown' in cause;
}

function isInvalidRequest(cause: unknown): cause is InvalidRequest {
  return cause instanceof Error && cause.name === 'InvalidRequest' && 'issues' in cause;
}

/** What was thrown at first, under the layers that the executor wraps around it. */
function rootCause(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError !== undefined ? rootCause(error.originalError) : error;
}

/** The executor's report of an argument that does not fit, followed by its value. */
const ARGUMENT_ERROR = /^Argument "(?:\w+\.\w+\()?(\w+)/;

/** Errors of graphql itself, which carry no code: those of the document have no path, those of a field do. */
function libraryError(error: GraphQLError): GraphQLError | null {
  const [, argument] = ARGUMENT_ERROR.exec(error.message) ?? [];
  if (argument !== undefined && error.path !== undefined) {
    const { message, extensions } = badInput([{ path: [argument], message: 'does not fit the type of the argument' }]);
    return rewritten(error, message, extensions);
  }
  if (error.path !== undefined) return null;
  if (SYNTAX_ERROR.test(error.message)) return invalidSyntax(error);
  return rewritten(error, withoutLongNames(error.message), { code: 'GRAPHQL_VALIDATION_FAILED', http: BAD_DOCUMENT });
}

/**
 * What a client may see of whatever was thrown, with its path and position. An error of ours passes as it is; a fault
 * of the store is SERVICE_UNAVAILABLE, a request that only it can judge BAD_USER_INPUT; everything unexpected is
 * INTERNAL_SERVER_ERROR, masked, with a new id under which the caller logs the cause. The extensions `http` and
 * `unexpected` are for the transport, which removes them.
 */
export function toPublicError(error: unknown, mintId: () => string): GraphQLError {
  const cause = rootCause(error);
  const located = error instanceof GraphQLError ? error : new GraphQLError('');
  if (isStoreFault(cause)) {
    const { message, extensions } = unavailable(cause);
    return rewritten(located, message, extensions);
  }
  if (isInvalidRequest(cause)) {
    const { message, extensions } = badInput(cause.issues);
    return rewritten(located, message, extensions);
  }
  if (cause instanceof Error && cause.name === 'QueueForbidden') {
    const { message, extensions } = otherQueue();
    return rewritten(located, message, extensions);
  }
  if (cause instanceof GraphQLError) {
    if (located.extensions['code'] === NO_OPERATION)
      return rewritten(located, withoutLongNames(located.message), { code: 'GRAPHQL_VALIDATION_FAILED', http: BAD_DOCUMENT });
    if (typeof located.extensions['code'] === 'string') return located;
    const known = libraryError(located);
    if (known !== null) return known;
  }
  return rewritten(located, 'Unexpected error.', { code: 'INTERNAL_SERVER_ERROR', requestId: mintId(), unexpected: true });
}

/** An error as it is printed: without what is meant for the transport only. */
export function formatError(error: GraphQLError): GraphQLFormattedError {
  const { http: _http, unexpected: _unexpected, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions };
}
