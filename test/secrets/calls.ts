/** Every operation of the schema, with everything that it can answer selected, in an order in which each has something to do. */
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { deadGroupOf } from '../../src/store/dead-groups.ts';
import { CANARIES } from './canaries.ts';

/** What later calls need of earlier answers. */
export interface Life {
  jobId: string;
  leaseToken: string;
  keyId: string;
}

export interface Call {
  readonly field: string;
  readonly variables: (life: Life) => object;
}

const held = ({ jobId, leaseToken }: Life) => ({ jobId, leaseToken });
const job = (more: object = {}) => ({ queue: 'q', task: 't', payload: { card: CANARIES.payload }, ...more });
const claim = (more: object = {}) => ({ queues: ['q'], workerId: 'w', requestId: CANARIES.requestId, ...more });
const call = (field: string, variables: Call['variables'] = () => ({})): Call => ({ field, variables });
const withInput = (field: string, input: Call['variables']): Call => ({ field, variables: (life) => ({ input: input(life) }) });
const error = { type: 'Broken', message: CANARIES.errorMessage, details: { card: CANARIES.details } };
const group = deadGroupOf({ queue: 'q', task: 't', lastError: error });
const target = { filter: { queues: ['q'] } };

export const CALLS: readonly Call[] = [
  withInput('createTenant', () => ({ id: 'other', name: 'Other' })),
  withInput('createApiKey', () => ({ name: 'made', scopes: ['READ'] })),
  withInput('revokeApiKey', ({ keyId }) => ({ id: keyId })),
  withInput('configureQueue', () => ({ name: 'q', defaults: { retryBaseSeconds: 1 } })),
  withInput('pauseQueue', () => ({ name: 'q' })),
  withInput('resumeQueue', () => ({ name: 'q' })),
  withInput('submitJob', () => job({ idempotencyKey: CANARIES.idempotencyKey })),
  // The same again, and then another one with the same key.
  withInput('submitJob', () => job({ idempotencyKey: CANARIES.idempotencyKey })),
  withInput('submitJob', () => job({ idempotencyKey: CANARIES.idempotencyKey, payload: { card: `${CANARIES.payload}!` } })),
  withInput('rescheduleJob', ({ jobId }) => ({ id: jobId, priority: 5 })),
  withInput('claimJobs', () => claim()),
  // The answer was lost: the same lease with another token.
  withInput('claimJobs', () => claim()),
  withInput('heartbeat', (life) => ({ leases: [{ ...held(life), progress: { percent: 5 } }] })),
  withInput('releaseJob', held),
  withInput('claimJobs', () => claim()),
  withInput('failJob', (life) => ({ ...held(life), error, retry: { never: true } })),
  withInput('failJob', (life) => ({ ...held(life), error, retry: { never: true } })),
  call('deadLetterGroups'),
  call('deadLetterGroup', () => ({ id: group })),
  call('job', ({ jobId }) => ({ by: { id: jobId } })),
  call('job', () => ({ by: { idempotencyKey: { queue: 'q', key: CANARIES.idempotencyKey } } })),
  withInput('redriveJob', ({ jobId }) => ({ id: jobId })),
  withInput('cancelJob', ({ jobId }) => ({ id: jobId })),
  withInput('redriveJob', ({ jobId }) => ({ id: jobId })),
  withInput('submitJobs', () => ({ jobs: [job(), job({ idempotencyKey: CANARIES.idempotencyKey, task: 'x' })], onFailure: 'ALL_OR_NOTHING' })),
  withInput('submitJobs', () => ({ jobs: [job(), job(), job()] })),
  withInput('claimJobs', () => claim({ requestId: null })),
  withInput('completeJob', (life) => ({ ...held(life), result: { card: CANARIES.result } })),
  withInput('heartbeat', (life) => ({ leases: [held(life)] })),
  withInput('failJob', (life) => ({ ...held(life), error })),
  withInput('claimJobs', () => claim({ requestId: null })),
  withInput('completeJobs', (life) => ({ jobs: [{ ...held(life), result: { card: CANARIES.result } }] })),
  withInput('cancelJobs', () => ({ target })),
  withInput('redriveJobs', () => ({ target })),
  call('viewer'),
  call('stats'),
  call('queue', () => ({ name: 'q' })),
  call('queues', () => ({ first: 3 })),
  call('series', () => ({ queue: 'q' })),
  call('workers'),
  call('jobs', () => ({ first: 3 })),
  call('jobEvents', () => ({ first: 100 })),
  call('latestEventCursor'),
  call('apiKeys'),
  withInput('setRedactionRules', () => ({ rules: [{ task: 't', path: 'card' }] })),
  call('redactionRules'),
  call('tryRedaction', () => ({ task: 't', value: { card: CANARIES.payload } })),
  call('auditLog', () => ({ first: 100 })),
  call('tenant', () => ({ id: 'acme' })),
  call('tenants'),
  withInput('updateTenant', () => ({ id: 'acme', quotas: { maxWaitingJobs: 0 } })),
  withInput('submitJob', () => job({ idempotencyKey: `${CANARIES.idempotencyKey}-2` })),
  withInput('updateTenant', () => ({ id: 'acme', quotas: { maxWaitingJobs: null } })),
];

/** Comes last: it removes what the others look at. */
export const LAST_CALL = withInput('purgeJobs', () => ({ target }));

const DEPTH_MAX = 5;
/** The same again at another place. */
const LEFT_OUT: ReadonlySet<string> = new Set(['edges', 'pageInfo', 'queue']);

/** The document of a root field, with the variables of its arguments that are given. */
export function documentOf(schema: GraphQLSchema, name: string, given: readonly string[], kind: 'query' | 'mutation' | 'subscription'): string {
  const field = { query: schema.getQueryType(), mutation: schema.getMutationType(), subscription: schema.getSubscriptionType() }[kind]?.getFields()[name];
  if (field === undefined) throw new Error(`the schema has no ${kind} ${name}`);
  const args = field.args.filter((arg) => given.includes(arg.name));
  const definitions = args.map((arg) => `$${arg.name}: ${String(arg.type)}`);
  const values = args.map((arg) => `${arg.name}: $${arg.name}`);
  const list = (texts: readonly string[]): string => (texts.length === 0 ? '' : `(${texts.join(', ')})`);
  return `${kind} ${list(definitions)} { ${name}${list(values)}${selection(schema, field.type, 0)} }`;
}

export const kindOf = (schema: GraphQLSchema, name: string): 'query' | 'mutation' =>
  schema.getMutationType()?.getFields()[name] === undefined ? 'query' : 'mutation';

function selection(schema: GraphQLSchema, outputType: GraphQLOutputType, depth: number): string {
  const type = getNamedType(outputType);
  if (isLeafType(type)) return '';
  if (isObjectType(type)) return ` { __typename ${fields(schema, type, depth)} }`;
  if (!isAbstractType(type)) return '';
  return ` { __typename ${schema
    .getPossibleTypes(type)
    .map((member) => `... on ${member.name} { __typename ${fields(schema, member, depth)} }`)
    .join(' ')} }`;
}

function fields(schema: GraphQLSchema, type: GraphQLObjectType, depth: number): string {
  return Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)) || (depth < DEPTH_MAX && !LEFT_OUT.has(field.name) && !isTooMuch(field, depth)))
    .map((field) => `${field.name}${field.args.some(({ name }) => name === 'first') ? '(first: 5)' : ''}${selection(schema, field.type, depth + 1)}`)
    .join(' ');
}

/** A job of an event of a job. */
const isTooMuch = ({ name }: GraphQLField<unknown, unknown>, depth: number): boolean => name === 'job' && depth > 3;
