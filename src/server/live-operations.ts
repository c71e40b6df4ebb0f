/**
 * Operations that follow something, alike over every transport: through the pipeline to a source that is fed by hand,
 * so that those who ask for the same thing share the reading, the execution and the text.
 */
import { type DocumentNode, type ExecutionArgs, type ExecutionResult, type GraphQLError, visit } from 'graphql';
import { type Principal, rightsOf } from '../auth/principal.ts';
import { canonicalJson } from '../domain/json.ts';
import type { SharedFeeds } from '../feed/shared-feeds.ts';
import type { FiguresParts, SharedFigures } from '../feed/shared-figures.ts';
import type { Renderer, Subscriber } from '../feed/subscriber.ts';
import type { FeedMessage, FeedParts, FeedRequest } from '../feed/tail.ts';
import type { Exchange, FeedSource, Transport } from './exchange.ts';
import type { Yoga } from './graphql-http.ts';
import type { OpenFeed } from './tenant-charges.ts';
import { createRenderer, HandFed } from './hand-fed.ts';

/** What a client asks for. */
export interface Question {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}
/** An operation that is valid and has not begun. */
export interface Prepared {
  readonly args: ExecutionArgs;
  /** Answers the result that refuses it, where it cannot begin. */
  readonly begin: () => Promise<Live | ExecutionResult>;
}
/** An operation that has begun. It is either followed or discarded, once. */
export interface Live {
  /** Sends its results to the subscriber until that one leaves by the function that is answered, or is ended. */
  readonly follow: (subscriber: Subscriber<Buffer>) => () => void;
  readonly discard: () => void;
}

/** Where those who ask for the same thing meet. */
export interface Hubs {
  readonly feeds: SharedFeeds<Buffer>;
  readonly figures: SharedFigures<unknown, Buffer>;
}
export interface LiveParts extends Hubs {
  readonly yoga: Yoga;
  readonly transport: Transport;
  /** A result as the transport sends it. */
  readonly show: (result: ExecutionResult) => Buffer;
  readonly openFeed: OpenFeed;
  /** What the transport does not take, or null. */
  readonly refusal: (document: DocumentNode, operationName: string | null | undefined) => GraphQLError | null;
}

/** Answers the errors of a bad document; throws what the pipeline throws. */
export async function prepareOperation(parts: LiveParts, principal: Principal, question: Question): Promise<Prepared | readonly GraphQLError[]> {
  const pipeline = await openPipeline(parts, principal, question);
  if (!('run' in pipeline)) return pipeline;
  const { args, run } = pipeline;
  async function begin(): Promise<Live | ExecutionResult> {
    const close = parts.openFeed(principal.tenant);
    const wanted = await run().catch((error: unknown) => {
      close();
      throw error;
    });
    if (!('kind' in wanted)) {
      close();
      return wanted;
    }
    const key = keyOf(parts.transport, principal, args.document, question);
    const openRenderer = () => openAnother(parts, principal, question);
    return closingLive(close, {
      follow: (subscriber) =>
        wanted.kind === 'events' ? parts.feeds.follow({ ...wanted, key, openRenderer }, subscriber) : parts.figures.watch({ ...wanted, key }, subscriber),
      discard: wanted.renderer.close,
    });
  }
  return { args, begin };
}

/** The same operation; `close` is called when it is over, whoever ended it. */
function closingLive(close: () => void, { follow, discard }: Live): Live {
  return {
    follow(subscriber) {
      const leave = follow({
        ...subscriber,
        end: () => {
          close();
          subscriber.end();
        },
        fail: (error) => {
          close();
          subscriber.fail(error);
        },
      });
      return () => {
        close();
        leave();
      };
    },
    discard() {
      close();
      discard();
    },
  };
}

/** What an operation asked for when it began, and what makes results of it. */
type Wanted = WantedEvents | WantedFigures;
interface WantedEvents {
  readonly kind: 'events';
  readonly parts: FeedParts;
  readonly request: FeedRequest;
  readonly renderer: Renderer<Buffer>;
}
interface WantedFigures {
  readonly kind: 'figures';
  readonly parts: FiguresParts<unknown>;
  readonly renderer: Renderer<Buffer, unknown>;
}

/** Whoever shares it is given what its own looks find, whatever that is. */
function wantedFigures<Figures>(parts: FiguresParts<Figures>, renderer: Renderer<Buffer, Figures>): WantedFigures {
  return { kind: 'figures', parts, renderer } as unknown as WantedFigures;
}

interface Pipeline {
  readonly args: ExecutionArgs;
  readonly run: () => Promise<Wanted | ExecutionResult>;
}

/** Never aborts: what is shared outlives its first subscriber, and waits for nothing by itself. */
const { signal: NEVER } = new AbortController();

async function openPipeline(parts: LiveParts, principal: Principal, question: Question): Promise<Pipeline | readonly GraphQLError[]> {
  const { yoga, transport, show } = parts;
  let wants: ((results: AsyncIterator<ExecutionResult>) => Wanted) | null = null;
  const source: FeedSource = {
    follow(feedParts, request) {
      const fed = new HandFed<FeedMessage>();
      wants = (results) => ({ kind: 'events', parts: feedParts, request, renderer: createRenderer(results, fed, show) });
      return fed;
    },
    watch<Figures>(figuresParts: FiguresParts<Figures>) {
      const fed = new HandFed<Figures>();
      wants = (results) => wantedFigures(figuresParts, createRenderer(results, fed, show));
      return fed;
    },
  };
  const exchange: Exchange = { principal, transport, params: null, accept: undefined, signal: NEVER, source, onUndelivered: () => {}, startStream: () => {} };
  const { parse, validate, contextFactory, subscribe, schema } = yoga.getEnveloped({ exchange });
  const { query, operationName, variables } = question;
  const document: DocumentNode = parse(query);
  const refusal = parts.refusal(document, operationName);
  if (refusal !== null) return [refusal];
  const errors: readonly GraphQLError[] = validate(schema, document);
  if (errors.length > 0) return errors;
  const args: ExecutionArgs = { schema, document, operationName, variableValues: variables, contextValue: await contextFactory() };

  async function run(): Promise<Wanted | ExecutionResult> {
    const result: ExecutionResult | AsyncIterable<ExecutionResult> = await subscribe(args);
    if (!(Symbol.asyncIterator in result)) return result;
    if (wants === null) throw new Error('an operation that follows nothing');
    return wants(result[Symbol.asyncIterator]());
  }
  return { args, run };
}

/** For an operation that has begun well before. */
async function openAnother(parts: LiveParts, principal: Principal, question: Question): Promise<Renderer<Buffer>> {
  const pipeline = await openPipeline(parts, principal, question);
  const wanted = 'run' in pipeline ? await pipeline.run() : null;
  if (wanted === null || !('kind' in wanted) || wanted.kind !== 'events') throw new Error('an operation that began once did not begin again');
  return wanted.renderer;
}

/** Alike for those who get the same messages from the same place on. */
function keyOf(transport: Transport, principal: Principal, document: DocumentNode, { query, operationName, variables }: Question): string {
  const place = placeVariable(document);
  const others = Object.fromEntries(Object.entries(variables ?? {}).filter(([name]) => name !== place));
  return JSON.stringify([transport, rightsOf(principal), query, operationName ?? null, canonicalJson(others)]);
}

/** The variable that says where to begin, if it says nothing else. */
function placeVariable(document: DocumentNode): string | null {
  const uses: string[] = [];
  let place: string | null = null;
  visit(document, {
    VariableDefinition: () => false,
    Field({ name, arguments: given = [] }) {
      const after = name.value === 'jobEvents' ? given.find((argument) => argument.name.value === 'after')?.value : undefined;
      if (after?.kind === 'Variable') place = after.name.value;
    },
    Variable({ name }) {
      uses.push(name.value);
    },
  });
  return uses.filter((name) => name === place).length === 1 ? place : null;
}
