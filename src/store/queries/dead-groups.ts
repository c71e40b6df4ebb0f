/** Reading groups of dead letters, with how many of their jobs died hour by hour. No query looks at a job. */
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { DeadLetterGroup, DeadLetterTrendPoint, Page } from '../answers.ts';
import type { DeadGroupTable } from '../dead-group-tables.ts';
import { DEATHS_BUCKET_MS } from '../dead-group-tally.ts';
import type { DeadLetterGroupFilter, DeadLetterGroupOrder, PageRequest } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { evenly } from './job-filter.ts';
import { pageOf, rowsToRead } from './page.ts';

type GroupRow = Selectable<DeadGroupTable>;
type GroupSelect = SelectQueryBuilder<Tables, 'dead_groups', GroupRow>;
/** How many died, by the start of the hour. */
type Deaths = ReadonlyMap<number, number>;

const COLUMNS = { count: 'count', recent: 'last_at_ms' } as const satisfies Record<DeadLetterGroupOrder, keyof GroupRow>;
const NO_DEATHS: Deaths = new Map();

export class DeadGroupQueries {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async byId(tenant: TenantId, id: string, nowMs: number): Promise<DeadLetterGroup | null> {
    const row = await this.#db.selectFrom('dead_groups').selectAll().where('tenant_id', '=', tenant).where('id', '=', id).executeTakeFirst();
    if (row === undefined) return null;
    return groupOf(row, (await this.#deaths(tenant, [id], nowMs)).get(id) ?? NO_DEATHS, nowMs);
  }

  /** The largest, or the latest, first. */
  async page(
    tenant: TenantId,
    filter: DeadLetterGroupFilter,
    order: DeadLetterGroupOrder,
    request: PageRequest,
    nowMs: number,
  ): Promise<Page<DeadLetterGroup>> {
    const column = COLUMNS[order];
    const direction = request.fromEnd ? 'asc' : 'desc';
    const rows = await within(this.#matching(tenant, filter), column, request)
      .orderBy(column, direction)
      .orderBy('id', direction)
      .limit(rowsToRead(request))
      .execute();
    const deaths = await this.#deaths(
      tenant,
      rows.map(({ id }) => id),
      nowMs,
    );
    return pageOf(
      rows,
      request,
      (row) => [row[column], row.id],
      (row) => groupOf(row, deaths.get(row.id) ?? NO_DEATHS, nowMs),
    );
  }

  #matching(tenant: TenantId, { queues, tasks }: DeadLetterGroupFilter): GroupSelect {
    return this.#db
      .selectFrom('dead_groups')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .$if(queues !== undefined, (query) => query.where('queue_name', 'in', evenly(queues ?? [])))
      .$if(tasks !== undefined, (query) => query.where('task', 'in', evenly(tasks ?? [])));
  }

  /** Of each group, by hour. */
  async #deaths(tenant: TenantId, ids: readonly string[], nowMs: number): Promise<ReadonlyMap<string, Deaths>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('dead_group_activity')
      .select(['group_id', 'bucket_ms', 'died'])
      .where('tenant_id', '=', tenant)
      .where('group_id', 'in', evenly(ids))
      .where('bucket_ms', '>=', firstHourMs(nowMs))
      .execute();
    const byGroup = Map.groupBy(rows, ({ group_id: id }) => id);
    return new Map([...byGroup].map(([id, hours]) => [id, new Map(hours.map(({ bucket_ms: atMs, died }) => [atMs, died]))]));
  }
}

/** Rows between the cursors of the request. */
function within(query: GroupSelect, column: 'count' | 'last_at_ms', { after, before }: PageRequest): GroupSelect {
  let between = query;
  if (after !== null) between = between.where((eb) => eb(eb.refTuple(column, 'id'), '<', eb.tuple(Number(after[0]), String(after[1]))));
  if (before !== null) between = between.where((eb) => eb(eb.refTuple(column, 'id'), '>', eb.tuple(Number(before[0]), String(before[1]))));
  return between;
}

/** The trend ends with the hour that is under way. */
function firstHourMs(nowMs: number): number {
  return nowMs - (nowMs % DEATHS_BUCKET_MS) - (LIMITS.groupTrendHours - 1) * DEATHS_BUCKET_MS;
}

function groupOf(row: GroupRow, deaths: Deaths, nowMs: number): DeadLetterGroup {
  return {
    id: row.id,
    queue: row.queue_name,
    task: row.task,
    errorType: row.error_type,
    message: row.message,
    count: row.count,
    firstAtMs: row.first_at_ms,
    lastAtMs: row.last_at_ms,
    trend: trendOf(deaths, nowMs),
  };
}

function trendOf(deaths: Deaths, nowMs: number): readonly DeadLetterTrendPoint[] {
  return Array.from({ length: LIMITS.groupTrendHours }, (_, hour) => {
    const atMs = firstHourMs(nowMs) + hour * DEATHS_BUCKET_MS;
    return { atMs, died: deaths.get(atMs) ?? 0 };
  });
}
