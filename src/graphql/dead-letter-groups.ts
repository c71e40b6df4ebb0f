/** Dead letters by what they died of: groups, how often, since when, and of late. */
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import type { DeadLetterGroup, DeadLetterTrendPoint } from '../store/answers.ts';
import type { DeadLetterGroupFilter, DeadLetterGroupOrder } from '../store/requests.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import * as check from './inputs.ts';
import { type Connection, connection, type Edge, PAGE_DEFAULTS, type PageArguments, parsePage } from './pages.ts';
import { fewItems, needs, pageItems, WEIGHTS, weighs } from './terms.ts';
import { PageInfoRef } from './types.ts';

const VALUES = `up to ${LIMITS.filterValuesMax} of them; an empty list matches nothing. Absent: all.`;

const DeadLetterTrendPointRef = builder.objectRef<DeadLetterTrendPoint>('DeadLetterTrendPoint').implement({
  description: 'An hour of a group of dead letters.',
  fields: (t) => ({
    at: t.expose('atMs', { type: 'DateTime', description: 'When the hour began.' }),
    died: t.exposeInt('died', { description: 'Jobs that became dead letters of this group in it, whether or not they still are.' }),
  }),
});

const DeadLetterGroupRef = builder.objectRef<DeadLetterGroup>('DeadLetterGroup').implement({
  description:
    'Dead letters of one queue and one task that died of the same error: of the same type, with messages that differ in numbers, ids, quoted text, paths and addresses only. ' +
    'It is there while it has a job. Work on all of it with `filter: {deadLetterGroups: [id]}` of redriveJobs and purgeJobs; a redrive with `limit: 1` tries one first.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Made of queue, task and error, so that the same error has the same id again.' }),
    queueName: t.exposeString('queue', { description: 'The queue of its jobs.' }),
    task: t.exposeString('task', { description: 'The task of its jobs.' }),
    errorType: t.exposeString('errorType', { nullable: true, description: 'The kind of error, as the worker named it; null where the worker named none.' }),
    message: t.exposeString('message', { description: `Of the latest that died, its first ${LIMITS.groupMessageCharactersMax} characters.` }),
    count: t.exposeInt('count', { description: 'Dead letters in it now.' }),
    firstAt: t.expose('firstAtMs', { type: 'DateTime', description: 'When the first job died since the group is there.' }),
    lastAt: t.expose('lastAtMs', { type: 'DateTime', description: 'When the latest job died.' }),
    trend: t.expose('trend', {
      type: [DeadLetterTrendPointRef],
      extensions: fewItems(),
      description: `The last ${LIMITS.groupTrendHours} hours, oldest first, the one under way included.`,
    }),
  }),
});

const DeadLetterGroupEdgeRef = builder.objectRef<Edge<DeadLetterGroup>>('DeadLetterGroupEdge').implement({
  description: 'A group with its place in the list.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Pass it as `after` to go on from here, in the same order.' }),
    node: t.expose('node', { type: DeadLetterGroupRef, description: 'The group.' }),
  }),
});

const DeadLetterGroupConnectionRef = builder.objectRef<Connection<DeadLetterGroup>>('DeadLetterGroupConnection').implement({
  description: 'A page of groups of dead letters.',
  fields: (t) => ({
    edges: t.expose('edges', { type: [DeadLetterGroupEdgeRef], extensions: pageItems(), description: 'The groups with their cursors.' }),
    nodes: t.field({
      type: [DeadLetterGroupRef],
      extensions: pageItems(),
      description: 'The groups.',
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose('pageInfo', { type: PageInfoRef, description: 'Where the page lies in its list.' }),
  }),
});

const DeadLetterGroupOrderEnum = builder.enumType('DeadLetterGroupOrder', {
  description: 'The order of a list of groups. A group that changes while pages are read may be on two of them, or on none.',
  values: {
    COUNT: { value: 'count', description: 'The one with the most dead letters first.' },
    RECENT: { value: 'recent', description: 'The one in which a job died last first.' },
  },
});

const groupFilter = z
  .object({ queues: check.filterValues(check.name), tasks: check.filterValues(check.name) })
  .transform((filter): DeadLetterGroupFilter => check.present(filter));

interface GroupListArguments extends PageArguments {
  readonly queues?: readonly string[] | null | undefined;
  readonly tasks?: readonly string[] | null | undefined;
  readonly orderBy?: DeadLetterGroupOrder | null | undefined;
}

async function groupsPage({ store, principal: { tenant } }: GraphQLContext, given: GroupListArguments): Promise<Connection<DeadLetterGroup>> {
  const filter = check.parseInput(groupFilter, { queues: given.queues, tasks: given.tasks }, []);
  const order = given.orderBy ?? 'count';
  const name = { tenant, list: `dead letter groups ${order}`, firstDefault: PAGE_DEFAULTS.deadLetterGroups };
  return connection(await store.deadLetterGroups(tenant, filter, order, parsePage(given, name)), name);
}

builder.queryFields((t) => ({
  deadLetterGroups: t.field({
    type: DeadLetterGroupConnectionRef,
    extensions: { ...needs('READ'), ...weighs(WEIGHTS.list) },
    nullable: true,
    description: 'A page of groups of dead letters: what broke, and how often.',
    args: {
      queues: t.arg.stringList({ description: `Queue names, ${VALUES}` }),
      tasks: t.arg.stringList({ description: `Tasks, ${VALUES}` }),
      orderBy: t.arg({ type: DeadLetterGroupOrderEnum, defaultValue: 'count', description: 'In which order.' }),
      first: t.arg.int({ defaultValue: PAGE_DEFAULTS.deadLetterGroups, description: `Page size, 1 to ${LIMITS.pageItemsMax}; more is refused.` }),
      after: t.arg.string({ description: '`endCursor` of the page before. It is bound to the order.' }),
    },
    resolve: (_root, args, context) => groupsPage(context, args),
  }),
  deadLetterGroup: t.field({
    type: DeadLetterGroupRef,
    extensions: needs('READ'),
    nullable: true,
    description: 'One group of dead letters; null where there is none, or none any more.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, { store, principal }) => store.deadLetterGroup(principal.tenant, id),
  }),
}));
