/**
 * An operation worked out ahead of its execution: which fields an object of which type answers, how each is resolved
 * and completed. A plan depends on the document alone, never on who asks or with which variables.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNullableType,
  getOperationAST,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isInputType,
  isLeafType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
  TypeNameMetaFieldDef,
  type VariableDefinitionNode,
  visit,
} from 'graphql';

/** One field of an answer. */
export interface FieldPlan {
  /** In the answer. */
  readonly key: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly type: GraphQLOutputType;
  /** The whole answer where it is a property of the source as a leaf, as most are; it answers undefined where there is more to it. Null for other fields. */
  readonly plain: ((source: unknown) => unknown) | null;
  /** Every place of the document that asks for it. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  /** The fields of its value, which is of this type. Worked out once per type. */
  readonly below: (type: GraphQLObjectType) => readonly FieldPlan[];
  /** The type of that name. Throws where a value of the abstract type cannot be of it. */
  readonly memberOf: (type: GraphQLAbstractType, name: string | undefined) => GraphQLObjectType;
}

interface Sources {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

/** What is planned is planned once: a fragment that is spread at many places leads to the same fields each time. */
interface Planning extends Sources {
  readonly numbers: Map<FieldNode, number>;
  /** By type, and by the numbers of the nodes. */
  readonly known: Map<string, FieldPlan>;
}

export interface VariablePlan {
  readonly name: string;
  readonly type: GraphQLInputType;
}

export interface OperationPlan extends Sources {
  readonly operation: OperationDefinitionNode;
  readonly fields: readonly FieldPlan[];
  readonly variables: readonly VariablePlan[];
}

/**
 * The plan of an operation of a valid document. Null where the executor has to do it: subscriptions, introspection,
 * variables with defaults, and fields that come and go with variables.
 */
export function planOperation(schema: GraphQLSchema, document: DocumentNode, operationName: string | null | undefined): OperationPlan | null {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined || operation.operation === OperationTypeNode.SUBSCRIPTION || !isPlain(document)) return null;
  return {
    schema,
    fragments: fragmentsOf(document),
    operation,
    fields: planRoot(schema, document, operation),
    variables: (operation.variableDefinitions ?? []).flatMap((definition) => planVariable(schema, definition)),
  };
}

/** The fields of any operation of a valid document, as if no directive left one out. */
export function planRoot(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): readonly FieldPlan[] {
  const type = schema.getRootType(operation.operation);
  if (type === null || type === undefined) return [];
  return planFields({ schema, fragments: fragmentsOf(document), numbers: new Map(), known: new Map() }, type, [operation.selectionSet]);
}

function fragmentsOf({ definitions }: DocumentNode): Readonly<Record<string, FragmentDefinitionNode>> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const node of definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node;
  return fragments;
}

function isPlain(document: DocumentNode): boolean {
  let plain = true;
  visit(document, {
    Directive: () => {
      plain = false;
    },
    Field: ({ name: { value: name } }) => {
      if (name.startsWith('__') && name !== '__typename') plain = false;
    },
    VariableDefinition: ({ defaultValue }) => {
      if (defaultValue !== undefined) plain = false;
    },
  });
  return plain;
}

function planVariable(schema: GraphQLSchema, definition: VariableDefinitionNode): readonly VariablePlan[] {
  const type = typeFromAST(schema, definition.type);
  return type !== undefined && isInputType(type) ? [{ name: definition.variable.name.value, type }] : [];
}

function planFields(planning: Planning, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): readonly FieldPlan[] {
  const found = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();

  function collect(selections: readonly SelectionNode[]): void {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const key = (node.alias ?? node.name).value;
        const nodes = found.get(key);
        if (nodes === undefined) found.set(key, [node]);
        else nodes.push(node);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (fits(planning.schema, node.typeCondition?.name.value, type)) collect(node.selectionSet.selections);
      } else if (!spread.has(node.name.value)) {
        const fragment = planning.fragments[node.name.value];
        if (fragment === undefined || !fits(planning.schema, fragment.typeCondition.name.value, type)) continue;
        spread.add(node.name.value);
        collect(fragment.selectionSet.selections);
      }
    }
  }

  for (const { selections } of sets) collect(selections);
  return [...found].flatMap(([key, nodes]) => plannedField(planning, type, key, nodes));
}

function fits(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const wanted = schema.getType(condition);
  return wanted !== undefined && isAbstractType(wanted) && schema.isSubType(wanted, type);
}

type FieldNodes = FieldPlan['nodes'];

function plannedField(planning: Planning, parentType: GraphQLObjectType, key: string, nodes: FieldNodes): readonly FieldPlan[] {
  const place = `${parentType.name} ${nodes.map((node) => numberOf(planning, node)).join()}`;
  const known = planning.known.get(place);
  if (known !== undefined) return [known];
  const plans = planField(planning, parentType, key, nodes);
  for (const plan of plans) planning.known.set(place, plan);
  return plans;
}

function numberOf({ numbers }: Planning, node: FieldNode): number {
  const number = numbers.get(node) ?? numbers.size;
  numbers.set(node, number);
  return number;
}

function planField(planning: Planning, parentType: GraphQLObjectType, key: string, nodes: FieldNodes): readonly FieldPlan[] {
  const definition = planning.schema.getField(parentType, nodes[0].name.value);
  if (definition === undefined) return [];
  const known = new Map<GraphQLObjectType, readonly FieldPlan[]>();
  const below = (type: GraphQLObjectType): readonly FieldPlan[] => {
    const fields = known.get(type) ?? planFields(planning, type, setsOf(nodes));
    known.set(type, fields);
    return fields;
  };
  return [
    {
      ...{ key, parentType, definition, type: definition.type, nodes, below },
      plain: plainOf(parentType, definition),
      memberOf: (type, member) => memberOf(planning.schema, type, member),
    },
  ];
}

function plainOf(parentType: GraphQLObjectType, definition: GraphQLField<unknown, unknown>): FieldPlan['plain'] {
  if (definition === TypeNameMetaFieldDef) return () => parentType.name;
  const leaf = getNullableType(definition.type);
  const property = propertyOf(definition);
  if (!isLeafType(leaf) || property === null) return null;
  return (source) => {
    const value: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, property) : undefined;
    // Promises, errors and null among them.
    if (typeof value === 'object' || typeof value === 'function' || value === undefined) return undefined;
    try {
      return leaf.coerceOutputValue(value) ?? undefined;
    } catch {
      return undefined;
    }
  };
}

/** The property that is all that the field reads; null where it does anything else. */
function propertyOf({ name, args, resolve, extensions }: GraphQLField<unknown, unknown>): string | null {
  if (args.length > 0) return null;
  if (resolve === undefined) return name;
  const { pothosExposedField: exposed, pothosOriginalResolve: original } = extensions;
  return typeof exposed === 'string' && resolve === original ? exposed : null;
}

function setsOf(nodes: readonly FieldNode[]): readonly SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
}

function memberOf(schema: GraphQLSchema, abstract: GraphQLAbstractType, name: string | undefined): GraphQLObjectType {
  const member = schema.getPossibleTypes(abstract).find((type) => type.name === name);
  if (member === undefined) throw new Error(`a value of ${abstract.name} is of the type ${name ?? 'unknown'}`);
  return member;
}
