/**
 * Executes a plan. It answers what the executor answers to the same document, key by key and error by error, without
 * working out the document again: the executor stays the measure, and does whatever a plan does not cover.
 */
import {
  defaultFieldResolver,
  type ExecutionResult,
  getArgumentValues,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  locatedError,
  OperationTypeNode,
  responsePathAsArray,
} from 'graphql';
import { BareFields as Answer } from './bare-fields.ts';
import { coerceInput } from './coerce-input.ts';
import type { FieldPlan, OperationPlan, VariablePlan } from './plan.ts';

export interface PlanRequest {
  readonly contextValue?: unknown;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
}

type Path = NonNullable<Parameters<typeof responsePathAsArray>[0]>;
type Variables = NonNullable<Parameters<typeof getArgumentValues>[2]>;

/** Where in an answer a value goes. */
interface Place {
  readonly field: FieldPlan;
  readonly path: Path;
}

interface Run {
  readonly plan: OperationPlan;
  readonly context: unknown;
  readonly variables: Variables;
  readonly errors: GraphQLError[];
}

/** The result of the operation, or null where a variable does not fit its type: nothing has run then, and the executor has the words. */
export function executePlan(plan: OperationPlan, { contextValue, variableValues }: PlanRequest): Promise<ExecutionResult> | null {
  const variables = coerceVariables(plan.variables, variableValues ?? {});
  return variables === null ? null : execute({ plan, context: contextValue, variables, errors: [] });
}

async function execute(run: Run): Promise<ExecutionResult> {
  const {
    errors,
    plan: { operation, fields },
  } = run;
  try {
    const data = await (operation.operation === OperationTypeNode.MUTATION ? inTurn(run, fields) : together(run, fields, undefined, undefined));
    return errors.length === 0 ? { data } : { errors, data };
  } catch (error) {
    errors.push(locatedError(error, undefined));
    return { errors, data: null };
  }
}

function coerceVariables(plans: readonly VariablePlan[], given: Readonly<Record<string, unknown>>): Variables | null {
  const coerced: Record<string, unknown> = {};
  const sources: Record<string, Variables['sources'][string]> = {};
  for (const { name, type } of plans) {
    const signature = { name, type, default: undefined };
    if (Object.hasOwn(given, name)) {
      const value = given[name];
      coerced[name] = coerceInput(value, type);
      if (coerced[name] === undefined) return null;
      sources[name] = { signature, value };
    } else if (isNonNullType(type)) return null;
    else sources[name] = { signature };
  }
  return { coerced, sources };
}

/** One field after the other. Errors come in the same order as the executor's: to that end it waits as often. */
function inTurn(run: Run, fields: readonly FieldPlan[]): Answer | Promise<Answer> {
  let answer: Answer | Promise<Answer> = new Answer();
  for (const field of fields) answer = answer instanceof Promise ? answer.then((before) => withField(run, field, before)) : withField(run, field, answer);
  return answer;
}

function withField(run: Run, field: FieldPlan, answer: Answer): Answer | Promise<Answer> {
  const set = (value: unknown): Answer => {
    answer[field.key] = value;
    return answer;
  };
  const value = resolve(run, field, undefined, undefined);
  return value instanceof Promise ? value.then(set) : set(value);
}

function together(run: Run, fields: readonly FieldPlan[], source: unknown, path: Path | undefined): Answer | Promise<Answer> {
  const answer = new Answer();
  let isPending = false;
  try {
    for (const field of fields) {
      const value = resolve(run, field, source, path);
      answer[field.key] = value;
      if (value instanceof Promise) isPending = true;
    }
  } catch (error) {
    if (!isPending) throw error;
    const fail = (): never => {
      throw error;
    };
    // The neighbours end first: nothing of an operation runs on after its answer.
    return settled(answer).then(fail, fail);
  }
  return isPending ? settled(answer) : answer;
}

/** The answer with what its promises hold, in the order of its keys. */
function settled(pending: Answer): Promise<Answer> {
  const answer = new Answer();
  const promises: Promise<void>[] = [];
  for (const [key, value] of Object.entries(pending)) {
    answer[key] = value;
    if (!(value instanceof Promise)) continue;
    const set = (held: unknown): void => {
      answer[key] = held;
    };
    promises.push(value.then(set));
  }
  const [first] = promises;
  const all: Promise<unknown> = promises.length === 1 && first !== undefined ? first : Promise.all(promises);
  return all.then(() => answer);
}

function resolve(run: Run, field: FieldPlan, source: unknown, parentPath: Path | undefined): unknown {
  const plain = field.plain?.(source);
  if (plain !== undefined) return plain;
  const place: Place = { field, path: { prev: parentPath, key: field.key, typename: field.parentType.name } };
  try {
    return guarded(run, place, field.type, valueOf(run, place, source));
  } catch (error) {
    return failed(run, place, field.type, error);
  }
}

function valueOf(run: Run, place: Place, source: unknown): unknown {
  const { definition, nodes } = place.field;
  if (definition.resolve === undefined && definition.args.length === 0) {
    const value: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, definition.name) : undefined;
    if (typeof value !== 'function') return value;
  }
  const read = definition.resolve ?? defaultFieldResolver;
  return read(source, getArgumentValues(definition, nodes[0], run.variables), run.context, infoOf(run, place));
}

/** The completed value, or a promise that never rejects for a nullable field. */
function guarded(run: Run, place: Place, type: GraphQLOutputType, value: unknown): unknown {
  const completed = value instanceof Promise ? value.then((held: unknown) => complete(run, place, type, held)) : complete(run, place, type, value);
  return completed instanceof Promise ? completed.then(undefined, (error: unknown) => failed(run, place, type, error)) : completed;
}

/** Null for what failed, and its error for the answer. Throws where null may not stand there. */
function failed({ errors }: Run, { field, path }: Place, type: GraphQLOutputType, thrown: unknown): null {
  for (const cause of thrown instanceof AggregateError ? thrown.errors : [thrown]) {
    const error = locatedError(cause instanceof Error ? cause : new Error(String(cause)), field.nodes, responsePathAsArray(path));
    if (isNonNullType(type)) throw error;
    errors.push(error);
  }
  return null;
}

function complete(run: Run, place: Place, type: GraphQLOutputType, value: unknown): unknown {
  if (value instanceof Error) throw value;
  if (isNonNullType(type)) {
    const completed = complete(run, place, type.ofType, value);
    if (completed !== null) return completed;
    throw new Error(`Cannot return null for non-nullable field ${place.field.parentType.name}.${place.field.definition.name}.`);
  }
  if (value === null || value === undefined) return null;
  if (isListType(type)) return completeList(run, place, type.ofType, value);
  if (isLeafType(type)) return completeLeaf(type, value);
  const objectType = isAbstractType(type) ? memberOf(run, place, type, value) : type;
  return together(run, place.field.below(objectType), value, place.path);
}

function completeLeaf(type: GraphQLLeafType, value: unknown): unknown {
  const printed = serialized(type, value);
  if (printed === null || printed === undefined) throw new Error(`${type.name} has no word for a value`);
  return printed;
}

/** What a scalar throws is a defect, whatever its kind: a value that came from inside does not fit. */
function serialized(type: GraphQLLeafType, value: unknown): unknown {
  try {
    return type.coerceOutputValue(value);
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(error.message) : error;
  }
}

function completeList(run: Run, { field, path }: Place, itemType: GraphQLOutputType, value: unknown): unknown {
  if (!Array.isArray(value)) throw new Error(`${field.parentType.name}.${field.definition.name} is no list`);
  const items = value.map((item: unknown, index) => {
    const place: Place = { field, path: { prev: path, key: index, typename: undefined } };
    try {
      return guarded(run, place, itemType, item);
    } catch (error) {
      return failed(run, place, itemType, error);
    }
  });
  return items.some((item) => item instanceof Promise) ? Promise.all(items) : items;
}

function memberOf(run: Run, place: Place, type: GraphQLAbstractType, value: unknown): GraphQLObjectType {
  const name = type.resolveType?.(value, run.context, infoOf(run, place), type);
  const member = typeof name === 'string' ? place.field.memberOf(type, name) : undefined;
  if (member === undefined) throw new Error(`a value of ${type.name} is of no type`);
  return member;
}

function infoOf({ plan, variables }: Run, { field, path }: Place): GraphQLResolveInfo {
  const { schema, fragments, operation } = plan;
  return {
    fieldName: field.definition.name,
    fieldNodes: field.nodes,
    returnType: field.definition.type,
    parentType: field.parentType,
    path,
    schema,
    fragments,
    rootValue: undefined,
    operation,
    variableValues: variables,
    getAbortSignal: () => undefined,
    getAsyncHelpers: noHelpers,
  };
}

function noHelpers(): never {
  throw new Error('resolvers wait for their own promises');
}
