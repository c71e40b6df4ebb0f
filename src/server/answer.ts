/** The answer to a GraphQL operation in JSON: its status, its headers and its text, alike on both ways over HTTP. */
import type { ExecutionResult } from 'graphql';
import { formatError } from '../graphql/outcome.ts';
import type { JsonMediaType } from './problem.ts';
import { headersOf, statusOf } from './status.ts';

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export function jsonAnswer(result: ExecutionResult, mediaType: JsonMediaType): JsonAnswer {
  const contentType = `${mediaType}; charset=utf-8`;
  if (result.errors === undefined) return { status: 200, headers: { 'content-type': contentType }, text: JSON.stringify(result) };
  return {
    status: statusOf(result, mediaType),
    headers: { ...headersOf(result), 'content-type': contentType },
    text: JSON.stringify({ ...result, errors: result.errors.map(formatError) }),
  };
}
