/** A list of jobs as somebody reads it who goes on from page to page. */
import { expect } from 'vitest';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import type { JobFilter, JobOrder, PageRequest } from '../../src/store/requests.ts';
import { ALICE } from './store.ts';

const PAGES_MAX = 400;

export interface Walk {
  readonly filter: JobFilter;
  readonly order: JobOrder;
  readonly fromEnd: boolean;
  /** Of each page. */
  readonly limit: number;
  /** How many jobs each page looks through at most; null: as many as it takes. */
  readonly max: number | null;
}

/** The id of every job of Alice's list in its order, page by page from one end. */
export async function walked(store: LeaseRepository, { filter, order, fromEnd, limit, max }: Walk): Promise<readonly string[]> {
  const seen: string[] = [];
  let request: PageRequest = { after: null, before: null, limit, fromEnd };
  for (let calls = 0, isMore = true; isMore; calls++) {
    expect(calls).toBeLessThan(PAGES_MAX);
    const page = await store.jobs(ALICE, filter, order, request, max);
    expect(page.lookedThrough ?? 0).toBeLessThanOrEqual(max ?? 0);
    const ids = page.rows.map(({ row }) => row.id);
    if (fromEnd) seen.unshift(...ids);
    else seen.push(...ids);
    isMore = fromEnd ? page.hasPrevious : page.hasNext;
    if (page.cutAt !== null) expect(ids.length <= limit && isMore).toBe(true);
    const place = page.cutAt ?? (fromEnd ? page.rows.at(0) : page.rows.at(-1))?.key ?? null;
    request = { ...request, ...(fromEnd ? { before: place } : { after: place }) };
  }
  return seen;
}
