/** GraphQL over HTTP: yoga, given parameters that are read already, and answering with this server's own statuses. */
import type { DocumentNode } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { GraphQLContext } from '../graphql/context.ts';
import { schema } from '../graphql/schema.ts';
import { jsonAnswer } from './answer.ts';
import { DocumentCache } from './document-cache.ts';
import type { Exchange } from './exchange.ts';
import type { Gate } from './gate.ts';
import { graphiqlOptions, type GraphiqlPage } from './graphiql.ts';
import { type Mask, pipelinePlugin } from './graphql-pipeline.ts';
import { jsonMediaType, type Problem, PROBLEMS, problemText } from './problem.ts';

export interface ServerContext {
  readonly exchange: Exchange;
}
export type Yoga = YogaServerInstance<ServerContext, GraphQLContext>;

export interface YogaParts {
  readonly createContext: (exchange: Exchange) => GraphQLContext;
  readonly mask: Mask;
  readonly gate: Gate;
  /** Null: no GraphiQL. */
  readonly renderGraphiql: GraphiqlPage | null;
}

export function createGraphqlHttp({ createContext, mask, gate, renderGraphiql }: YogaParts): Yoga {
  return createYoga<ServerContext, GraphQLContext>({
    schema,
    context: ({ exchange }) => createContext(exchange),
    graphqlEndpoint: '/graphql',
    graphiql: renderGraphiql === null ? false : graphiqlOptions,
    ...(renderGraphiql !== null && { renderGraphiQL: renderGraphiql }),
    landingPage: false,
    logging: false,
    multipart: false,
    batching: false,
    cors: false,
    maxRequestBodySize: false,
    // By text and rules alone: nothing that is validated depends on who asks or on variables.
    parserAndValidationCache: { documentCache: new DocumentCache<DocumentNode>(), errorCache: new DocumentCache<unknown>() },
    maskedErrors: { maskError: (error) => mask(error), errorMessage: 'Unexpected error.' },
    plugins: [transportPlugin(gate), pipelinePlugin(mask, gate)],
  });
}

/** Takes the parameters from the exchange and writes JSON results; yoga keeps the event streams. */
function transportPlugin(gate: Gate): Plugin<ServerContext, ServerContext> {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const { params } = serverContext.exchange;
      if (params !== null) setRequestParser(() => params);
    },
    onResultProcess({ result, serverContext: { exchange }, setResult, setResultProcessor }) {
      if (Symbol.asyncIterator in result) {
        exchange.startStream();
        return;
      }
      if (Array.isArray(result)) return;
      const shown = result.errors === undefined ? result : { ...result, errors: gate.shownErrors(result.errors, exchange.principal) };
      setResult(shown);
      const mediaType = jsonMediaType(exchange.accept);
      if (mediaType === null) return;
      setResultProcessor((_result, { Response }) => {
        const { status, headers, text } = jsonAnswer(shown, mediaType);
        return new Response(text, { status, headers });
      }, mediaType);
    },
    onResponse({ response, setResponse, fetchAPI }) {
      const problem = response.body === null ? problemOf(response.status) : null;
      if (problem === null) return;
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      setResponse(new fetchAPI.Response(problemText(problem), { status: problem.status, headers }));
    },
  };
}

function problemOf(status: number): Problem | null {
  if (status === 406) return PROBLEMS.notAcceptable;
  return status === 415 ? PROBLEMS.notJson : null;
}
