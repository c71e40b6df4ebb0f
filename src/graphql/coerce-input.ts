/**
 * Values of variables as their types take them, as `coerceInputValue` of graphql says, with the fields of input objects
 * listed once: asking for them takes most of its time where a list holds many. Its answers stay the measure.
 */
import {
  coerceInputLiteral,
  coerceInputValue,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { BareFields } from './bare-fields.ts';

/** Answers undefined where the value does not fit. */
type Coerce = (value: unknown) => unknown;

const known = new WeakMap<GraphQLInputType, Coerce>();

export function coerceInput(value: unknown, type: GraphQLInputType): unknown {
  return coercerOf(type)(value);
}

function coercerOf(type: GraphQLInputType): Coerce {
  const found = known.get(type) ?? newCoercer(type);
  known.set(type, found);
  return found;
}

function newCoercer(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) {
    const coerce = coercerOf(type.ofType);
    return (value) => (value === null || value === undefined ? undefined : coerce(value));
  }
  if (isListType(type)) return listCoercer(type, coercerOf(type.ofType));
  if (isLeafType(type)) return (value) => (value === null || value === undefined ? null : coerceLeaf(value, type));
  return type.isOneOf ? (value) => coerceInputValue(value, type) : objectCoercer(type);
}

/** What a scalar throws tells whoever sent the value nothing. */
function coerceLeaf(value: unknown, type: GraphQLLeafType): unknown {
  try {
    return type.coerceInputValue(value);
  } catch {
    return undefined;
  }
}

function listCoercer(type: GraphQLInputType, coerce: Coerce): Coerce {
  return (value) => {
    if (!Array.isArray(value)) return coerceInputValue(value, type);
    const items: unknown[] = [];
    for (const item of value) {
      const coerced = coerce(item);
      if (coerced === undefined) return undefined;
      items.push(coerced);
    }
    return items;
  };
}

interface Field {
  readonly name: string;
  readonly coerce: Coerce;
  readonly isRequired: boolean;
  /** Undefined where there is none. */
  readonly usual: unknown;
}

function objectCoercer(type: GraphQLInputObjectType): Coerce {
  let listed: readonly Field[] | null = null;
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'object' || Array.isArray(value)) return undefined;
    // Not before: a type may be among its own fields.
    listed ??= Object.values(type.getFields()).map(fieldOf);
    return coerceFields(value as Readonly<Record<string, unknown>>, listed);
  };
}

function fieldOf(field: GraphQLInputField): Field {
  return { name: field.name, coerce: coercerOf(field.type), isRequired: isRequiredInputField(field), usual: usualValue(field) };
}

function usualValue({ default: usual, defaultValue, type }: GraphQLInputField): unknown {
  if (usual === undefined) return defaultValue;
  return usual.literal === undefined ? coerceInputValue(usual.value, type) : coerceInputLiteral(usual.literal, type);
}

function coerceFields(given: Readonly<Record<string, unknown>>, fields: readonly Field[]): unknown {
  const coerced = new BareFields();
  let fitting = 0;
  for (const { name, coerce, isRequired, usual } of fields) {
    const value = given[name];
    if (value === undefined) {
      if (isRequired) return undefined;
      if (usual !== undefined) coerced[name] = usual;
    } else {
      const held = coerce(value);
      if (held === undefined) return undefined;
      coerced[name] = held;
      fitting += 1;
    }
  }
  return fitting === countGiven(given) ? coerced : undefined;
}

/** More than fit: one of them is no field of the type. */
function countGiven(given: Readonly<Record<string, unknown>>): number {
  let count = 0;
  for (const name of Object.keys(given)) if (given[name] !== undefined) count += 1;
  return count;
}
