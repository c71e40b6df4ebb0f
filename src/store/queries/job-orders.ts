/** Orders of lists of jobs, and which jobs lie where in them: between the cursors of a request, or beyond one that was found. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { TenantId } from '../../domain/job.ts';
import type { JobFilter, JobOrder, PageKey, PageRequest } from '../requests.ts';
import type { Tables } from '../tables.ts';
import { jobConditions } from './job-filter.ts';
import type { PlaceColumn } from './merged-parts.ts';

type Jobs = ExpressionBuilder<Tables, 'jobs'>;
type TimeColumn = Exclude<PlaceColumn, 'seq'>;

/** A keyset order: time column (null: submission alone), and direction. */
export interface OrderRule {
  readonly timeColumn: TimeColumn | null;
  readonly direction: 'asc' | 'desc';
}

export const ORDER_RULES: { readonly [Order in JobOrder]: OrderRule } = {
  newest_first: { timeColumn: null, direction: 'desc' },
  oldest_first: { timeColumn: null, direction: 'asc' },
  next_to_run: { timeColumn: 'run_at_ms', direction: 'asc' },
  lease_expiry: { timeColumn: 'lease_expires_at_ms', direction: 'asc' },
  recently_finished: { timeColumn: 'finished_at_ms', direction: 'desc' },
};

/** The values of the order's columns. */
export function keyOf({ timeColumn }: OrderRule, row: { readonly seq: number } & { readonly [Column in TimeColumn]?: number | null }): PageKey {
  return timeColumn === null ? [row.seq] : [row[timeColumn] ?? 0, row.seq];
}

/** That a job is what the filter asks for, between the cursors of the request. */
export function matching(eb: Jobs, tenant: TenantId, rule: OrderRule, filter: JobFilter, request: PageRequest): Expression<SqlBool> {
  return eb.and([jobConditions(eb, tenant, withinCursors(rule, filter, request)), ...between(eb, rule, request)]);
}

/** What is still to be asked of jobs that lie beyond one that was found, in the direction of reading. */
export function pastTheStart(rule: OrderRule, request: PageRequest, filter: JobFilter): readonly [PageRequest, JobFilter] {
  const begun = request.fromEnd ? { ...request, before: null } : { ...request, after: null };
  if (rule.timeColumn !== 'run_at_ms' || filter.runAt === undefined) return [begun, filter];
  const runAt = readingDirection(rule, request) === 'asc' ? { ...filter.runAt, fromMs: null } : { ...filter.runAt, toMs: null };
  return [begun, { ...filter, runAt }];
}

/** From the end the nearest rows come first. */
export function readingDirection({ direction }: OrderRule, { fromEnd }: PageRequest): 'asc' | 'desc' {
  return fromEnd ? opposite(direction) : direction;
}

function opposite(direction: 'asc' | 'desc'): 'asc' | 'desc' {
  return direction === 'asc' ? 'desc' : 'asc';
}

/** A range of the order's times, no wider than the cursors: else its index would be read from the ends of the range. */
function withinCursors({ timeColumn, direction }: OrderRule, filter: JobFilter, { after, before }: PageRequest): JobFilter {
  const name = timeColumn === 'finished_at_ms' ? 'finishedAt' : timeColumn === 'run_at_ms' ? 'runAt' : null;
  const range = name === null ? undefined : filter[name];
  if (name === null || range === undefined) return filter;
  const [lower, upper] = direction === 'asc' ? [after, before] : [before, after];
  const fromMs = lower === null ? range.fromMs : Math.max(range.fromMs ?? 0, Number(lower[0]));
  const toMs = upper === null ? range.toMs : Math.min(range.toMs ?? Number.MAX_SAFE_INTEGER, Number(upper[0]) + 1);
  return { ...filter, [name]: { fromMs, toMs } };
}

/** That a row lies between the cursors of the request. */
export function between(eb: Jobs, rule: OrderRule, { after, before }: PageRequest): readonly Expression<SqlBool>[] {
  return [
    ...(after === null ? [] : [isBeyond(eb, rule, after, rule.direction)]),
    ...(before === null ? [] : [isBeyond(eb, rule, before, opposite(rule.direction))]),
  ];
}

/** That a row lies strictly further along in `direction` than the place. */
function isBeyond(eb: Jobs, { timeColumn }: OrderRule, key: PageKey, direction: 'asc' | 'desc'): Expression<SqlBool> {
  const compare = direction === 'asc' ? '>' : '<';
  if (timeColumn === null) return eb('jobs.seq', compare, Number(key[0]));
  const [time, seq] = [Number(key[0]), Number(key[1])];
  return eb(eb.refTuple(`jobs.${timeColumn}`, 'jobs.seq'), compare, eb.tuple(time, seq));
}
