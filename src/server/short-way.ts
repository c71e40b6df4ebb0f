/**
 * The short way of a request: straight from its parameters through yoga's pipeline to its answer, without the objects
 * of the fetch API. It takes the valid query or mutation that is to be answered in JSON, and leaves everything else to
 * yoga's own handler before anything has run; both ways give the same bytes.
 */
import type { ServerResponse } from 'node:http';
import { type DocumentNode, type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { GraphQLContext } from '../graphql/context.ts';
import { jsonAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Yoga } from './graphql-http.ts';
import type { Mask } from './graphql-pipeline.ts';
import { jsonMediaType } from './problem.ts';
import { RecentMap } from './recent-map.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Answers, or answers false having done nothing: the request has to go the long way. */
export type ShortWay = (response: ServerResponse, exchange: Exchange) => Promise<boolean>;

interface PlainRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}

const DOCUMENTS_MAX = 500;
/** Longer texts are rare, and are parsed and validated through yoga's own cache. */
const DOCUMENT_CHARACTERS_MAX = 8_192;
const PARAMETERS: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);

export interface ShortWayParts {
  readonly yoga: Yoga;
  readonly createContext: (exchange: Exchange) => GraphQLContext;
  readonly mask: Mask;
}

export function createShortWay({ yoga, createContext, mask }: ShortWayParts): ShortWay {
  const documents = new RecentMap<string, DocumentNode>(DOCUMENTS_MAX);
  // Nothing of the pipeline differs from request to request but the context, which execution is given.
  const pipeline = yoga.getEnveloped();

  async function resultOf(document: DocumentNode, { variables, operationName }: PlainRequest, exchange: Exchange): Promise<ExecutionResult> {
    const { schema, execute } = pipeline;
    try {
      return await execute({ schema, document, contextValue: createContext(exchange), variableValues: variables, operationName });
    } catch (error) {
      return { errors: [mask(error)] };
    }
  }

  function documentOf(text: string): DocumentNode | null {
    const known = documents.get(text);
    if (known !== undefined) return known;
    const document = parsed(pipeline.parse, text);
    if (document === null || pipeline.validate(pipeline.schema, document).length > 0) return null;
    if (text.length <= DOCUMENT_CHARACTERS_MAX) documents.set(text, document);
    return document;
  }

  return async (response, exchange) => {
    const mediaType = jsonMediaType(exchange.accept);
    const { params } = exchange;
    if (mediaType === null || params === null || !isPlain(params)) return false;
    const document = documentOf(params.query);
    if (document === null || !isShort(document, params.operationName)) return false;
    const { status, headers, text } = jsonAnswer(await resultOf(document, params, exchange), mediaType);
    if (response.destroyed) return true;
    response.writeHead(status, { ...SECURITY_HEADERS, ...headers, 'content-length': Buffer.byteLength(text) });
    response.end(text);
    return true;
  };
}

function parsed(parse: (text: string) => DocumentNode, text: string): DocumentNode | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

function isShort(document: DocumentNode, operationName: string | null | undefined): boolean {
  const operation = getOperationAST(document, operationName);
  return operation !== null && operation !== undefined && operation.operation !== OperationTypeNode.SUBSCRIPTION;
}

/** Nothing that the parameters' own checks would refuse. */
function isPlain(params: object): params is PlainRequest {
  if (Object.keys(params).some((name) => !PARAMETERS.has(name))) return false;
  const { query, variables, extensions }: { query?: unknown; variables?: unknown; extensions?: unknown } = params;
  return typeof query === 'string' && isOptionalObject(variables) && isOptionalObject(extensions);
}

function isOptionalObject(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value));
}
