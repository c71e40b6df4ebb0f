/** The built schema with what its fields state: checked, said in the descriptions, and printed as directives. */
import {
  DirectiveLocation,
  getNamedType,
  getNullableType,
  type GraphQLField,
  GraphQLDirective,
  GraphQLList,
  GraphQLNonNull,
  GraphQLSchema,
  isEnumType,
  isLeafType,
  isListType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  printSchema,
  visit,
} from 'graphql';
import { itemsOf, needsOf, redactionOf } from './terms.ts';

type AnyField = GraphQLField<unknown, unknown>;

function scopeDirectives(schema: GraphQLSchema): readonly GraphQLDirective[] {
  const scope = schema.getType('Scope');
  if (!isEnumType(scope)) throw new Error('the schema has no scopes');
  const one = new GraphQLNonNull(scope);
  return [
    new GraphQLDirective({
      name: 'requiresScope',
      description: 'Without any of the scopes, a request that names the field is FORBIDDEN as a whole, before anything runs.',
      locations: [DirectiveLocation.FIELD_DEFINITION],
      args: { anyOf: { type: new GraphQLNonNull(new GraphQLList(one)) } },
    }),
    new GraphQLDirective({
      name: 'redactedWithout',
      description: 'Without the scope the field is null.',
      locations: [DirectiveLocation.FIELD_DEFINITION],
      args: { scope: { type: one } },
    }),
  ];
}

/** What the field should state and does not, or null. */
function fault(name: string, field: AnyField, isRoot: boolean): string | null {
  if (isRoot && needsOf(field) === null) return `${name} does not state the scopes it needs`;
  const isListOfObjects = isListType(getNullableType(field.type)) && !isLeafType(getNamedType(field.type));
  return isListOfObjects && itemsOf(field) === null ? `${name} does not state how many items it has` : null;
}

function described({ description }: AnyField, anyOf: readonly string[]): string {
  const need = anyOf.length === 0 ? 'Open to every key.' : `Needs the scope ${anyOf.join(' or ')}.`;
  return `${description ?? ''} ${need}`.trimStart();
}

/**
 * The schema with the directives of scopes, and with each field's needs in its description, where introspection shows
 * them. Throws where a field keeps from stating what it has to.
 */
export function withStatedTerms(built: GraphQLSchema): GraphQLSchema {
  const roots = new Set([built.getQueryType(), built.getMutationType(), built.getSubscriptionType()]);
  const faults: string[] = [];
  for (const type of Object.values(built.getTypeMap()).filter(isObjectType)) {
    if (type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      faults.push(...[fault(`${type.name}.${field.name}`, field, roots.has(type))].filter((found) => found !== null));
      const anyOf = needsOf(field);
      if (anyOf !== null) field.description = described(field, anyOf);
    }
  }
  if (faults.length > 0) throw new Error(`The schema is not complete: ${faults.join('; ')}.`);
  return new GraphQLSchema({ ...built.toConfig(), directives: [...built.getDirectives(), ...scopeDirectives(built)] });
}

function applied(field: AnyField): string {
  const anyOf = needsOf(field) ?? [];
  const redaction = redactionOf(field);
  return `${anyOf.length === 0 ? '' : ` @requiresScope(anyOf: [${anyOf.join(', ')}])`}${redaction === null ? '' : ` @redactedWithout(scope: ${redaction})`}`;
}

/** The schema as text, sorted, with the directives of its fields, which graphql's own printer leaves out. */
export function printedSchema(schema: GraphQLSchema): string {
  const text = `${printSchema(lexicographicSortSchema(schema))}\n`;
  const additions: { readonly at: number; readonly text: string }[] = [];
  visit(parse(text), {
    ObjectTypeDefinition(node) {
      const type = schema.getType(node.name.value);
      for (const { name, loc } of node.fields ?? []) {
        const field = isObjectType(type) ? type.getFields()[name.value] : undefined;
        if (field !== undefined && loc !== undefined) additions.push({ at: loc.end, text: applied(field) });
      }
    },
  });
  return additions.toReversed().reduce((printed, { at, text: addition }) => printed.slice(0, at) + addition + printed.slice(at), text);
}
