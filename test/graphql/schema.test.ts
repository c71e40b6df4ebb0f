/** The schema as a whole: what every part of it must have, and that the published files are what the code says. */
import { readFileSync } from 'node:fs';
import {
  GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLNamedType,
  specifiedRules,
  validate,
  validateSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { EVENT_KINDS } from '../../src/domain/events.ts';
import { FAILURES, LEASE_LOST_REASONS, OPERATOR_ACTIONS } from '../../src/domain/failures.ts';
import { ATTEMPT_OUTCOMES, JOB_STATES } from '../../src/domain/job.ts';
import { DocumentLimitsRule, parseDocument } from '../../src/graphql/document-limits.ts';
import { schema } from '../../src/graphql/schema.ts';
import { printedSchema } from '../../src/graphql/stated-terms.ts';
import { JOB_ORDERS } from '../../src/store/requests.ts';
import { FRAGMENTS, PUBLISHED } from '../support/published-operations.ts';

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

/** Every element that a reader of the API manual comes across, with its description. */
function elements(type: GraphQLNamedType): readonly (readonly [string, string | null | undefined])[] {
  const own = [[type.name, type.description] as const];
  if (isEnumType(type)) return [...own, ...type.getValues().map((value) => [`${type.name}.${value.name}`, value.description] as const)];
  if (isInputObjectType(type)) return [...own, ...Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field.description] as const)];
  if (!isObjectType(type) && !isInterfaceType(type)) return own;
  const fields = Object.values(type.getFields()).flatMap((field) => [
    [`${type.name}.${field.name}`, field.description] as const,
    ...field.args.map((arg) => [`${type.name}.${field.name}(${arg.name})`, arg.description] as const),
  ]);
  return [...own, ...fields];
}

const file = (path: string): string => readFileSync(new URL(`../../schema/${path}`, import.meta.url), 'utf8');

describe('the schema', () => {
  test('is valid and of the one graphql that everybody shares', () => {
    expect(schema).toBeInstanceOf(GraphQLSchema);
    expect(validateSchema(schema)).toEqual([]);
  });

  test('describes every type, field, argument, input field and enum value in a sentence', () => {
    const poor = types.flatMap(elements).filter(([, description]) => !/^\S.*[.!]$/s.test(description ?? ''));
    const ours = poor.filter(([name]) => !['Int', 'Float', 'String', 'Boolean', 'ID'].includes(name));
    expect(ours).toEqual([]);
  });

  test('names no undefined limit in a description', () => {
    const broken = types.flatMap(elements).filter(([, description]) => /undefined|NaN|\[object/.test(description ?? ''));
    expect(broken).toEqual([]);
  });

  test('is the one that is published', () => {
    expect(file('schema.graphql')).toBe(printedSchema(schema));
  });

  test('lets no failing root field void its neighbours', () => {
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((root) => Object.values(root?.getFields() ?? {}));
    expect(fields.length).toBeGreaterThan(20);
    expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  });

  test('has no field of type Int that could hold an instant or a place in the log', () => {
    const names = types.filter(isObjectType).flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => String(field.type).startsWith('Int') && /(At|Ms|cursor|seq)$/i.test(field.name))
        .map((field) => `${type.name}.${field.name}`),
    );
    expect(names).toEqual(['ClaimJobsPayload.pollAgainInMs']);
  });
});

describe('failures in the schema', () => {
  test.each(Object.entries(FAILURES))('%s is a type that implements Failure', (_code, { type }) => {
    const found = schema.getType(type);
    expect(isObjectType(found) && found.getInterfaces().map(({ name }) => name)).toEqual(['Failure']);
  });

  test('a result union has one success, and every other member is a failure', () => {
    const unions = types.filter(isUnionType).filter(({ name }) => name.endsWith('Result'));
    expect(unions.length).toBeGreaterThan(8);
    for (const union of unions) {
      const successes = union.getTypes().filter((member) => member.getInterfaces().length === 0);
      expect(successes, union.name).toHaveLength(1);
    }
  });
});

describe('enums', () => {
  const upper = (words: readonly string[]): readonly string[] => words.map((word) => word.toUpperCase()).toSorted();
  test.each([
    ['FailureCode', Object.keys(FAILURES)],
    ['JobState', JOB_STATES],
    ['JobEventKind', EVENT_KINDS],
    ['LeaseLostReason', LEASE_LOST_REASONS],
    ['JobAction', OPERATOR_ACTIONS],
    ['AttemptOutcome', [...ATTEMPT_OUTCOMES, 'running']],
    ['JobOrder', JOB_ORDERS],
  ])('%s has exactly the values of the domain', (name, words) => {
    const type = schema.getType(name);
    const values = isEnumType(type) ? type.getValues() : [];
    expect(values.map((value) => value.name).toSorted()).toEqual(upper(words));
    expect(values.map((value) => String(value.value).toUpperCase()).toSorted()).toEqual(upper(words));
  });
});

describe('the published operations', () => {
  const unusedAllowed = specifiedRules.filter(({ name }) => name !== 'NoUnusedFragmentsRule');

  test('name every mutation and every subscription', () => {
    const text = PUBLISHED.map((each) => each.text).join('\n');
    const roots = [schema.getMutationType(), schema.getSubscriptionType()].flatMap((root) => Object.keys(root?.getFields() ?? {}));
    expect(roots.filter((name) => !new RegExp(`^  ${name}\\b`, 'm').test(text))).toEqual([]);
  });

  test.each([...PUBLISHED, { name: 'fragments.graphql', text: '' }])('$name is valid and within the limits of a document', ({ text }) => {
    const document = parseDocument(`${text}\n${FRAGMENTS}`);
    expect(validate(schema, document, [...unusedAllowed, DocumentLimitsRule])).toEqual([]);
  });

  test('ask every result union for the name of its member and for the failure', () => {
    const mutations = PUBLISHED.map((each) => each.text).filter((text) => text.startsWith('mutation') && text.includes('Success'));
    expect(mutations.length).toBeGreaterThan(8);
    for (const text of mutations) expect(text).toMatch(/__typename[^]*\.\.\. on Failure/);
  });
});
