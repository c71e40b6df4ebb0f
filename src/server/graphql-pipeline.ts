/**
 * What happens to an operation between its text and its answer, alike over HTTP, event streams and WebSocket: limits
 * of documents, errors without the values that were sent, masks, and the log of what was masked.
 */
import { type ExecutionResult, getOperationAST, GraphQLError, type GraphQLSchema, Kind, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type ExecutedRequest, withoutLiteralValues, withoutVariableValues } from '../graphql/coercion.ts';
import { DocumentLimitsRule, parseDocument } from '../graphql/document-limits.ts';
import { SHOWN_NAME_CHARACTERS_MAX, toPublicError } from '../graphql/outcome.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Exchange } from './exchange.ts';
import type { Gate } from './gate.ts';

const VALIDATION_ERRORS_MAX = 10;

export interface MaskParts {
  readonly log: Logger;
  /** A new id for an error that the client sees masked. */
  readonly mintId: () => string;
}
/** Turns whatever was thrown into what the client may see, and logs what that hides, once. */
export type Mask = (error: unknown, operation?: string) => GraphQLError;

export function createMask({ log, mintId }: MaskParts): Mask {
  return (error, operation) => {
    let requestId: string | null = null;
    const shown = toPublicError(error, () => {
      requestId = mintId();
      return requestId;
    });
    const fields = { code: String(shown.extensions['code']), ...(operation !== undefined && { operation }), error: causeOf(error) };
    if (requestId !== null) log.error('an operation failed', { ...fields, requestId });
    else if (shown !== error && shown.extensions['code'] === 'SERVICE_UNAVAILABLE') log.warn('the store could not serve an operation', fields);
    return shown;
  };
}

function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError !== undefined ? causeOf(error.originalError) : error;
}

/** For the log: the operation's name, unless that is as long as a secret, else its first root field. */
function operationOf({ document, operationName }: ExecutedRequest): string {
  const operation = getOperationAST(document, operationName);
  const field = operation?.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
  const name = operation?.name?.value ?? '';
  return name !== '' && name.length <= SHOWN_NAME_CHARACTERS_MAX ? name : (field?.name.value ?? 'unknown');
}

const isStream = (value: unknown): value is AsyncIterable<unknown> => typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** What a result becomes before it is sent: without the values that were sent, and with its errors masked. */
export function mend(mask: Mask, result: ExecutionResult, args: ExecutedRequest): ExecutionResult {
  if (result.errors === undefined) return result;
  const errors = result.data === undefined || result.data === null ? withoutVariableValues(result.errors, args) : result.errors;
  return { ...result, errors: errors.map((error) => mask(error, operationOf(args))) };
}

interface MaybeExchanged {
  readonly exchange?: Exchange;
}

/** The exchange of an operation that yoga handles from its parameters on; null where another way has passed the gate. */
function exchangeOf({ exchange }: MaybeExchanged): Exchange | null {
  return exchange === undefined || exchange.params === null ? null : exchange;
}

/** The plugin for all ways into the pipeline. */
export function pipelinePlugin(mask: Mask, gate: Gate): Plugin<MaybeExchanged> {
  function refusalOf({
    document,
    operationName,
    variableValues,
    contextValue,
  }: ExecutedRequest & { readonly contextValue: MaybeExchanged }): GraphQLError | null {
    const exchange = exchangeOf(contextValue);
    if (exchange?.refusal !== undefined) return exchange.refusal;
    return exchange === null ? null : gate.refusalOf(gate.demandsOf(document, operationName), exchange.principal, variableValues);
  }

  return {
    onParse({ setParseFn }) {
      setParseFn(parseDocument);
      return ({ result, replaceParseResult }) => {
        if (result instanceof Error) replaceParseResult(mask(result));
      };
    },
    onValidate({ addValidationRule, setValidationFn }) {
      setValidationFn((schema: GraphQLSchema, document, rules) => validate(schema, document, rules, { maxErrors: VALIDATION_ERRORS_MAX }));
      addValidationRule(DocumentLimitsRule);
      return ({ result, setResult }) => setResult([...withoutLiteralValues(result.filter((error) => error instanceof GraphQLError))]);
    },
    onExecute({ args, setResultAndStopExecution }) {
      const refusal = refusalOf(args);
      if (refusal !== null) setResultAndStopExecution({ errors: [refusal] });
      return {
        onExecuteDone({ result, setResult }) {
          if (!isStream(result)) setResult(mend(mask, result, args));
        },
      };
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const refusal = refusalOf(args);
      if (refusal !== null) setResultAndStopExecution({ errors: [refusal] });
      return {
        onSubscribeResult({ result, setResult }) {
          if (!isStream(result)) setResult(mend(mask, result, args));
          return {
            onNext({ result: message, setResult: setMessage }) {
              if (!isStream(message)) setMessage(mend(mask, message, args));
            },
          };
        },
        onSubscribeError({ error, setError }) {
          setError(mask(error, operationOf(args)));
        },
      };
    },
  };
}
