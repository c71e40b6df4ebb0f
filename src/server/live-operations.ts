/**
 * Operations that follow something, alike over every transport: through the pipeline to a source that is fed by hand,
 * so that those who ask for the same thing share the reading, the execution and the text.
 */
import { type DocumentNode, type ExecutionArgs, type ExecutionResult, type GraphQLError, visit } from 'graphql';
import { type Principal, rightsOf } from '../auth/principal.ts';
import { canonicalJson } from '../domain/json.ts';
import type { Following } from '../feed/shared-feeds.ts';
import type { Exchange, Transport } from './exchange.ts';
import type { Yoga } from './graphql-http.ts';
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
  readonly begin: () => Promise<Begun>;
}
/** How an operation begins: events to be followed, another stream, or the reason why not. */
export type Begun =
  | { readonly kind: 'events'; readonly following: Following<Buffer> }
  | { readonly kind: 'stream'; readonly stream: AsyncIterable<ExecutionResult> }
  | { readonly kind: 'refused'; readonly result: ExecutionResult };

export interface LiveParts {
  readonly yoga: Yoga;
  readonly transport: Transport;
  /** A result as the transport sends it. */
  readonly show: (result: ExecutionResult) => Buffer;
  /** What the transport does not take, or null. */
  readonly refusal: (document: DocumentNode, operationName: string | null | undefined) => GraphQLError | null;
}

/** Answers the errors of a bad document; throws what the pipeline throws. `signal` ends what the operation waits for. */
export async function prepareOperation(
  parts: LiveParts,
  principal: Principal,
  question: Question,
  signal: AbortSignal,
): Promise<Prepared | readonly GraphQLError[]> {
  const source = new HandFed();
  const { yoga, transport } = parts;
  const exchange: Exchange = { principal, transport, params: null, accept: undefined, signal, source, onUndelivered: () => {}, startStream: () => {} };
  const { parse, validate, contextFactory, subscribe, schema } = yoga.getEnveloped({ exchange });
  const { query, operationName, variables } = question;
  const document: DocumentNode = parse(query);
  const refusal = parts.refusal(document, operationName);
  if (refusal !== null) return [refusal];
  const errors: readonly GraphQLError[] = validate(schema, document);
  if (errors.length > 0) return errors;
  const args: ExecutionArgs = { schema, document, operationName, variableValues: variables, contextValue: await contextFactory() };

  async function begin(): Promise<Begun> {
    const result: ExecutionResult | AsyncIterable<ExecutionResult> = await subscribe(args);
    if (!(Symbol.asyncIterator in result)) return { kind: 'refused', result };
    if (source.wanted === null) return { kind: 'stream', stream: result };
    const renderer = createRenderer(result[Symbol.asyncIterator](), source, parts.show);
    const openRenderer = () => openAnother(parts, principal, question);
    return { kind: 'events', following: { key: keyOf(transport, principal, document, question), ...source.wanted, renderer, openRenderer } };
  }
  return { args, begin };
}

/** For an operation that has begun well before. */
async function openAnother(parts: LiveParts, principal: Principal, question: Question): Promise<Following<Buffer>['renderer']> {
  const prepared = await prepareOperation(parts, principal, question, new AbortController().signal);
  const begun = 'begin' in prepared ? await prepared.begin() : null;
  if (begun?.kind !== 'events') throw new Error('an operation that began once did not begin again');
  return begun.following.renderer;
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
