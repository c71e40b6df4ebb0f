/**
 * Server-sent events for those who ask for nothing else: the text that subscribers share, written as yoga writes it.
 * Whatever is not a valid operation that follows events is left to yoga.
 */
import type { ServerResponse } from 'node:http';
import { GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { Principal } from '../auth/principal.ts';
import { LIMITS } from '../domain/limits.ts';
import type { EventStreams } from './event-streams.ts';
import { COMPLETE, eventText } from './event-text.ts';
import type { Gate } from './gate.ts';
import type { Yoga } from './graphql-http.ts';
import type { OpenFeed } from './tenant-charges.ts';
import type { Mask } from './graphql-pipeline.ts';
import { type Hubs, type Live, type LiveParts, prepareOperation, type Question } from './live-operations.ts';

export interface EventStreamParts extends Hubs {
  readonly yoga: Yoga;
  readonly mask: Mask;
  readonly gate: Gate;
  readonly openFeed: OpenFeed;
  readonly streams: EventStreams;
}
/** What a request asks for, as far as it was read. */
export interface StreamRequest {
  readonly principal: Principal;
  readonly params: object;
  readonly accept: string | undefined;
  /** What the gate said, for whoever answers the request after all. */
  refusal?: GraphQLError | null;
  /** Called when the answer is a stream. */
  startStream(): void;
}
/** Answers the request if it is for an event stream of events; else says that it did not. */
export type AnswerEventStream = (response: ServerResponse, request: StreamRequest) => Promise<boolean>;

const HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Type': 'text/event-stream',
  Connection: 'keep-alive',
  'Content-Encoding': 'none',
};
const PARAMETERS: readonly string[] = ['query', 'variables', 'operationName', 'extensions'];

export function createEventStreamAnswer({ yoga, mask, gate, feeds, figures, openFeed, streams }: EventStreamParts): AnswerEventStream {
  const parts: LiveParts = { yoga, feeds, figures, openFeed, transport: 'sse', show: eventText, refusal: () => null };
  return async (response, request) => {
    const { params, accept } = request;
    const question = accept?.trim().toLowerCase() === 'text/event-stream' ? questionOf(params) : null;
    const live = question === null ? null : await begin(parts, gate, request, question);
    if (live === null) return false;
    if (response.destroyed) live.discard();
    else {
      request.startStream();
      send(live, response, streams, mask);
    }
    return true;
  };
}

/** Null for what yoga has to answer. */
async function begin(parts: LiveParts, gate: Gate, request: StreamRequest, question: Question): Promise<Live | null> {
  const { principal } = request;
  try {
    const prepared = await prepareOperation(parts, principal, question);
    if (!('begin' in prepared)) return null;
    const operation = getOperationAST(prepared.args.document, question.operationName);
    if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return null;
    const { document, variableValues } = prepared.args;
    request.refusal = gate.refusalOf(gate.demandsOf(document, question.operationName), principal, variableValues);
    if (request.refusal !== null) return null;
    const begun = await prepared.begin();
    return 'follow' in begun ? begun : null;
  } catch (error) {
    // Whatever fails before the gate fails again on its way through yoga, which tells the client.
    if (request.refusal === null && error instanceof GraphQLError) request.refusal = error;
    return null;
  }
}

function questionOf(params: object): Question | null {
  const { query, variables, operationName, ...others }: Record<string, unknown> = { ...params };
  if (Object.keys(others).some((name) => !PARAMETERS.includes(name)) || typeof query !== 'string') return null;
  if (typeof operationName !== 'string' && operationName !== null && operationName !== undefined) return null;
  if (variables === null || variables === undefined) return { query, operationName };
  if (typeof variables !== 'object' || Array.isArray(variables)) return null;
  return { query, operationName, variables: { ...variables } };
}

function send(live: Live, response: ServerResponse, streams: EventStreams, mask: Mask): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  streams.begin(response);
  const leave = live.follow({
    send: (text, taken) => streams.write(response, text, taken),
    hasRoom: () => response.writableLength <= LIMITS.feedLagBytesMax,
    end: () => complete(response),
    fail: (error) => complete(response, eventText({ errors: [error instanceof GraphQLError ? error : mask(error)] })),
  });
  response.once('close', leave);
}

function complete(response: ServerResponse, last?: Buffer): void {
  if (response.writableEnded || response.destroyed) return;
  if (last !== undefined) response.write(last);
  response.end(COMPLETE);
}
