/** Lists of queues: by name in pages, or the first by trouble. */
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import { builder } from './builder.ts';
import type { GraphQLContext } from './context.ts';
import { QueueOrderEnum } from './enums.ts';
import * as check from './inputs.ts';
import { type Connection, connection, type PageArguments, PAGE_DEFAULTS, parsePage } from './pages.ts';
import { QueueConnectionRef } from './queues.ts';
import type { ShownQueue } from './refs.ts';
import { needs } from './terms.ts';

interface QueueArguments extends PageArguments {
  readonly namePrefix?: string | null | undefined;
}

/** Text that a name may begin with; the empty one and none at all are alike. */
const namePrefix = z
  .union([z.literal(''), check.name])
  .nullish()
  .transform((prefix) => prefix ?? '');

async function pageByName({ store, principal: { tenant } }: GraphQLContext, args: QueueArguments): Promise<Connection<ShownQueue>> {
  const name = { tenant, list: 'queues', firstDefault: PAGE_DEFAULTS.queues };
  const prefix = check.parseInput(namePrefix, args.namePrefix, ['namePrefix']);
  return connection(await store.queues(tenant, parsePage(args, name), prefix), name);
}

const troubledFirst = check.whole(1, LIMITS.troubledQueuesMax).nullish();

/** How many of the queues in trouble are asked for. Throws BAD_USER_INPUT. */
export function parseTroubledFirst(first: number | null | undefined): number {
  return check.parseInput(troubledFirst, first, ['first']) ?? PAGE_DEFAULTS.queues;
}

const byNameOnly = z.null('is for the order NAME only').optional();
const alone = z.object({ after: byNameOnly, namePrefix: byNameOnly });

async function pageByTrouble({ store, principal: { tenant } }: GraphQLContext, args: QueueArguments): Promise<Connection<ShownQueue>> {
  check.parseInput(alone, { after: args.after, namePrefix: args.namePrefix }, []);
  const queues = await store.troubledQueues(tenant, parseTroubledFirst(args.first));
  const rows = queues.map((row) => ({ key: [row.name], row }));
  return connection({ rows, hasNext: false, hasPrevious: false }, { tenant, list: 'queues by trouble', firstDefault: PAGE_DEFAULTS.queues });
}

builder.queryField('queues', (t) =>
  t.field({
    type: QueueConnectionRef,
    extensions: needs('READ'),
    nullable: true,
    description: 'A page of queues, by name; or one page of those that need somebody to look at them, the worst first.',
    args: {
      first: t.arg.int({
        defaultValue: PAGE_DEFAULTS.queues,
        description: `Page size, 1 to ${LIMITS.pageItemsMax}, or to ${LIMITS.troubledQueuesMax} by TROUBLE; more is refused.`,
      }),
      after: t.arg.string({ description: '`endCursor` of the page before. By NAME only: the order by TROUBLE has one page.' }),
      orderBy: t.arg({ type: QueueOrderEnum, defaultValue: 'name', description: 'The order.' }),
      namePrefix: t.arg.string({ description: 'Only queues whose name begins so, in this spelling. By NAME only. Absent or empty: all.' }),
    },
    resolve: (_root, { orderBy, ...args }, context) => (orderBy === 'trouble' ? pageByTrouble : pageByName)(context, args),
  }),
);
