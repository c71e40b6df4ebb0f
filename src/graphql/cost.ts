/**
 * Costs as sums and products that are worked out as far as the document alone says, and what is left of them as
 * functions of the variables.
 */
import { getNamedType, type GraphQLArgument, isInputObjectType, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';
import type { FieldPlan } from './plan.ts';
import type { Count } from './terms.ts';

/** As they were sent, before anything checked them. */
export type GivenVariables = Readonly<Record<string, unknown>>;
export type Cost = number | ((variables: GivenVariables) => number);

export const costOf = (cost: Cost, variables: GivenVariables): number => (typeof cost === 'number' ? cost : cost(variables));

function combined(combine: (numbers: readonly number[]) => number, costs: readonly Cost[]): Cost {
  if (costs.every((cost) => typeof cost === 'number')) return combine(costs);
  return (variables) => combine(costs.map((cost) => costOf(cost, variables)));
}

export const sumOf = (costs: readonly Cost[]): Cost => combined((numbers) => numbers.reduce((sum, one) => sum + one, 0), costs);
export const productOf = (...costs: readonly Cost[]): Cost => combined((numbers) => numbers.reduce((product, one) => product * one, 1), costs);
export const highestOf = (costs: readonly Cost[]): Cost => combined((numbers) => Math.max(0, ...numbers), costs);

/** Null: nothing was given. */
type Size = number | null;

/** What the field of the plan asks for, in an operation whose variables may have defaults. */
export function countOf({ places, max }: Count, field: FieldPlan, operation: OperationDefinitionNode): Cost {
  const fallback = places.map((place) => defaultSize(field.definition.args, place)).find((size) => size !== null) ?? 0;
  const sizes = places.map((place) => argumentSize(field, place.split('.'), operation));
  const counted = (variables: GivenVariables): number => {
    const given = sizes.map((size) => (typeof size === 'function' ? size(variables) : size)).find((size) => size !== null);
    return Math.min(Math.max(given ?? fallback, 0), max);
  };
  return sizes.some((size) => typeof size === 'function') ? counted : counted({});
}

function argumentSize(
  { nodes }: FieldPlan,
  [name, ...path]: readonly string[],
  operation: OperationDefinitionNode,
): Size | ((variables: GivenVariables) => Size) {
  const node = nodes[0].arguments?.find((argument) => argument.name.value === name)?.value;
  return node === undefined ? null : literalSize(node, path, operation);
}

function literalSize(node: ValueNode, path: readonly string[], operation: OperationDefinitionNode): Size | ((variables: GivenVariables) => Size) {
  if (node.kind === Kind.VARIABLE) return variableSize(node.name.value, path, operation);
  if (node.kind === Kind.NULL) return null;
  const [name, ...rest] = path;
  if (name !== undefined) {
    const child = node.kind === Kind.OBJECT ? node.fields.find((field) => field.name.value === name)?.value : undefined;
    return child === undefined ? null : literalSize(child, rest, operation);
  }
  if (node.kind === Kind.LIST) return node.values.length;
  return node.kind === Kind.INT ? Number(node.value) : 1;
}

function variableSize(name: string, path: readonly string[], operation: OperationDefinitionNode): (variables: GivenVariables) => Size {
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  const written = definition?.defaultValue === undefined ? null : literalSize(definition.defaultValue, path, operation);
  const fallback = typeof written === 'function' ? null : written;
  return (variables) => (Object.hasOwn(variables, name) && variables[name] !== undefined ? givenSize(variables[name], path) : fallback);
}

/** One value in the place of a list is a list of one. */
function givenSize(value: unknown, [name, ...rest]: readonly string[]): Size {
  if (value === null || value === undefined) return null;
  if (name !== undefined) return isRecord(value) && Object.hasOwn(value, name) ? givenSize(value[name], rest) : null;
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : 1;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function defaultSize(args: readonly GraphQLArgument[], place: string): Size {
  const [name, ...path] = place.split('.');
  let found: Pick<GraphQLArgument, 'type' | 'defaultValue'> | undefined = args.find((arg) => arg.name === name);
  for (const step of path) {
    const type = found === undefined ? undefined : getNamedType(found.type);
    found = isInputObjectType(type) ? type.getFields()[step] : undefined;
  }
  return givenSize(found?.defaultValue, []);
}
