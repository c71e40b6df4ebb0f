/** Operations made up from the schema: any field with any arguments, some of them wrong, as text and variables. */
import fc from 'fast-check';
import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';

export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface OperationParts {
  readonly schema: GraphQLSchema;
  /** Texts that mean something to the server, such as ids of jobs. */
  readonly texts: readonly string[];
}

type Draw = <Value>(arbitrary: fc.Arbitrary<Value>) => Value;

interface Sketch extends OperationParts {
  readonly draw: Draw;
  /** A document without directives is executed by plan. */
  readonly hasDirectives: boolean;
  readonly definitions: string[];
  readonly variables: Record<string, unknown>;
}

const DEPTH_MAX = 5;
/** A claim that waits would wait for a clock that stands still. */
const LEFT_OUT: ReadonlySet<string> = new Set(['waitSeconds']);

export function operations(parts: OperationParts): fc.Arbitrary<Operation> {
  return fc.gen().map((gen) => {
    const draw: Draw = (arbitrary) => gen(() => arbitrary);
    const sketch: Sketch = { ...parts, draw, hasDirectives: draw(fc.nat(3)) === 0, definitions: [], variables: {} };
    const kind = draw(fc.constantFrom('query', 'mutation'));
    const root = kind === 'query' ? parts.schema.getQueryType() : parts.schema.getMutationType();
    if (root === null || root === undefined) throw new Error(`the schema has no ${kind}`);
    const body = selection(sketch, root, 0);
    const head = sketch.definitions.length === 0 ? '' : `(${sketch.definitions.join(', ')})`;
    return { query: `${kind} Made${head} ${body}`, variables: sketch.variables };
  });
}

const chance = ({ draw }: Sketch, percent: number): boolean => draw(fc.integer({ min: 0, max: 99 })) < percent;

function selection(sketch: Sketch, type: GraphQLObjectType, depth: number): string {
  const fields = Object.values(type.getFields()).filter((field) => depth < DEPTH_MAX || isLeafType(getNamedType(field.type)));
  const chosen = fields.length === 0 ? [] : sketch.draw(fc.subarray(fields, { minLength: 1, maxLength: Math.min(fields.length, 5) }));
  const texts = chosen.map((field) => {
    const alias = chance(sketch, 10) ? `a${sketch.draw(fc.nat(30))}: ` : '';
    const directive =
      sketch.hasDirectives && chance(sketch, 8) ? sketch.draw(fc.constantFrom(' @include(if: true)', ' @skip(if: false)', ' @skip(if: true)')) : '';
    return `${alias}${field.name}${argumentsOf(sketch, field.args)}${directive}${below(sketch, field.type, depth + 1)}`;
  });
  if (texts.length === 0 || chance(sketch, 30)) texts.push('__typename');
  return `{ ${texts.join(' ')} }`;
}

function below(sketch: Sketch, outputType: GraphQLOutputType, depth: number): string {
  const type = getNamedType(outputType);
  if (isLeafType(type)) return '';
  if (!isAbstractType(type)) return ` ${selection(sketch, type, depth)}`;
  const members = sketch.schema.getPossibleTypes(type);
  const fragments = members.filter(() => chance(sketch, 70)).map((member) => `... on ${member.name} ${selection(sketch, member, depth)}`);
  return ` { __typename ${fragments.join(' ')} }`;
}

function argumentsOf(sketch: Sketch, args: readonly GraphQLArgument[]): string {
  const given = args.filter((arg) => isWanted(sketch, arg)).map((arg) => `${arg.name}: ${argument(sketch, arg)}`);
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

function isWanted(sketch: Sketch, { name, type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  if (LEFT_OUT.has(name)) return false;
  return isNonNullType(type) && defaultValue === undefined ? !chance(sketch, 1) : chance(sketch, 25);
}

function argument(sketch: Sketch, { type }: GraphQLArgument): string {
  const value = valueOf(sketch, type);
  if (chance(sketch, 40)) return literal(value);
  const name = `v${sketch.definitions.length}`;
  sketch.definitions.push(`$${name}: ${String(type)}`);
  if (!chance(sketch, 3)) sketch.variables[name] = plain(value);
  return `$${name}`;
}

/** The name of an enum's value, which is written without quotes in a document. */
class Name {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function valueOf(sketch: Sketch, type: GraphQLInputType): unknown {
  if (chance(sketch, 2)) return sketch.draw(fc.constantFrom<unknown>(null, 'wrong', -1, 1.5, true, [], {}, ['x'], { x: 1 }));
  const inner = getNullableType(type);
  if (inner === type && chance(sketch, 5)) return null;
  if (isListType(inner)) return Array.from({ length: sketch.draw(fc.integer({ min: 1, max: 3 })) }, () => valueOf(sketch, inner.ofType));
  if (isEnumType(inner)) return new Name(sketch.draw(fc.constantFrom(...inner.getValues().map(({ name }) => name))));
  if (isInputObjectType(inner)) {
    const fields = Object.values(inner.getFields());
    const wanted = inner.isOneOf ? [sketch.draw(fc.constantFrom(...fields))] : fields.filter((field) => isWanted(sketch, field));
    return Object.fromEntries(wanted.map((field) => [field.name, valueOf(sketch, field.type)]));
  }
  return leaf(sketch, getNamedType(inner).name);
}

function leaf({ draw, texts }: Sketch, scalar: string): unknown {
  switch (scalar) {
    case 'Int':
      return draw(fc.constantFrom(0, 1, 2, 5, 10, 100));
    case 'Float':
      return draw(fc.constantFrom(0, 0.5, 2));
    case 'Boolean':
      return draw(fc.boolean());
    case 'DateTime':
      return draw(fc.constantFrom('2026-03-01T00:00:00Z', '2026-03-02T01:00:00.5+01:00', '2026-03-01'));
    case 'JSON':
    case 'JSONObject':
      return draw(
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c1'), fc.constantFrom<unknown>(null, 1, 0.5, 'x', true, [1, { a: [] }], { b: { c: 'ü' } }), {
          maxKeys: 3,
        }),
      );
    default:
      return draw(fc.constantFrom(...texts));
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Name) return value.text;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, plain(child)]));
}

function literal(value: unknown): string {
  if (value instanceof Name) return value.text;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, child]) => `${name}: ${literal(child)}`)
    .join(', ')}}`;
}
