/**
 * Any schema library that follows Standard Schema (https://standardschema.dev, version 1), such as zod or valibot: the
 * part of that interface which is used here.
 */
import { type Issue, LeaseQueueError } from './errors.ts';

export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}
type SchemaResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };
interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a value has to be to be taken. */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input'];
/** What it is once it was taken. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** The value as the schema gives it, at once where the schema does. Throws INVALID_PAYLOAD with an issue for each place, never with a value. */
export function parseBySchema<Schema extends StandardSchema>(
  schema: Schema,
  value: unknown,
  what: string,
): SchemaOutput<Schema> | Promise<SchemaOutput<Schema>> {
  const result = schema['~standard'].validate(value);
  return result instanceof Promise ? result.then((late) => valueIn(late, what)) : valueIn(result, what);
}

function valueIn<Output>(result: SchemaResult<Output>, what: string): Output {
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(plainIssue);
  const places = issues.map(({ path, message }) => `${path.length === 0 ? 'it' : path.join('.')}: ${message}`).join('; ');
  throw new LeaseQueueError({ code: 'INVALID_PAYLOAD', message: `${what} does not fit the task's schema: ${places}.`, issues });
}

function plainIssue({ message, path = [] }: SchemaIssue): Issue {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step));
  return { message, path: keys.map((key) => (typeof key === 'number' ? key : String(key))) };
}
