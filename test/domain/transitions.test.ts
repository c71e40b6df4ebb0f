/** The table of the state machine is well-formed: no gap, no overlap, nothing unused, no way out of an end but the promised ones. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/actions.ts';
import { BRANCHES, CHECKS } from '../../src/domain/decide.ts';
import { EFFECTS } from '../../src/domain/effects.ts';
import { EVENT_KINDS } from '../../src/domain/events.ts';
import { OPERATOR_ACTIONS } from '../../src/domain/failures.ts';
import { ATTEMPT_OUTCOMES, JOB_STATES, type JobState } from '../../src/domain/job.ts';
import { ACTIONS, type ActionName, BRANCH_NAMES, CHECK_NAMES, EFFECT_NAMES, TRANSITIONS, type Transition } from '../../src/domain/transitions.ts';
import { makeError, makeJob } from '../support/job-factory.ts';

const pairs = JOB_STATES.flatMap((from) =>
  ACTIONS.map((action) => ({ from, action, rows: TRANSITIONS.filter((row) => row.from === from && row.action === action) })),
);
/** Rows that a job can take: the others belong to a refusal, which no job passes. */
const passable = TRANSITIONS.filter(({ events, effect, requires }) => events.length > 0 || effect !== 'none' || requires.length === 0);

function actionOf(name: ActionName, retryNever: boolean, force: boolean): Action {
  switch (name) {
    case 'fail':
      return { name, error: makeError('boom'), retryAfterSeconds: null, retryNever };
    case 'cancel':
      return { name, reason: null, force };
    case 'claim':
      return { name, workerId: 'w1', leaseSeconds: 30, requestId: null };
    case 'heartbeat':
      return { name, extendSeconds: null, progress: null };
    case 'complete':
      return { name, resultJson: null };
    case 'release':
      return { name, afterSeconds: 0 };
    case 'reschedule':
      return { name, runAtMs: null, priority: null };
    case 'redrive':
      return { name, runAtMs: null, maxAttempts: null, payloadJson: null };
    case 'expire':
    case 'purge':
      return { name };
    default:
      return name satisfies never;
  }
}

function targets({ to }: Transition): readonly (JobState | 'gone')[] {
  return to === 'claimedFrom' ? ['queued', 'retry'] : [to];
}

const waysOut = (state: JobState): string[] => passable.filter(({ from }) => from === state).map(({ action, to }) => `${action} ${to}`);

const unused = (declared: readonly string[], used: readonly string[]): string[] => declared.filter((name) => !used.includes(name));

describe('the transition table', () => {
  test('has rows for every state and every action', () => {
    expect(pairs.filter(({ rows }) => rows.length === 0)).toEqual([]);
  });

  test('asks the same of every row of one state and action', () => {
    for (const { from, action, rows } of pairs)
      expect({ from, action, asks: new Set(rows.map(({ requires }) => requires.join(' '))).size }).toEqual({ from, action, asks: 1 });
  });

  test('fits exactly one row to every job that passes, whatever its counts and whatever is asked', () => {
    const facts = fc.record({
      attempt: fc.integer({ min: 0, max: 25 }),
      maxAttempts: fc.integer({ min: 1, max: 20 }),
      releasesInRow: fc.integer({ min: 0, max: 25 }),
      isCancelRequested: fc.boolean(),
      retryNever: fc.boolean(),
      force: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.constantFrom(...pairs), facts, ({ from, action, rows }, { attempt, maxAttempts, releasesInRow, isCancelRequested, retryNever, force }) => {
        const job = makeJob(from, { attempt, maxAttempts, releasesInRow, cancelRequestedAtMs: isCancelRequested ? 1 : null });
        const fitting = rows.filter(({ when }) => BRANCHES[when](job, actionOf(action, retryNever, force)));
        expect(fitting).toHaveLength(1);
      }),
      { numRuns: 5_000 },
    );
  });

  test('reaches every state from a submission', () => {
    const reached = new Set<string>(['queued']);
    for (let before = 0; before < reached.size; ) {
      before = reached.size;
      for (const row of passable) if (reached.has(row.from)) for (const target of targets(row)) reached.add(target);
    }
    expect([...reached].toSorted()).toEqual([...JOB_STATES, 'gone'].toSorted());
  });

  test('lets nothing but a purge out of completed and cancelled, and nothing but a redrive or a purge out of dead', () => {
    expect(waysOut('completed')).toEqual(['purge gone']);
    expect(waysOut('cancelled')).toEqual(['purge gone']);
    expect(waysOut('dead')).toEqual(['redrive queued', 'purge gone']);
  });

  test('moves no job and records nothing where it refuses', () => {
    const refusing = TRANSITIONS.filter((row) => !passable.includes(row));
    expect(refusing.filter(({ from, to, when, ends }) => from !== to || when !== 'always' || ends !== null)).toEqual([]);
  });

  test('uses every check, branch, effect, event and outcome that it declares', () => {
    expect(
      unused(
        CHECK_NAMES,
        TRANSITIONS.flatMap(({ requires }) => requires),
      ),
    ).toEqual([]);
    expect(
      unused(
        BRANCH_NAMES,
        TRANSITIONS.map(({ when }) => when),
      ),
    ).toEqual([]);
    expect(
      unused(
        EFFECT_NAMES,
        TRANSITIONS.map(({ effect }) => effect),
      ),
    ).toEqual([]);
    expect(unused(EVENT_KINDS, ['SUBMITTED', ...TRANSITIONS.flatMap(({ events }) => events)])).toEqual([]);
    expect(
      unused(
        ATTEMPT_OUTCOMES,
        TRANSITIONS.flatMap(({ ends }) => ends ?? []),
      ),
    ).toEqual([]);
  });

  test('gives each declared name its function', () => {
    expect(Object.keys(CHECKS)).toEqual([...CHECK_NAMES]);
    expect(Object.keys(BRANCHES)).toEqual([...BRANCH_NAMES]);
    expect(Object.keys(EFFECTS).toSorted()).toEqual([...EFFECT_NAMES].toSorted());
  });

  test('ends an attempt with every way out of running, and with no other row', () => {
    for (const row of passable) {
      const leaves = row.from === 'running' && row.to !== 'running';
      expect({ row, ends: row.ends !== null }).toEqual({ row, ends: leaves });
    }
  });

  test('records every move to another state, and a heartbeat never', () => {
    expect(passable.filter(({ from, to, events }) => from !== to && events.length === 0)).toEqual([]);
    expect(TRANSITIONS.filter(({ action, events }) => action === 'heartbeat' && events.length > 0)).toEqual([]);
  });

  test('refuses with a transition failure what operators ask, and nothing else', () => {
    const refusable = new Set(TRANSITIONS.filter(({ requires }) => requires.some((check) => check === 'stateAllows')).map(({ action }) => action));
    expect([...refusable].toSorted()).toEqual([...OPERATOR_ACTIONS].toSorted());
  });
});
