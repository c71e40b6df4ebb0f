/**
 * How large a document may be, judged before anything of it runs: bytes and tokens while parsing, the rest as a validation rule
 * that reports, so that every transport answers alike. And what may travel over a WebSocket.
 */
import {
  type ASTVisitor,
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type Source,
  type ValidationContext,
} from 'graphql';
import { utf8Bytes } from '../domain/json.ts';
import { LIMITS } from '../domain/limits.ts';
import { badInput, invalidSyntax, tooComplex } from './outcome.ts';

const TOO_MANY_TOKENS = /^Syntax Error: Document contains more than \d+ tokens/;

/** Parses a document of at most `LIMITS.documentBytesMax` and `documentTokensMax`. Throws OPERATION_TOO_COMPLEX past them, or GRAPHQL_PARSE_FAILED. */
export function parseDocument(source: string | Source): DocumentNode {
  const bytes = utf8Bytes(typeof source === 'string' ? source : source.body);
  if (bytes > LIMITS.documentBytesMax) throw tooComplex('bytes', bytes, LIMITS.documentBytesMax);
  try {
    return parse(source, { maxLexicalTokens: LIMITS.documentTokensMax });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const isTooLong = TOO_MANY_TOKENS.test(error.message);
    throw isTooLong ? tooComplex('tokens', LIMITS.documentTokensMax + 1, LIMITS.documentTokensMax) : invalidSyntax(error);
  }
}

/** Counts of a selection set with everything below it. `rootFields` are those of its own level. */
interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
  readonly directives: number;
}
const EMPTY: Size = { depth: 0, aliases: 0, rootFields: 0, directives: 0 };

/** Sums of nested fragments can double at every step: they stop where numbers stop being exact. */
const sum = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

function together(a: Size, b: Size): Size {
  return {
    depth: Math.max(a.depth, b.depth),
    aliases: sum(a.aliases, b.aliases),
    rootFields: sum(a.rootFields, b.rootFields),
    directives: sum(a.directives, b.directives),
  };
}

/** Measures each fragment once, however often it is spread. */
function measure(context: ValidationContext): (set: SelectionSetNode) => Size {
  const fragments = new Map<string, Size>();

  function ofSet(set: SelectionSetNode): Size {
    return set.selections.map(ofSelection).reduce(together, EMPTY);
  }
  function ofSelection(node: SelectionNode): Size {
    const directives = node.directives?.length ?? 0;
    return together({ ...EMPTY, directives }, ofKind(node));
  }
  function ofKind(node: SelectionNode): Size {
    if (node.kind === Kind.INLINE_FRAGMENT) return ofSet(node.selectionSet);
    if (node.kind === Kind.FRAGMENT_SPREAD) return ofFragment(node.name.value);
    const below = node.selectionSet === undefined ? EMPTY : ofSet(node.selectionSet);
    // Introspection is deep by nature and has a rule of its own.
    const isIntrospection = node.name.value === '__schema' || node.name.value === '__type';
    const aliases = sum(below.aliases, node.alias === undefined ? 0 : 1);
    return { depth: isIntrospection ? 1 : below.depth + 1, aliases, rootFields: 1, directives: below.directives };
  }
  function ofFragment(name: string): Size {
    const known = fragments.get(name);
    if (known !== undefined) return known;
    // A cycle counts as nothing here; another rule reports it.
    fragments.set(name, EMPTY);
    const fragment = context.getFragment(name);
    const size = fragment === null || fragment === undefined ? EMPTY : ofSet(fragment.selectionSet);
    fragments.set(name, size);
    return size;
  }
  return ofSet;
}

const MAXIMA = {
  depth: LIMITS.documentDepthMax,
  aliases: LIMITS.documentAliasesMax,
  rootFields: LIMITS.documentRootFieldsMax,
  directives: LIMITS.documentDirectivesMax,
} as const;
const KINDS = ['depth', 'aliases', 'rootFields', 'directives'] as const satisfies readonly (keyof typeof MAXIMA)[];

/** Validation rule: reports OPERATION_TOO_COMPLEX for each limit that an operation of the document exceeds. */
export function DocumentLimitsRule(context: ValidationContext): ASTVisitor {
  const ofSet = measure(context);
  return {
    OperationDefinition(operation) {
      const directives = operation.directives?.length ?? 0;
      const size = together({ ...EMPTY, directives }, ofSet(operation.selectionSet));
      for (const kind of KINDS) {
        if (size[kind] > MAXIMA[kind]) context.reportError(tooComplex(kind, size[kind], MAXIMA[kind]));
      }
    },
  };
}

/**
 * Why the operation may not travel over a WebSocket, or null where it may: a claim whose socket dies would strand a
 * lease, so only subscriptions do. An operation that cannot be told stays for the executor to refuse.
 */
export function refusalOverSocket(document: DocumentNode, operationName?: string | null): GraphQLError | null {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined || operation.operation === OperationTypeNode.SUBSCRIPTION) return null;
  return badInput([{ path: ['query'], message: 'must be a subscription here. Queries and mutations go over HTTP' }]);
}
