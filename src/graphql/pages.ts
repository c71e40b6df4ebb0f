/** Pages of keyset lists: arguments in, connections out. Lists are never cut silently: too large a page is refused. */
import { z } from 'zod';
import { LIMITS } from '../domain/limits.ts';
import type { TenantId } from '../domain/job.ts';
import type { Page } from '../store/answers.ts';
import type { PageRequest } from '../store/requests.ts';
import { readCursor, writeCursor } from './cursors.ts';
import * as check from './inputs.ts';

/** Rows of a page that does not say how many. */
export const PAGE_DEFAULTS = { jobs: 20, queues: 50, attempts: 20, timeline: 50, events: 100, tenants: 50, deadLetterGroups: 20, actions: 50 } as const;

/** A list: whose, which one with its order, and how many rows a page has by default. */
export interface ListName {
  readonly tenant: TenantId;
  readonly list: string;
  readonly firstDefault: number;
}

export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

const pageSize = check.whole(1, LIMITS.pageItemsMax).nullish();

/** The number of rows asked for. Throws BAD_USER_INPUT. */
export function parseFirst(first: number | null | undefined, firstDefault: number): number {
  return check.parseInput(pageSize, first, ['first']) ?? firstDefault;
}

/** The page asked for. Throws BAD_USER_INPUT or INVALID_CURSOR. */
export function parsePage(given: PageArguments, { tenant, list, firstDefault }: ListName): PageRequest {
  // A `first` that was left out arrives as its default, so that only another number can contradict `last`.
  const pageSizes = z
    .object({ first: pageSize, last: pageSize })
    .refine(({ first, last }) => (last ?? null) === null || (first ?? firstDefault) === firstDefault, {
      path: ['last'],
      error: 'must not be given together with first',
    });
  const { first, last } = check.parseInput(pageSizes, given, []);
  const place = (argument: 'after' | 'before'): PageRequest['after'] => {
    const cursor = given[argument];
    return typeof cursor === 'string' ? readCursor(cursor, tenant, list, argument) : null;
  };
  return { after: place('after'), before: place('before'), limit: last ?? first ?? firstDefault, fromEnd: typeof last === 'number' };
}

export interface Edge<Row> {
  readonly cursor: string;
  readonly node: Row;
}
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}
export interface Connection<Row> {
  readonly edges: readonly Edge<Row>[];
  readonly pageInfo: PageInfo;
}

export function connection<Row>(page: Page<Row>, { tenant, list }: ListName): Connection<Row> {
  const edges = page.rows.map(({ key, row }) => ({ cursor: writeCursor(tenant, list, key), node: row }));
  const pageInfo = {
    hasNextPage: page.hasNext,
    hasPreviousPage: page.hasPrevious,
    startCursor: edges.at(0)?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  return { edges, pageInfo };
}
