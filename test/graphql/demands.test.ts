/** What an operation demands of its caller: worked out from the document, and who is refused for want of it. */
import {
  buildSchema,
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  parse,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { type Scope, SCOPES } from '../../src/domain/access.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import type { GivenVariables } from '../../src/graphql/cost.ts';
import { type Demands, demandsOf, operationCost, refusalOf } from '../../src/graphql/demands.ts';
import { rateLimited, unauthenticated } from '../../src/graphql/outcome.ts';
import { schema } from '../../src/graphql/schema.ts';
import { printedSchema, withStatedTerms } from '../../src/graphql/stated-terms.ts';
import { itemsOf, needs, needsOf } from '../../src/graphql/terms.ts';
import { FRAGMENTS, PUBLISHED } from '../support/published-operations.ts';
import { keyWith } from '../support/rights.ts';

function demands(text: string, operationName?: string): Demands {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const found = demandsOf(schema, document, operationName);
  if (found === null) throw new Error('no operation');
  return found;
}
const scopesOf = (text: string): readonly string[] => demands(text).needs.map(({ anyOf, field }) => `${field}: ${anyOf.join('|')}`);
const cost = (text: string, variables: GivenVariables = {}): number => operationCost(demands(text), variables);
const items = (count: number): readonly object[] => Array.from({ length: count }, () => ({}));

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((root) => root !== null && root !== undefined);
const objectTypes = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'));
const objectFields = objectTypes.flatMap((type) => Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })));

test('a list at the root costs as often as it has items, with all below', () => {
  const live = 'subscription ($first: Int) { queues(first: $first) { name series { points { at } } } }';
  const one = cost(live, { first: 1 });
  expect(one).toBeGreaterThan(50);
  expect(cost(live, { first: 40 })).toBe(40 * one);
  expect(cost('subscription { queues { name } }')).toBe(50);
});

describe('what fields state', () => {
  test('every root field states the scopes it needs', () => {
    const silent = roots.flatMap((root) => Object.values(root.getFields())).filter((field) => needsOf(field) === null);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('every list of objects states how many items it has', () => {
    const lists = objectFields.filter(({ field }) => isListType(getNullableType(field.type)) && !isLeafType(getNamedType(field.type)));
    expect(lists.length).toBeGreaterThan(10);
    expect(lists.filter(({ field }) => itemsOf(field) === null).map(({ name }) => name)).toEqual([]);
  });

  test('`first` and `last` mean a page of the one size that pages have, or of queues in trouble', () => {
    const paged = objectFields.filter(
      ({ field }) => field.args.some(({ name }) => name === 'first' || name === 'last') && !isListType(getNullableType(field.type)),
    );
    expect(paged.map(({ name }) => name).toSorted()).toEqual([
      'Job.attempts',
      'Job.events',
      'Query.auditLog',
      'Query.deadLetterGroups',
      'Query.jobEvents',
      'Query.jobs',
      'Query.queues',
      'Query.tenants',
      'Queue.jobs',
    ]);
    for (const { name, field } of paged) {
      const page = getNamedType(field.type);
      const lists = isObjectType(page) ? Object.values(page.getFields()).filter(({ type }) => isListType(getNullableType(type))) : [];
      expect(lists.length, name).toBeGreaterThan(0);
      const said = name === 'Query.queues' ? { places: ['first'], max: LIMITS.troubledQueuesMax } : { places: ['last', 'first'], max: LIMITS.pageItemsMax };
      for (const list of lists) expect(itemsOf(list), name).toEqual(said);
    }
  });

  test('what reads beyond the object it stands on needs a scope of its own', () => {
    const needy = objectFields.filter(({ name, field }) => !/^(Query|Mutation|Subscription)\./.test(name) && needsOf(field) !== null);
    expect(needy.map(({ name, field }) => `${name} ${needsOf(field)?.join('|') ?? ''}`).toSorted()).toEqual([
      'Job.attempts READ',
      'Job.events READ',
      'Job.queue READ',
      'JobConnection.count READ',
      'JobEvent.job READ',
      'Queue.jobs READ',
      'Queue.series READ',
      'Queue.stats READ',
      'Tenant.usage ADMIN|SYSTEM',
    ]);
  });

  test('each verb needs the scope of its caller', () => {
    const stated = (root: GraphQLObjectType | null | undefined): Record<string, readonly Scope[] | null> =>
      Object.fromEntries(Object.values(root?.getFields() ?? {}).map((field) => [field.name, needsOf(field)]));
    for (const scopes of [...Object.values(stated(schema.getSubscriptionType()))]) expect(scopes).toEqual(['READ']);
    expect(stated(schema.getMutationType())).toMatchObject({
      submitJob: ['SUBMIT'],
      submitJobs: ['SUBMIT'],
      ...Object.fromEntries(['claimJobs', 'heartbeat', 'completeJob', 'completeJobs', 'failJob', 'releaseJob'].map((name) => [name, ['WORK']])),
      ...Object.fromEntries(
        ['cancelJob', 'redriveJob', 'rescheduleJob', 'cancelJobs', 'redriveJobs', 'purgeJobs', 'configureQueue', 'pauseQueue', 'resumeQueue'].map((name) => [
          name,
          ['OPERATE'],
        ]),
      ),
    });
    const reads = ['job', 'jobs', 'jobEvents', 'latestEventCursor', 'queue', 'queues', 'stats', 'workers'];
    expect(stated(schema.getQueryType())).toMatchObject(Object.fromEntries(reads.map((name) => [name, ['READ']])));
  });

  test.each([
    ['a root field without its scopes', { type: GraphQLBoolean }, /Query\.silent does not state the scopes/],
    [
      'a list of objects without its size',
      { type: new GraphQLList(new GraphQLObjectType({ name: 'Row', fields: { a: { type: GraphQLBoolean } } })), extensions: needs() },
      /Query\.silent does not state how many/,
    ],
  ])('%s is no schema', (_what, field, message) => {
    expect(() => withStatedTerms(new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { silent: field } }) }))).toThrow(message);
  });
});

describe('the published schema', () => {
  const text = printedSchema(schema);

  test('is schema language', () => {
    expect(Object.keys(buildSchema(text).getTypeMap())).toEqual(expect.arrayContaining(Object.keys(schema.getTypeMap())));
  });

  test('says each need twice: as a directive, and in the description', () => {
    expect(text).toContain('directive @requiresScope(anyOf: [Scope!]!) on FIELD_DEFINITION');
    expect(text).toContain('directive @redactedWithout(scope: Scope!) on FIELD_DEFINITION');
    expect(text).toMatch(/Needs the scope SUBMIT\.\n {2}"""\n {2}submitJob\([^)]*\): SubmitJobResult @requiresScope\(anyOf: \[SUBMIT\]\)\n/);
    expect(text).toContain('payload: JSONObject @redactedWithout(scope: PAYLOADS)\n');
    for (const { name, field } of objectFields) {
      const anyOf = needsOf(field);
      if (anyOf !== null && anyOf.length > 0) expect(field.description?.split(`Needs the scope ${anyOf.join(' or ')}.`), name).toHaveLength(2);
    }
    const applied = parse(text).definitions.flatMap((node) => (node.kind === Kind.OBJECT_TYPE_DEFINITION ? (node.fields ?? []) : []));
    const directives = applied.flatMap((field) => field.directives ?? []).filter(({ name }) => name.value === 'requiresScope');
    expect(directives).toHaveLength(objectFields.filter(({ field }) => needsOf(field)?.length).length);
  });
});

describe('scopes', () => {
  test('are those of every field that is asked for, each once', () => {
    expect(scopesOf('{ jobs { nodes { queue { name } } count { value } } stats { ready } }')).toEqual(['Query.jobs: READ']);
    expect(scopesOf('mutation { submitJob(input: {task: "t"}) { ... on SubmitJobSuccess { job { id state queue { name } } } } }')).toEqual([
      'Mutation.submitJob: SUBMIT',
      'Job.queue: READ',
    ]);
  });

  test('let a producer read the job it submitted, and a worker the job it claimed', () => {
    const job = 'job { id queueName state ready tags { key } lastError { message } lease { workerId } payload }';
    expect(scopesOf(`mutation { submitJob(input: {task: "t"}) { ... on SubmitJobSuccess { ${job} } } }`)).toEqual(['Mutation.submitJob: SUBMIT']);
    expect(scopesOf(`mutation { claimJobs(input: {workerId: "w"}) { leases { leaseToken ${job} } } }`)).toEqual(['Mutation.claimJobs: WORK']);
  });

  test('are found behind aliases, fragments and directives', () => {
    const text =
      'mutation { a: submitJob(input: {task: "t"}) { ...R } } fragment R on SubmitJobResult { ...S } fragment S on SubmitJobSuccess { job { ... @skip(if: true) { a: queue { name } } } }';
    expect(scopesOf(text)).toEqual(['Mutation.submitJob: SUBMIT', 'Job.queue: READ']);
  });

  test('are those of the operation that runs', () => {
    const text = 'query Q { stats { ready } } mutation M { pauseQueue(input: {name: "q"}) { __typename } }';
    expect(demands(text, 'Q').needs).toEqual([{ anyOf: ['READ'], field: 'Query.stats' }]);
    expect(demands(text, 'M').needs).toEqual([{ anyOf: ['OPERATE'], field: 'Mutation.pauseQueue' }]);
    expect(demandsOf(schema, parse(text), 'X')).toBeNull();
    expect(demandsOf(schema, parse(text), undefined)).toBeNull();
  });

  test('are none for __typename', () => {
    expect(demands('{ __typename }')).toEqual({ needs: [], introspection: null, cost: 0 });
  });

  test.each(SCOPES)('%s alone opens what it names and nothing else', (scope) => {
    const wanted = { READ: '{ stats { ready } }', SUBMIT: 'mutation { submitJob(input: {task: "t"}) { __typename } }' };
    for (const [name, text] of Object.entries(wanted)) {
      const refusal = refusalOf(demands(text), keyWith(scope), {}, { production: true });
      expect(refusal === null, `${name} with ${scope}`).toBe(name === scope);
    }
  });

  test('are asked for in words that say what to do', () => {
    const refusal = refusalOf(demands('{ jobs { nodes { id } } }'), keyWith('SUBMIT', 'WORK'), {}, { production: true });
    expect(refusal?.message).toBe(
      'Query.jobs needs the scope READ, which this key does not have. Nothing was run: leave the field out, or use a key with the scope.',
    );
    expect(refusal?.extensions).toEqual({ code: 'FORBIDDEN', field: 'Query.jobs', scopes: ['READ'], http: { status: 403 } });
  });

  test('of which any is enough, are enough', () => {
    const either: Demands = { needs: [{ anyOf: ['ADMIN', 'SYSTEM'], field: 'Query.tenant' }], introspection: null, cost: 1 };
    expect(refusalOf(either, keyWith('ADMIN'), {}, { production: true })).toBeNull();
    expect(refusalOf(either, keyWith('SYSTEM'), {}, { production: true })).toBeNull();
    expect(refusalOf(either, keyWith('READ'), {}, { production: true })?.message).toContain(
      'needs one of the scopes ADMIN, SYSTEM, and this key has none of them',
    );
  });
});

describe('introspection', () => {
  const asking = demands('{ a: __type(name: "Job") { name } __schema { types { name } } }');

  test('in production takes a key with the scope ADMIN', () => {
    const hidden = (rights: Parameters<typeof refusalOf>[1], production: boolean) => refusalOf(asking, rights, {}, { production })?.extensions['code'];
    expect(hidden(keyWith('ADMIN'), true)).toBeUndefined();
    expect(hidden(keyWith('READ', 'SYSTEM'), true)).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(hidden({ key: null, scopes: new Set(SCOPES) }, true)).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(hidden(keyWith('READ'), false)).toBeUndefined();
  });

  test('is not free', () => {
    expect(asking.cost).toBe(200);
  });
});

describe('cost', () => {
  const page = (size: string) => `query ($n: Int, $m: Int = 7) { jobs(${size}) { nodes { id } } }`;

  test.each([
    ['a root field', '{ latestEventCursor }', {}, 1],
    ['an object, but not its scalars', '{ job(by: {id: "x"}) { id task tags { key value } lastError { message } } }', {}, 3],
    ['a page as large as it says', page('first: 30'), {}, 40],
    ['a page from the end', page('last: 3'), {}, 13],
    ['a page as large as its variable says', page('first: $n'), { n: 30 }, 40],
    ['a variable that is absent', page('first: $n'), {}, 30],
    ['a variable that is null', page('first: $n'), { n: null }, 30],
    ['a default of a variable', page('first: $m'), {}, 17],
    ['a default of an argument', '{ jobs { nodes { id } } }', {}, 30],
    ['more than a page may hold, which is refused elsewhere', page('first: $n'), { n: 1e9 }, 110],
    ['less than nothing', page('first: $n'), { n: -5 }, 10],
    ['a number that is none', page('first: $n'), { n: 'x' }, 11],
    ['a field that a directive leaves out', '{ jobs(first: 1) @skip(if: true) { nodes { id } } }', {}, 11],
    [
      'the dearest member of a union',
      'mutation { cancelJob(input: {id: "x"}) { ... on CancelJobSuccess { job { id } } ... on InvalidTransition { from } } }',
      {},
      2,
    ],
    ['one field asked for twice', '{ jobs(first: 2) { nodes { id lastError { at } } } jobs(first: 2) { nodes { lastError { type } } } }', {}, 14],
  ])('counts %s', (_what, text, variables, expected) => {
    expect(operationCost(demandsOf(schema, parse(text), undefined) ?? demands('{ __typename }'), variables)).toBe(expected);
  });

  test.each([
    ['submitJobs of literals', 'mutation { submitJobs(input: {jobs: [{task: "t"}, {task: "t"}]}) { stored } }', {}, 3],
    [
      'submitJobs of a variable',
      'mutation ($jobs: [SubmitJobInput!]!) { submitJobs(input: {jobs: $jobs}) { results { __typename } } }',
      { jobs: items(5) },
      11,
    ],
    ['completeJobs', 'mutation ($input: CompleteJobsInput!) { completeJobs(input: $input) { results { __typename } } }', { input: { jobs: items(4) } }, 9],
    [
      'one item in the place of a list',
      'mutation ($input: CompleteJobsInput!) { completeJobs(input: $input) { results { __typename } } }',
      { input: { jobs: {} } },
      3,
    ],
    ['heartbeat', 'mutation ($input: HeartbeatInput!) { heartbeat(input: $input) { serverTime } }', { input: { leases: items(9) } }, 10],
    ['claimJobs', 'mutation ($input: ClaimJobsInput!) { claimJobs(input: $input) { leases { fence } } }', { input: { max: 5, completing: items(2) } }, 13],
    ['claimJobs by default', 'mutation ($input: ClaimJobsInput!) { claimJobs(input: $input) { leases { fence } } }', { input: {} }, 3],
    ['a bulk call', 'mutation ($input: CancelJobsInput!) { cancelJobs(input: $input) { changed } }', { input: { target: { filter: {} } } }, 1_001],
    ['a bulk call with its limit', 'mutation ($input: CancelJobsInput!) { cancelJobs(input: $input) { changed } }', { input: { limit: 3 } }, 4],
    ['a bulk call of ids', 'mutation ($input: PurgeJobsInput!) { purgeJobs(input: $input) { changed } }', { input: { target: { ids: ['a', 'b'] } } }, 3],
    ['a feed, by the message', 'subscription { jobEvents(maxBatch: 9) { ... on JobEventBatch { events { kind job { id } } } } }', {}, 19],
    ['a feed by default', 'subscription { jobEvents { ... on JobEventBatch { events { kind } } } }', {}, 201],
  ])('of %s', (_what, text, variables, expected) => {
    expect(cost(text, variables)).toBe(expected);
  });

  test('is a number where no variable matters', () => {
    expect(demands('{ jobs(first: 100) { nodes { id } } }').cost).toBe(110);
    expect(demands('mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename } }').cost).toBe(1);
    expect(demands('query ($f: JobFilter) { jobs(filter: $f) { nodes { id } } }').cost).toBe(30);
  });

  test('of fragments that double at every step is told at once', () => {
    const bomb = `{ job(by: {id: "x"}) { ...F0 } } ${Array.from({ length: 200 }, (_none, index) => `fragment F${index} on Job { ...F${index + 1} ...F${index + 1} }`).join(' ')} fragment F200 on Job { id }`;
    expect(cost(bomb)).toBe(1);
  });

  test('of fields that double at every level is told at once', () => {
    const levels = Array.from(
      { length: 40 },
      (_none, index) => `fragment F${index} on Job { queue { jobs { nodes { ...F${index + 1} } edges { node { ...F${index + 1} } } } } }`,
    );
    const bomb = demandsOf(schema, parse(`{ job(by: {id: "x"}) { ...F0 } } ${levels.join(' ')} fragment F40 on Job { id }`), undefined);
    expect(bomb && operationCost(bomb, {})).toBeGreaterThan(LIMITS.operationCostMax);
  });

  const jobsOf = (first: number): string => `jobs(first: ${first}) { nodes { lastError { at } lease { renewals } progress { note } tags { key } } }`;
  /** Costs exactly the limit: 9 times 10 + 5 × 100, and 10 + 5 × 80. */
  const costly = `${Array.from({ length: 9 }, (_none, index) => `a${index}: ${jobsOf(100)}`).join(' ')} ${jobsOf(80)}`;

  test(`may be ${LIMITS.operationCostMax}, and not one more`, () => {
    const [limit, beyond] = [demands(`{ ${costly} }`), demands(`{ ${costly} latestEventCursor }`)];
    expect([limit.cost, beyond.cost]).toEqual([LIMITS.operationCostMax, LIMITS.operationCostMax + 1]);
    expect(refusalOf(limit, keyWith('READ'), {}, { production: true })).toBeNull();
    expect(refusalOf(beyond, keyWith('READ'), {}, { production: true })?.extensions).toEqual({
      code: 'OPERATION_TOO_COMPLEX',
      kind: 'cost',
      found: LIMITS.operationCostMax + 1,
      max: LIMITS.operationCostMax,
      http: { status: 400 },
    });
  });

  test('refuses lists in lists', () => {
    const nested = demands('{ jobs(first: 100) { nodes { queue { jobs(first: 100) { nodes { id } } } } } }');
    expect(refusalOf(nested, keyWith('READ'), {}, { production: true })?.extensions['kind']).toBe('cost');
    const counted = demands('{ jobs(first: 100) { nodes { queue { jobs(first: 1) { count { value } } } } } }');
    expect(refusalOf(counted, keyWith('READ'), {}, { production: true })?.extensions['kind']).toBe('cost');
  });

  test('leaves room for a thousand events with their jobs, and a hundred queues with their figures', () => {
    expect(
      cost('subscription { jobEvents(maxBatch: 1000) { ... on JobEventBatch { events { kind job { id tags { key } lastError { at } } } } } }'),
    ).toBeLessThan(LIMITS.operationCostMax);
    expect(
      cost(
        '{ queues(first: 100) { nodes { name defaults { priority } retention { deadSeconds } stats { counts { dead } throughput { failedPerSecond } } } } }',
      ),
    ).toBeLessThan(LIMITS.operationCostMax);
  });
});

describe('the published operations', () => {
  const operations = PUBLISHED.flatMap(({ text }) => {
    const document = parse(`${text}\n${FRAGMENTS}`);
    return document.definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? [{ name: node.name?.value ?? '', document }] : []));
  });
  const greatest = {
    first: LIMITS.pageItemsMax,
    last: LIMITS.pageItemsMax,
    attempts: LIMITS.pageItemsMax,
    events: LIMITS.pageItemsMax,
    maxBatch: LIMITS.feedBatchEventsMax,
    input: {
      jobs: items(LIMITS.batchItemsMax),
      leases: items(LIMITS.batchItemsMax),
      max: LIMITS.claimLeasesMax,
      completing: items(LIMITS.claimCompletingMax),
      limit: LIMITS.bulkJobsMax,
    },
  };

  /** Of the caller itself; of a tenant that is either the own one or any; and of any tenant, with its usage. */
  const OTHER_NEEDS: Readonly<Record<string, readonly string[]>> = {
    Viewer: [],
    Tenant: ['ADMIN|SYSTEM'],
    UpdateTenant: ['ADMIN|SYSTEM'],
    Tenants: ['SYSTEM', 'ADMIN|SYSTEM'],
    CreateTenant: ['SYSTEM', 'ADMIN|SYSTEM'],
  };

  test.each(operations)('$name can be used with one scope, and is affordable with the largest arguments', ({ name, document }) => {
    const found = demandsOf(schema, document, name);
    expect(found?.needs.map(({ anyOf }) => anyOf.join('|'))).toEqual(OTHER_NEEDS[name] ?? [expect.stringMatching(/^[A-Z]+$/)]);
    expect(found && operationCost(found, greatest)).toBeLessThanOrEqual(LIMITS.operationCostMax);
  });
});

describe('refusals that come from elsewhere', () => {
  test('say when to come back, in whole seconds for the header', () => {
    expect(rateLimited(1_200.5).extensions).toEqual({ code: 'RATE_LIMITED', retryAfterMs: 1_201, http: { status: 429, headers: { 'retry-after': '2' } } });
    expect(rateLimited(0).extensions).toMatchObject({ retryAfterMs: 1, http: { headers: { 'retry-after': '1' } } });
    expect(rateLimited(1_000).message).toContain('repeat the request in 1000 ms');
  });

  test('ask for a key', () => {
    expect(unauthenticated('Who are you?').extensions).toEqual({ code: 'UNAUTHENTICATED', http: { status: 401, headers: { 'www-authenticate': 'Bearer' } } });
  });
});
