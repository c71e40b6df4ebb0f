/**
 * The short way of a request: from its parameters to its answer without the objects of the fetch API, parsed and
 * validated by yoga's pipeline, executed by plan where there is one. It takes the valid query or mutation that is to be
 * answered in JSON, and leaves everything else to yoga's own handler before anything has run; both give the same bytes.
 */
import type { ServerResponse } from 'node:http';
import { type DocumentNode, type ExecutionArgs, type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { GraphQLContext } from '../graphql/context.ts';
import type { Demands } from '../graphql/demands.ts';
import { executePlan } from '../graphql/execute-plan.ts';
import { type OperationPlan, planOperation } from '../graphql/plan.ts';
import { jsonAnswer } from './answer.ts';
import { DocumentCache } from './document-cache.ts';
import type { Exchange } from './exchange.ts';
import type { Gate } from './gate.ts';
import type { Yoga } from './graphql-http.ts';
import { type Mask, mend } from './graphql-pipeline.ts';
import { jsonMediaType } from './problem.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Answers, or answers false having done nothing: the request has to go the long way. */
export type ShortWay = (response: ServerResponse, exchange: Exchange) => Promise<boolean>;

export interface ShortWayParts {
  readonly yoga: Yoga;
  readonly createContext: (exchange: Exchange) => GraphQLContext;
  readonly mask: Mask;
  readonly gate: Gate;
}

interface PlainRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly operationName?: string | null;
}
type OperationName = PlainRequest['operationName'];

/** One operation of a valid document. */
interface Operation {
  readonly document: DocumentNode;
  /** Null: the executor has to do it. */
  readonly plan: OperationPlan | null;
  readonly demands: Demands | null;
}
/** Its operations by name, once they were asked for. */
interface KnownDocument {
  readonly document: DocumentNode;
  readonly operations: Map<OperationName, Operation>;
}

export function createShortWay({ yoga, createContext, mask, gate }: ShortWayParts): ShortWay {
  // Nothing of the pipeline differs from request to request but the context, which execution is given.
  const { parse, validate, execute, schema } = yoga.getEnveloped();
  const documents = new DocumentCache<KnownDocument>();

  function documentOf(text: string): KnownDocument | null {
    const known = documents.get(text);
    if (known !== undefined) return known;
    const document = parsed(parse, text);
    if (document === null || validate(schema, document).length > 0) return null;
    const found: KnownDocument = { document, operations: new Map() };
    documents.set(text, found);
    return found;
  }

  function operationOf({ query, operationName }: PlainRequest): Operation | null {
    const known = documentOf(query);
    if (known === null) return null;
    const { document, operations } = known;
    const operation = operations.get(operationName);
    if (operation !== undefined) return operation;
    if (!hasOperation(document, operationName)) return null;
    const found = { document, plan: planOperation(schema, document, operationName), demands: gate.demandsOf(document, operationName) };
    operations.set(operationName, found);
    return found;
  }

  async function resultOf({ plan }: Operation, request: ExecutionArgs): Promise<ExecutionResult> {
    try {
      return await ((plan === null ? null : executePlan(plan, request)) ?? execute(request));
    } catch (error) {
      return { errors: [mask(error)] };
    }
  }

  return async (response, exchange) => {
    const mediaType = jsonMediaType(exchange.accept);
    const { params } = exchange;
    if (mediaType === null || params === null || !isPlain(params)) return false;
    const operation = operationOf(params);
    if (operation === null) return false;
    const { variables: variableValues, operationName } = params;
    const request = { schema, document: operation.document, contextValue: createContext(exchange), variableValues, operationName };
    const refusal = gate.refusalOf(operation.demands, exchange.principal, variableValues);
    const result = refusal === null ? await resultOf(operation, request) : { errors: [refusal] };
    const { status, headers, text } = jsonAnswer(mend(mask, result, request), mediaType);
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

/** Whether the name tells one operation, and that is no subscription. */
function hasOperation(document: DocumentNode, operationName: OperationName): boolean {
  const operation = getOperationAST(document, operationName);
  return operation !== null && operation !== undefined && operation.operation !== OperationTypeNode.SUBSCRIPTION;
}

/** Nothing that the parameters' own checks would refuse. */
function isPlain(params: object): params is PlainRequest {
  const { query, variables, extensions }: { query?: unknown; variables?: unknown; extensions?: unknown } = params;
  return typeof query === 'string' && isOptionalObject(variables) && isOptionalObject(extensions);
}

function isOptionalObject(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value));
}
