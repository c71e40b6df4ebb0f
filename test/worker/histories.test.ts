/**
 * Random histories of workers: whatever becomes of requests and answers, no job is lost, done twice, or worked on by two who
 * both take it for theirs. `HISTORY_SEED` chooses others.
 */
import { describe, expect, test } from 'vitest';
import { playHistory } from './history.ts';
import { flawsOf } from './history-checks.ts';

const SEED = Number(process.env['HISTORY_SEED'] ?? 20_261);
const [GROUPS, GROUP] = [5, 100];

const seen = new Set<string>();

describe(`any history of workers (seed ${SEED})`, () => {
  const groups = Array.from({ length: GROUPS }, (_, index) => SEED * 1_000 + index * GROUP);

  test.each(groups)(`does each job once, under a lease that is its own, and ends in time: ${GROUP} from %i on`, { timeout: 90_000 }, async (first) => {
    const flaws: string[] = [];
    for (let seed = first; seed < first + GROUP; seed++) {
      const history = await playHistory(seed);
      flaws.push(...flawsOf(history).map((flaw) => `${seed}: ${flaw}`));
      for (const { kind } of history.events) seen.add(kind);
      for (const { type } of history.told) seen.add(type);
      for (const { how } of history.stops) seen.add(how);
      if (history.stops.some(({ report }) => report.unsettled > 0)) seen.add('unsettled');
    }
    expect(flaws).toEqual([]);
  });

  test('comes by everything that can happen to a worker', () => {
    const wanted = [
      ...['CLAIMED', 'COMPLETED', 'LEASE_EXPIRED', 'RELEASED', 'RETRY_SCHEDULED'],
      ...['job-aborted', 'job-completed', 'job-failed', 'job-released', 'lease-lost', 'no-work', 'server-reachable', 'server-unreachable'],
      ...['stop', 'stopSoon', 'stopNow', 'unsettled'],
    ];
    expect(wanted.filter((what) => !seen.has(what))).toEqual([]);
  });
});
