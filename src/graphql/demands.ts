/**
 * What an operation demands of its caller, worked out from its document before anything of it runs: scopes, the right
 * to see the schema, and cost. And who is refused for want of it, alike for every transport.
 */
import {
  type DocumentNode,
  getNamedType,
  getOperationAST,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql';
import type { Principal } from '../auth/principal.ts';
import type { Scope } from '../domain/access.ts';
import { LIMITS } from '../domain/limits.ts';
import { type Cost, costOf, countOf, type GivenVariables, highestOf, productOf, sumOf } from './cost.ts';
import { forbidden, schemaHidden, tooComplex } from './outcome.ts';
import { type FieldPlan, planRoot } from './plan.ts';
import { eachOf, itemsOf, needsOf, weightOf } from './terms.ts';

/** What of a principal decides. */
export type Rights = Pick<Principal, 'key' | 'scopes'>;

/** One field's need: any of the scopes. */
export interface Need {
  readonly anyOf: readonly Scope[];
  /** `Type.field`, the first that has the need. */
  readonly field: string;
}

export interface Demands {
  /** Each set of scopes once. */
  readonly needs: readonly Need[];
  /** The first field that tells of the schema, `__typename` aside; null without. */
  readonly introspection: FieldPlan | null;
  readonly cost: Cost;
}

/** The whole schema is some hundred kilobytes of answer. */
const INTROSPECTION_WEIGHT = 100;
const NO_VARIABLES: GivenVariables = {};

interface Walk {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly needs: Map<string, Need>;
  /** What is known of fields that several places lead to. */
  readonly known: Map<FieldPlan, Cost>;
  introspection: FieldPlan | null;
}

/**
 * The demands of an operation of a valid document. Fields that variables or directives may leave out count as asked
 * for. Null where the name tells no operation, which the executor refuses.
 */
export function demandsOf(schema: GraphQLSchema, document: DocumentNode, operationName: string | null | undefined): Demands | null {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined) return null;
  const walk: Walk = { schema, operation, needs: new Map(), known: new Map(), introspection: null };
  const cost = sumOf(planRoot(schema, document, operation).map((field) => costOfField(walk, field, null)));
  return { needs: [...walk.needs.values()], introspection: walk.introspection, cost };
}

/** The cost of a field with all below it, whose demands the walk notes. */
function costOfField(walk: Walk, field: FieldPlan, above: FieldPlan | null): Cost {
  const { definition } = field;
  if (definition.name === '__typename') return 0;
  if (definition.name.startsWith('__')) {
    walk.introspection ??= field;
    return INTROSPECTION_WEIGHT;
  }
  const inputs = eachOf(definition).map((each) => countOf(each, field, walk.operation));
  return sumOf([...inputs, productOf(itemCount(walk, field, above), costOfItem(walk, field, above === null))]);
}

/** The cost of one object with all below it, or of a scalar. */
function costOfItem(walk: Walk, field: FieldPlan, isRoot: boolean): Cost {
  const known = walk.known.get(field);
  if (known !== undefined) return known;
  noteNeeds(walk, field);
  const types = objectTypes(walk.schema, field);
  const below = types.map((type) => sumOf(field.below(type).map((child) => costOfField(walk, child, field))));
  const own = weightOf(field.definition) ?? (types.length > 0 || isRoot ? 1 : 0);
  const cost = sumOf([own, highestOf(below)]);
  walk.known.set(field, cost);
  return cost;
}

function noteNeeds({ needs }: Walk, { definition, parentType }: FieldPlan): void {
  const anyOf = needsOf(definition) ?? [];
  const key = anyOf.join();
  if (anyOf.length > 0 && !needs.has(key)) needs.set(key, { anyOf, field: `${parentType.name}.${definition.name}` });
}

/** What a value of the field may be; empty for scalars and enums. */
function objectTypes(schema: GraphQLSchema, { definition }: FieldPlan): readonly GraphQLObjectType[] {
  const type = getNamedType(definition.type);
  if (isAbstractType(type)) return schema.getPossibleTypes(type);
  return isObjectType(type) ? [type] : [];
}

/** A list at the root says itself how many it holds. */
function itemCount({ operation }: Walk, field: FieldPlan, above: FieldPlan | null): Cost {
  const items = itemsOf(field.definition);
  return items === null || items === 'few' ? 1 : countOf(items, above ?? field, operation);
}

/** The cost of the operation with these variables, whether or not they fit their types. */
export function operationCost({ cost }: Demands, variables: GivenVariables | null | undefined): number {
  return costOf(cost, variables ?? NO_VARIABLES);
}

/**
 * Why nothing of the operation may run for whoever asks, or null: it asks for a schema that is hidden from them, a
 * scope is missing (FORBIDDEN), or it costs too much (OPERATION_TOO_COMPLEX).
 */
export function refusalOf(
  demands: Demands,
  rights: Rights,
  variables: GivenVariables | null | undefined,
  { production }: { readonly production: boolean },
): GraphQLError | null {
  if (demands.introspection !== null && isSchemaHidden(rights, production)) return schemaHidden(demands.introspection.nodes);
  const missing = demands.needs.find(({ anyOf }) => !anyOf.some((scope) => rights.scopes.has(scope)));
  if (missing !== undefined) return forbidden(missing.field, missing.anyOf);
  const cost = operationCost(demands, variables);
  return cost > LIMITS.operationCostMax ? tooComplex('cost', cost, LIMITS.operationCostMax) : null;
}

/** Whether introspection and suggestions are kept from them: in production it takes a key, and a key with the scope ADMIN. */
export function isSchemaHidden({ key, scopes }: Rights, production: boolean): boolean {
  return production && (key === null || !scopes.has('ADMIN'));
}
