/** What operators and administrators did, for administrators to read. */
import { z } from 'zod';
import { OPERATOR_ACTION_KINDS, type OperatorAction } from '../domain/audit.ts';
import { parseJson } from '../domain/json.ts';
import { LIMITS } from '../domain/limits.ts';
import { builder } from './builder.ts';
import { OperatorActionKindEnum } from './enums.ts';
import * as check from './inputs.ts';
import { type Connection, connection, type Edge, PAGE_DEFAULTS, parsePage } from './pages.ts';
import { needs, pageItems, weighs, WEIGHTS } from './terms.ts';
import { PageInfoRef } from './types.ts';

const DAYS_KEPT = LIMITS.operatorActionKeptSecondsMax / 86_400;

const OperatorActionRef = builder.objectRef<OperatorAction>('OperatorAction').implement({
  description: 'What somebody did to jobs, queues, keys, tenants or rules, recorded in the same commit. Never holds a payload, a key or a token.',
  fields: (t) => ({
    id: t.id({ description: 'Its number among the actions of the tenant.', resolve: ({ seq }) => String(seq) }),
    at: t.expose('atMs', { type: 'DateTime', description: 'When it was done; of a bulk call, when that began to change jobs.' }),
    actor: t.exposeString('actor', {
      nullable: true,
      description: 'Name of the API key, which may be of another tenant with SYSTEM. Null where nobody had to sign in, or a command on the database did it.',
    }),
    action: t.expose('kind', { type: OperatorActionKindEnum, description: 'What was done.' }),
    target: t.field({
      type: 'JSON',
      description:
        'To what, with what was asked of it: `jobId` and `queue`, `queue`, `keyId`, `tenantId`, or the `filter` of a bulk call. ' +
        `A target beyond ${LIMITS.operatorActionTargetBytesMax} bytes has \`"truncated": true\` and the lengths of its lists.`,
      resolve: ({ targetJson }) => parseJson(targetJson),
    }),
    changed: t.exposeInt('changed', { description: 'Jobs that were changed; 1 for whatever else.' }),
    skipped: t.exposeInt('skipped', { description: 'Jobs that a bulk call could not change.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, as the operator said; null where unsaid.' }),
  }),
});

const OperatorActionEdgeRef = builder.objectRef<Edge<OperatorAction>>('OperatorActionEdge').implement({
  description: 'An action with its place in the list.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: 'Pass it as `after` to go on from here.' }),
    node: t.expose('node', { type: OperatorActionRef, description: 'The action.' }),
  }),
});

const OperatorActionConnectionRef = builder.objectRef<Connection<OperatorAction>>('OperatorActionConnection').implement({
  description: 'A page of actions, newest first.',
  fields: (t) => ({
    edges: t.expose('edges', { type: [OperatorActionEdgeRef], extensions: pageItems(), description: 'The actions with their cursors.' }),
    nodes: t.field({ type: [OperatorActionRef], extensions: pageItems(), description: 'The actions.', resolve: ({ edges }) => edges.map(({ node }) => node) }),
    pageInfo: t.expose('pageInfo', { type: PageInfoRef, description: 'Where the page lies in its list.' }),
  }),
});

const kinds = check.optional(check.list(z.enum(OPERATOR_ACTION_KINDS, 'must be an action'), 0, LIMITS.filterValuesMax));

builder.queryFields((t) => ({
  auditLog: t.field({
    type: OperatorActionConnectionRef,
    nullable: true,
    extensions: { ...needs('ADMIN'), ...weighs(WEIGHTS.list) },
    description:
      'What was done to the tenant by operators and administrators, newest first. A call that changed nothing is not there; a bulk call is, where it skipped jobs. ' +
      `Kept for ${DAYS_KEPT} days, the latest ${LIMITS.operatorActionsMax} at most.`,
    args: {
      first: t.arg.int({ defaultValue: PAGE_DEFAULTS.actions, description: `Page size, 1 to ${LIMITS.pageItemsMax}; more is refused.` }),
      after: t.arg.string({ description: '`endCursor` of the page before.' }),
      actions: t.arg({
        type: [OperatorActionKindEnum],
        description: `Only these, up to ${LIMITS.filterValuesMax}; an empty list matches nothing. Absent: all.`,
      }),
    },
    resolve: async (_root, { actions, ...page }, { tenants, principal: { tenant } }) => {
      const name = { tenant, list: 'audit log', firstDefault: PAGE_DEFAULTS.actions };
      return connection(await tenants.operatorActions(tenant, check.parseInput(kinds, actions ?? null, ['actions']), parsePage(page, name)), name);
    },
  }),
}));
