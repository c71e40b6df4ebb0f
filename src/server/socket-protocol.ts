/**
 * The graphql-transport-ws protocol over the same pipeline as HTTP. Subscriptions only; whatever is wrong with one
 * operation is told to that operation, and the socket and its other subscriptions go on.
 */
import { type ExecutionArgs, type FormattedExecutionResult, GraphQLError } from 'graphql';
import { CloseCode, type Context, type ExecutionResult, makeServer, type OperationResult, type Server, type ServerOptions } from 'graphql-ws';
import { LAPSES } from '../auth/authenticate.ts';
import { exactNumber } from '../domain/json.ts';
import { LIMITS } from '../domain/limits.ts';
import { refusalOverSocket } from '../graphql/document-limits.ts';
import { badInput, formatError, rateLimited, unauthenticated } from '../graphql/outcome.ts';
import type { Gate } from './gate.ts';
import type { Yoga } from './graphql-http.ts';
import type { OpenFeed } from './tenant-charges.ts';
import type { Mask } from './graphql-pipeline.ts';
import { type Hubs, type LiveParts, type Prepared, prepareOperation } from './live-operations.ts';
import { sharedStream } from './shared-stream.ts';
import type { Admission, Applicant } from './socket-admission.ts';

/** What the protocol knows of a socket. */
export interface SocketState extends Applicant {
  /** Sends a result of the operation, as `resultText` made it. `taken` is called once the system has it, or the socket is gone. */
  sendResult(id: string, text: Buffer, taken: () => void): void;
  /** False while so much is unsent that others do not wait for this socket. */
  hasRoom(): boolean;
}

export interface ProtocolParts extends Hubs {
  readonly yoga: Yoga;
  readonly mask: Mask;
  readonly gate: Gate;
  readonly openFeed: OpenFeed;
  readonly admission: Admission;
  /** How long a new socket may stay silent. */
  readonly initialiseMs: number;
}

interface Operation {
  readonly id: string;
  readonly socket: SocketState;
  readonly begin: Prepared['begin'];
}

type Options = ServerOptions<Record<string, unknown>, SocketState>;

export type SocketProtocol = Server<SocketState>;

export function createSocketProtocol({ yoga, mask, gate, admission, feeds, figures, openFeed, initialiseMs }: ProtocolParts): SocketProtocol {
  const operations = new WeakMap<ExecutionArgs, Operation>();
  const live: LiveParts = { yoga, feeds, figures, openFeed, transport: 'websocket', show: resultText, refusal: refusalOverSocket };

  const onSubscribe: NonNullable<Options['onSubscribe']> = async ({ subscriptions, extra: socket }, id, payload) => {
    try {
      // The library has entered this one already.
      const open = Object.keys(subscriptions).length;
      if (open > LIMITS.subscriptionsPerSocketMax) return [tooMany()];
      const principal = admission.principalOf(socket);
      if (principal === null) return [unauthenticated(LAPSES.expired)];
      const waitMs = await admission.charge(principal);
      if (waitMs !== null) return [rateLimited(waitMs)];
      const prepared = await prepareOperation(live, principal, payload);
      if (!('begin' in prepared)) return gate.shownErrors(prepared, principal);
      const { document, operationName, variableValues } = prepared.args;
      const refusal = gate.refusalOf(gate.demandsOf(document, operationName), principal, variableValues);
      if (refusal !== null) return refuse(socket, refusal);
      operations.set(prepared.args, { id, socket, begin: prepared.begin });
      return prepared.args;
    } catch (error) {
      return [mask(error)];
    }
  };

  async function start({ id, socket, begin }: Operation): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
    const begun = await begin();
    if (!('follow' in begun)) return begun;
    return sharedStream(begun, { send: (text, taken) => socket.sendResult(id, text, taken), hasRoom: () => socket.hasRoom() });
  }

  return makeServer<Record<string, unknown>, SocketState>({
    connectionInitWaitTimeout: initialiseMs,
    jsonMessageReviver: reviveNumber,
    onConnect: (context) => admission.admit(context.extra, takenParameters(context)),
    onSubscribe,
    subscribe: async (args) => {
      try {
        return await start(operationOf(operations, args));
      } catch (error) {
        return { errors: [mask(error)] };
      }
    },
    onOperation: (_context, _id, _payload, _args, result) => failingAsStream(result),
    onNext: (_context, _id, _payload, _args, result) => formatResult(result),
    onError: (_context, _id, _payload, errors) => errors.flatMap(toldErrors).map((error) => formatError(mask(error))),
  });
}

/** The parameters of a connection, which hold its key: the library would keep them for as long as the socket is open. */
function takenParameters(context: Pick<Context<Record<string, unknown>>, 'connectionParams'>): Readonly<Record<string, unknown>> {
  const { connectionParams = {} } = context;
  Reflect.deleteProperty(context, 'connectionParams');
  return connectionParams;
}

/** The payload of a `next` message, with which the message ends. */
const resultText = (result: ExecutionResult): Buffer => Buffer.from(`${JSON.stringify(formatResult(result))}}`);

/** A `next` message up to its payload. */
export const resultHead = (id: string): string => `{"id":${JSON.stringify(id)},"type":"next","payload":`;

/** A key that may not do this has no business with the socket; any other refusal concerns the operation alone. */
function refuse(socket: SocketState, refusal: GraphQLError): readonly GraphQLError[] {
  if (refusal.extensions['code'] === 'FORBIDDEN') socket.close(CloseCode.Forbidden, refusal.message);
  return [refusal];
}

/** Called for each value of a message, with the text of numbers, so that they keep their digits. */
function reviveNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? exactNumber(context.source, value) : value;
}

function tooMany(): GraphQLError {
  return badInput([{ path: ['id'], message: `would be one more than the ${LIMITS.subscriptionsPerSocketMax} subscriptions that a socket may have` }]);
}

function operationOf(operations: WeakMap<ExecutionArgs, Operation>, args: ExecutionArgs): Operation {
  const operation = operations.get(args);
  if (operation === undefined) throw new Error('an operation that was not prepared');
  return operation;
}

function formatResult({ data, errors, extensions }: ExecutionResult): FormattedExecutionResult {
  return {
    ...(data !== undefined && { data }),
    ...(errors !== undefined && { errors: errors.map(formatError) }),
    ...(extensions !== undefined && { extensions }),
  };
}

const isStream = (result: ExecutionResult | AsyncIterable<ExecutionResult>): result is AsyncIterable<ExecutionResult> => Symbol.asyncIterator in result;

/** An operation that did not even begin becomes a stream that fails: the protocol has a message of its own for that. */
async function failingAsStream(operation: OperationResult): Promise<AsyncIterable<ExecutionResult>> {
  const result: ExecutionResult | AsyncIterable<ExecutionResult> = await operation;
  if (isStream(result)) return result;
  const { errors = [] } = result;
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new AggregateError(errors)) }) };
}

/** The errors that an error of the library stands for. */
function toldErrors(error: GraphQLError): readonly GraphQLError[] {
  const cause = error.cause ?? error.originalError;
  if (cause instanceof AggregateError) return cause.errors.filter((told) => told instanceof GraphQLError);
  return [cause instanceof GraphQLError ? cause : error];
}
