/**
 * Errors of values that do not fit their types, without the values: the executor's own messages repeat what was sent,
 * which may be a payload or a lease token. Variables are looked at again to say where and why.
 */
import {
  type DocumentNode,
  getOperationAST,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  typeFromAST,
} from 'graphql';
import { badInput, invalidLiteral, type Issue, SHOWN_NAME_CHARACTERS_MAX, shownNames } from './outcome.ts';
import { SCALAR_HINTS } from './scalars.ts';

export interface ExecutedRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
}

type Path = Issue['path'];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

const FIELD_NAME = new RegExp(`^[A-Za-z_]\\w{0,${SHOWN_NAME_CHARACTERS_MAX - 1}}$`);

function leafHint(type: GraphQLLeafType): string {
  if (!isEnumType(type)) return SCALAR_HINTS.get(type.name) ?? `must be a ${type.name}`;
  return `must be one of ${type
    .getValues()
    .map(({ name }) => name)
    .join(', ')}`;
}

function fitsLeaf(value: unknown, type: GraphQLLeafType): boolean {
  try {
    return type.coerceInputValue(value) !== undefined;
  } catch {
    return false;
  }
}

/** Names the field where it looks like one: anything else may be a value in the wrong place. */
function unknownField(name: string, type: GraphQLInputObjectType, path: Path): Issue {
  if (!FIELD_NAME.test(name)) return { path, message: `has a field that ${type.name} does not have` };
  return { path: [...path, name], message: `is not a field of ${type.name}` };
}

function objectIssues(value: unknown, type: GraphQLInputObjectType, path: Path): readonly Issue[] {
  if (!isRecord(value)) return [{ path, message: `must be an object of type ${type.name}` }];
  const fields = type.getFields();
  const given = Object.keys(value).filter((name) => value[name] !== undefined);
  const unknown = given.filter((name) => !Object.hasOwn(fields, name)).map((name) => unknownField(name, type, path));
  const known = Object.values(fields).flatMap((field) => {
    const child = value[field.name];
    if (child !== undefined) return valueIssues(child, field.type, [...path, field.name]);
    return isRequiredInputField(field) ? [{ path: [...path, field.name], message: 'is required' }] : [];
  });
  const isOneOf = given.length === 1 && given.every((name) => value[name] !== null);
  const choice = !type.isOneOf || isOneOf ? [] : [{ path, message: `must have exactly one of the fields ${Object.keys(fields).join(', ')}, and not null` }];
  return [...unknown, ...known, ...choice];
}

function valueIssues(value: unknown, type: GraphQLInputType, path: Path): readonly Issue[] {
  if (isNonNullType(type)) return value === null ? [{ path, message: 'must not be null' }] : valueIssues(value, type.ofType, path);
  if (value === null) return [];
  if (isListType(type)) {
    return Array.isArray(value) ? value.flatMap((item, index) => valueIssues(item, type.ofType, [...path, index])) : valueIssues(value, type.ofType, path);
  }
  if (isInputObjectType(type)) return objectIssues(value, type, path);
  return fitsLeaf(value, type) ? [] : [{ path, message: leafHint(type) }];
}

/** Everything that is wrong with the variables of a request. The path starts with the variable's name. */
export function variableIssues({ schema, document, operationName, variableValues }: ExecutedRequest): readonly Issue[] {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  return definitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    if (type === undefined || !isInputType(type)) return [];
    const value = variableValues?.[name];
    if (value !== undefined) return valueIssues(value, type, [name]);
    return isNonNullType(type) && defaultValue === undefined ? [{ path: [name], message: 'is required' }] : [];
  });
}

const isAboutVariable = (error: GraphQLError): boolean => error.nodes?.[0]?.kind === Kind.VARIABLE_DEFINITION && error.path === undefined;

/**
 * The errors of a result without data, in which the ones about variables have become a single BAD_USER_INPUT. Other
 * errors, and lists without such errors, stay as they are.
 */
export function withoutVariableValues(errors: readonly GraphQLError[], request: ExecutedRequest): readonly GraphQLError[] {
  if (!errors.some(isAboutVariable)) return errors;
  const issues = variableIssues(request);
  const fallback = [{ path: ['variables'], message: 'do not fit their types' }];
  return [badInput(issues.length > 0 ? issues : fallback), ...errors.filter((error) => !isAboutVariable(error))];
}

const VALUE_KINDS: ReadonlySet<Kind> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
]);
/** The type that a message of graphql's names before it repeats the value. */
const EXPECTED_TYPE = /^(?:Expected (?:a )?value of (?:non-null )?type "([\w[\]!]+)"|(Int|Float|String|Boolean|ID) cannot represent)/;

function literalMessage(error: GraphQLError): string {
  const [, expected, builtIn] = EXPECTED_TYPE.exec(error.message) ?? [];
  const type = expected ?? builtIn;
  if (type === undefined) return 'A value in the document does not fit its type.';
  const hint = SCALAR_HINTS.get(type.replaceAll(/[[\]!]/g, ''));
  return `A value in the document does not fit its type ${type}${hint === undefined ? '' : `: it ${hint}`}.`;
}

/**
 * Errors of validation, in which those about values written in the document no longer repeat them, nor names as long as a token. Errors that come
 * out of a cache, rewritten before, stay as they are.
 */
export function withoutLiteralValues(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  return errors.map((error) => {
    if (error.extensions['code'] !== undefined) return error;
    const kind = error.nodes?.[0]?.kind;
    return kind !== undefined && VALUE_KINDS.has(kind) ? invalidLiteral(error, literalMessage(error)) : shownNames(error);
  });
}
