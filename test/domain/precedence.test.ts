/** When several things are wrong at once, the first of a fixed order is the answer. */
import { expect, test } from 'vitest';
import type { Action, Facts, TokenStanding } from '../../src/domain/actions.ts';
import { decide } from '../../src/domain/decide.ts';
import { LEASE_LOST_REASONS } from '../../src/domain/failures.ts';
import type { JobState } from '../../src/domain/job.ts';
import { TRANSITIONS } from '../../src/domain/transitions.ts';
import { makeError, makeJob, makeLease, RETENTION } from '../support/job-factory.ts';
import { T0_MS } from '../support/manual-clock.ts';

/** Per action: what is checked, in the order in which a failure is told. */
const PRECEDENCE = `
claim       isDue queueOpen
heartbeat   tokenMatches leaseLive
complete    tokenMatches leaseLive
fail        tokenMatches leaseLive
release     tokenMatches leaseLive
expire      leaseLapsed
cancel      (nothing) or stateAllows
reschedule  (nothing) or stateAllows
redrive     (nothing) or stateAllows
purge       (nothing) or stateAllows
`;

const HOLDER_VERBS: readonly Action[] = [
  { name: 'heartbeat', extendSeconds: null, progress: null },
  { name: 'complete', resultJson: null },
  { name: 'fail', error: makeError('boom'), retryAfterSeconds: null, retryNever: false },
  { name: 'release', afterSeconds: 0 },
];

function facts(token: TokenStanding, nowMs: number): Facts {
  return { nowMs, jitter: 0, token, queuePaused: true, retention: RETENTION };
}

function reasonOf(state: JobState, action: Action, token: TokenStanding, nowMs: number): string {
  const verdict = decide(makeJob(state, state === 'running' ? { lease: makeLease() } : {}), action, facts(token, nowMs));
  if (verdict.allowed) return 'allowed';
  return verdict.failure.code === 'LEASE_LOST' ? verdict.failure.reason : verdict.failure.code;
}

test('the order of checks is the one written here', () => {
  const lines = [...Map.groupBy(TRANSITIONS, ({ action }) => action)].map(([action, rows]) => {
    const orders = [...new Set(rows.map(({ requires }) => requires.join(' ') || '(nothing)'))];
    return `${action.padEnd(12)}${orders.join(' or ')}`;
  });
  expect(lines.toSorted()).toEqual(PRECEDENCE.trim().split('\n').toSorted());
});

test('a wrong token is told before a lapsed lease', () => {
  for (const action of HOLDER_VERBS) {
    for (const reason of LEASE_LOST_REASONS) expect(reasonOf('running', action, reason, T0_MS + 30_000)).toBe(reason);
    expect(reasonOf('running', action, 'current', T0_MS + 30_000)).toBe('expired');
    expect(reasonOf('running', action, 'current', T0_MS + 29_999)).toBe('allowed');
  }
});

test('a lost lease is told by every verb of a holder in every state that has none, never a transition failure', () => {
  for (const state of ['queued', 'retry', 'completed', 'dead', 'cancelled'] as const) {
    for (const action of HOLDER_VERBS) for (const reason of LEASE_LOST_REASONS) expect(reasonOf(state, action, reason, T0_MS)).toBe(reason);
  }
});

test('a failure tells the state and attempt of the job as it is', () => {
  const verdict = decide(makeJob('dead', { attempt: 2 }), HOLDER_VERBS[1]!, facts('superseded', T0_MS));
  expect(verdict).toEqual({ allowed: false, failure: { code: 'LEASE_LOST', jobId: makeJob('dead').id, reason: 'superseded', state: 'dead', attempt: 2 } });
});

test('an operator who names an action that the state forbids learns the state and the action', () => {
  const verdict = decide(makeJob('completed'), { name: 'redrive', runAtMs: null, maxAttempts: null, payloadJson: null }, facts('current', T0_MS));
  expect(verdict).toEqual({
    allowed: false,
    failure: { code: 'INVALID_TRANSITION', jobId: makeJob('completed').id, from: 'completed', attempted: 'redrive' },
  });
});
