/** The HTTP status of a GraphQL result: one rule for each error code, the highest of a result's errors wins. */
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { JsonMediaType } from './problem.ts';

type Rule = number | 'byMediaType' | 'byData';

const RULES: Readonly<Record<string, Rule>> = {
  GRAPHQL_PARSE_FAILED: 'byMediaType',
  GRAPHQL_VALIDATION_FAILED: 'byMediaType',
  BAD_USER_INPUT: 'byMediaType',
  PAYLOAD_TOO_LARGE: 200,
  INVALID_CURSOR: 200,
  OPERATION_TOO_COMPLEX: 400,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 'byData',
};

interface HttpExtension {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function httpOf({ extensions }: GraphQLError): HttpExtension {
  const http = extensions['http'];
  return typeof http === 'object' && http !== null ? http : {};
}

function statusOfError(error: GraphQLError, mediaType: JsonMediaType, hasData: boolean): number {
  const rule = RULES[String(error.extensions['code'])] ?? httpOf(error).status ?? 200;
  if (rule === 'byMediaType') return mediaType === 'application/graphql-response+json' ? 400 : 200;
  if (rule === 'byData') return hasData ? 200 : 500;
  return rule;
}

/** Where one root field has an answer it must be read, so a neighbour's error does not turn the whole into a failure. */
function hasAnswer(data: ExecutionResult['data']): boolean {
  return data !== null && data !== undefined && Object.values(data).some((value) => value !== null);
}

export function statusOf({ data, errors = [] }: ExecutionResult, mediaType: JsonMediaType): number {
  if (hasAnswer(data)) return 200;
  return Math.max(200, ...errors.map((error) => statusOfError(error, mediaType, data !== undefined)));
}

/** Headers that an error asks for, such as Allow. */
export function headersOf({ errors = [] }: ExecutionResult): Readonly<Record<string, string>> {
  return Object.assign({}, ...errors.map((error) => httpOf(error).headers ?? {}));
}
