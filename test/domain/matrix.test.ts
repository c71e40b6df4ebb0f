/** Every state × every action × every branch, against a table written by hand from the contract. */
import { describe, expect, test } from 'vitest';
import type { Action, Facts } from '../../src/domain/actions.ts';
import { decide, type Verdict } from '../../src/domain/decide.ts';
import { JOB_STATES, type Job, type JobState } from '../../src/domain/job.ts';
import { ACTIONS, type ActionName, TRANSITIONS } from '../../src/domain/transitions.ts';
import { makeError, makeJob, makeLease, RETENTION } from '../support/job-factory.ts';
import { T0_MS } from '../support/manual-clock.ts';

const NOW_MS = T0_MS + 10_000;
const FACTS: Facts = { nowMs: NOW_MS, jitter: 0, token: 'current', queuePaused: false, retention: RETENTION };

const PLAIN: { readonly [Name in ActionName]: Extract<Action, { name: Name }> } = {
  claim: { name: 'claim', workerId: 'w2', leaseSeconds: 60, requestId: null },
  heartbeat: { name: 'heartbeat', extendSeconds: null, progress: null },
  complete: { name: 'complete', resultJson: '{"n":1}' },
  fail: { name: 'fail', error: makeError('boom'), retryAfterSeconds: null, retryNever: false },
  release: { name: 'release', afterSeconds: 0 },
  expire: { name: 'expire' },
  cancel: { name: 'cancel', reason: null, force: false },
  reschedule: { name: 'reschedule', runAtMs: NOW_MS + 5_000, priority: 7 },
  redrive: { name: 'redrive', runAtMs: null, maxAttempts: null, payloadJson: null },
  purge: { name: 'purge' },
};

interface Circumstance {
  readonly job?: Partial<Job>;
  readonly action?: Partial<Action>;
  readonly facts?: Partial<Facts>;
}
const ASKED = { cancelRequestedAtMs: T0_MS, cancelReason: 'no longer needed' };
const LAPSED = { lease: makeLease({ expiresAtMs: NOW_MS }) };
const LAST = { attempt: 3, fence: 3 };
const SPUN = { releasesInRow: 10 };
const FROM_RETRY = { lease: makeLease({ claimedFrom: 'retry' }), attempt: 2, fence: 2 };

/** The words of the table's third column. */
const CIRCUMSTANCES: { readonly [name: string]: Circumstance } = {
  '-': {},
  'not due': { job: { runAtMs: NOW_MS + 1 } },
  'queue paused': { facts: { queuePaused: true } },
  'token expired': { facts: { token: 'expired' } },
  'token revoked': { facts: { token: 'revoked' } },
  'token superseded': { facts: { token: 'superseded' } },
  'token finished': { facts: { token: 'finished' } },
  'token unknown': { facts: { token: 'unknown_token' } },
  'lease at its last millisecond': { job: { lease: makeLease({ expiresAtMs: NOW_MS + 1 }) } },
  lapsed: { job: LAPSED },
  'lapsed, last attempt': { job: { ...LAPSED, ...LAST } },
  'lapsed, cancel asked': { job: { ...LAPSED, ...ASKED } },
  'lapsed, cancel asked, last attempt': { job: { ...LAPSED, ...ASKED, ...LAST } },
  'cancel asked': { job: ASKED },
  'cancel asked, last attempt': { job: { ...ASKED, ...LAST } },
  'cancel asked, spun': { job: { ...ASKED, ...SPUN } },
  'last attempt': { job: LAST },
  'attempts past the limit': { job: { attempt: 7, fence: 7 } },
  'last but one': { job: { attempt: 2, fence: 2 } },
  never: { action: { name: 'fail', retryNever: true } },
  'never, cancel asked': { job: ASKED, action: { name: 'fail', retryNever: true } },
  'claimed from retry': { job: FROM_RETRY },
  'ninth release': { job: { releasesInRow: 9 } },
  spun: { job: SPUN },
  'spun, claimed from retry': { job: { ...FROM_RETRY, ...SPUN } },
  'spun, last attempt': { job: { ...SPUN, ...LAST } },
  force: { action: { name: 'cancel', force: true } },
  'force, cancel asked': { job: ASKED, action: { name: 'cancel', force: true } },
  'force, lapsed': { job: LAPSED, action: { name: 'cancel', force: true } },
};

/** State, action, circumstance → new state, events (`none`), how the attempt ended (`-`: it goes on, or there is none). */
const TABLE = `
queued    | claim      | -                                  | running   | CLAIMED                      | -
queued    | claim      | not due                            | defect
queued    | claim      | queue paused                       | defect
queued    | heartbeat  | token finished                     | LEASE_LOST finished
queued    | heartbeat  | token unknown                      | LEASE_LOST unknown_token
queued    | complete   | token finished                     | LEASE_LOST finished
queued    | fail       | token finished                     | LEASE_LOST finished
queued    | release    | token finished                     | LEASE_LOST finished
queued    | release    | -                                  | LEASE_LOST finished
queued    | expire     | -                                  | defect
queued    | cancel     | -                                  | cancelled | CANCELLED                    | -
queued    | cancel     | force                              | cancelled | CANCELLED                    | -
queued    | reschedule | -                                  | queued    | RESCHEDULED                  | -
queued    | redrive    | -                                  | INVALID_TRANSITION queued redrive
queued    | purge      | -                                  | INVALID_TRANSITION queued purge

running   | claim      | -                                  | defect
running   | heartbeat  | -                                  | running   | none                         | -
running   | heartbeat  | lease at its last millisecond      | running   | none                         | -
running   | heartbeat  | cancel asked                       | running   | none                         | -
running   | heartbeat  | lapsed                             | LEASE_LOST expired
running   | heartbeat  | token superseded                   | LEASE_LOST superseded
running   | heartbeat  | token unknown                      | LEASE_LOST unknown_token
running   | complete   | -                                  | completed | COMPLETED                    | completed
running   | complete   | lease at its last millisecond      | completed | COMPLETED                    | completed
running   | complete   | cancel asked                       | completed | COMPLETED                    | completed
running   | complete   | last attempt                       | completed | COMPLETED                    | completed
running   | complete   | lapsed                             | LEASE_LOST expired
running   | complete   | lapsed, cancel asked               | LEASE_LOST expired
running   | complete   | token superseded                   | LEASE_LOST superseded
running   | complete   | token unknown                      | LEASE_LOST unknown_token
running   | fail       | -                                  | retry     | RETRY_SCHEDULED              | failed
running   | fail       | last but one                       | retry     | RETRY_SCHEDULED              | failed
running   | fail       | last attempt                       | dead      | DEAD_LETTERED                | failed
running   | fail       | attempts past the limit            | dead      | DEAD_LETTERED                | failed
running   | fail       | never                              | dead      | DEAD_LETTERED                | failed
running   | fail       | cancel asked                       | cancelled | CANCELLED                    | cancelled
running   | fail       | cancel asked, last attempt         | cancelled | CANCELLED                    | cancelled
running   | fail       | never, cancel asked                | cancelled | CANCELLED                    | cancelled
running   | fail       | lapsed                             | LEASE_LOST expired
running   | fail       | token superseded                   | LEASE_LOST superseded
running   | release    | -                                  | queued    | RELEASED                     | released
running   | release    | claimed from retry                 | retry     | RELEASED                     | released
running   | release    | last attempt                       | queued    | RELEASED                     | released
running   | release    | ninth release                      | queued    | RELEASED                     | released
running   | release    | spun                               | queued    | RELEASED                     | released
running   | release    | spun, claimed from retry           | retry     | RELEASED                     | released
running   | release    | spun, last attempt                 | dead      | RELEASED DEAD_LETTERED       | released
running   | release    | cancel asked                       | cancelled | CANCELLED                    | cancelled
running   | release    | cancel asked, spun                 | cancelled | CANCELLED                    | cancelled
running   | release    | lapsed                             | LEASE_LOST expired
running   | release    | token superseded                   | LEASE_LOST superseded
running   | expire     | -                                  | defect
running   | expire     | lease at its last millisecond      | defect
running   | expire     | lapsed                             | retry     | LEASE_EXPIRED                | lease_expired
running   | expire     | lapsed, last attempt               | dead      | LEASE_EXPIRED DEAD_LETTERED  | lease_expired
running   | expire     | lapsed, cancel asked               | cancelled | LEASE_EXPIRED CANCELLED      | lease_expired
running   | expire     | lapsed, cancel asked, last attempt | cancelled | LEASE_EXPIRED CANCELLED      | lease_expired
running   | cancel     | -                                  | running   | CANCEL_REQUESTED             | -
running   | cancel     | lapsed                             | running   | CANCEL_REQUESTED             | -
running   | cancel     | cancel asked                       | running   | none                         | -
running   | cancel     | force                              | cancelled | CANCELLED                    | revoked
running   | cancel     | force, cancel asked                | cancelled | CANCELLED                    | revoked
running   | cancel     | force, lapsed                      | cancelled | CANCELLED                    | revoked
running   | reschedule | -                                  | INVALID_TRANSITION running reschedule
running   | redrive    | -                                  | INVALID_TRANSITION running redrive
running   | purge      | -                                  | INVALID_TRANSITION running purge

retry     | claim      | -                                  | running   | CLAIMED                      | -
retry     | claim      | not due                            | defect
retry     | claim      | queue paused                       | defect
retry     | heartbeat  | token expired                      | LEASE_LOST expired
retry     | complete   | token expired                      | LEASE_LOST expired
retry     | fail       | token finished                     | LEASE_LOST finished
retry     | release    | token superseded                   | LEASE_LOST superseded
retry     | expire     | -                                  | defect
retry     | cancel     | -                                  | cancelled | CANCELLED                    | -
retry     | cancel     | force                              | cancelled | CANCELLED                    | -
retry     | reschedule | -                                  | retry     | RESCHEDULED                  | -
retry     | redrive    | -                                  | INVALID_TRANSITION retry redrive
retry     | purge      | -                                  | INVALID_TRANSITION retry purge

completed | claim      | -                                  | defect
completed | heartbeat  | token finished                     | LEASE_LOST finished
completed | complete   | token superseded                   | LEASE_LOST superseded
completed | fail       | token finished                     | LEASE_LOST finished
completed | release    | token finished                     | LEASE_LOST finished
completed | expire     | -                                  | defect
completed | cancel     | -                                  | INVALID_TRANSITION completed cancel
completed | cancel     | force                              | INVALID_TRANSITION completed cancel
completed | reschedule | -                                  | INVALID_TRANSITION completed reschedule
completed | redrive    | -                                  | INVALID_TRANSITION completed redrive
completed | purge      | -                                  | gone      | PURGED                       | -

dead      | claim      | -                                  | defect
dead      | heartbeat  | token expired                      | LEASE_LOST expired
dead      | complete   | token finished                     | LEASE_LOST finished
dead      | fail       | token superseded                   | LEASE_LOST superseded
dead      | release    | token unknown                      | LEASE_LOST unknown_token
dead      | expire     | -                                  | defect
dead      | cancel     | -                                  | INVALID_TRANSITION dead cancel
dead      | cancel     | force                              | INVALID_TRANSITION dead cancel
dead      | reschedule | -                                  | INVALID_TRANSITION dead reschedule
dead      | redrive    | -                                  | queued    | REDRIVEN                     | -
dead      | purge      | -                                  | gone      | PURGED                       | -

cancelled | claim      | -                                  | defect
cancelled | heartbeat  | token revoked                      | LEASE_LOST revoked
cancelled | complete   | token revoked                      | LEASE_LOST revoked
cancelled | fail       | token finished                     | LEASE_LOST finished
cancelled | release    | token finished                     | LEASE_LOST finished
cancelled | expire     | -                                  | defect
cancelled | cancel     | -                                  | INVALID_TRANSITION cancelled cancel
cancelled | cancel     | force                              | INVALID_TRANSITION cancelled cancel
cancelled | reschedule | -                                  | INVALID_TRANSITION cancelled reschedule
cancelled | redrive    | -                                  | INVALID_TRANSITION cancelled redrive
cancelled | purge      | -                                  | gone      | PURGED                       | -
`;

interface Row {
  readonly state: JobState;
  readonly action: ActionName;
  readonly circumstance: string;
  readonly expected: string;
}

const rows: readonly Row[] = TABLE.split('\n')
  .filter((line) => line.includes('|'))
  .map((line) => {
    const [state = '', action = '', circumstance = '', ...expected] = line.split('|').map((cell) => cell.trim());
    return { state: state as JobState, action: action as ActionName, circumstance, expected: expected.join(' | ') };
  });

function verdictOf({ state, action, circumstance }: Row): Verdict {
  const { job, action: change, facts } = CIRCUMSTANCES[circumstance]!;
  return decide(makeJob(state, job), { ...PLAIN[action], ...change } as Action, { ...FACTS, ...facts });
}

function told(row: Row): string {
  try {
    const verdict = verdictOf(row);
    if (!verdict.allowed)
      return Object.values(verdict.failure)
        .filter((value) => typeof value === 'string' && value !== makeJob('queued').id)
        .join(' ');
    return [verdict.to, verdict.events.map(({ kind }) => kind).join(' ') || 'none', verdict.ends ?? '-'].join(' | ');
  } catch {
    return 'defect';
  }
}

/** `LEASE_LOST` also tells the state and `INVALID_TRANSITION` the action, in the order of their fields. */
function expectedText({ state, expected }: Row): string {
  return expected.startsWith('LEASE_LOST') ? `${expected} ${state}` : expected;
}

describe('the state machine', () => {
  test.each(rows)('$state, $action ($circumstance): $expected', (row) => {
    expect(told(row)).toBe(expectedText(row));
  });

  test('has a line above for every state and every action', () => {
    const covered = new Set(rows.map(({ state, action }) => `${state} ${action}`));
    const all = JOB_STATES.flatMap((state) => ACTIONS.map((action) => `${state} ${action}`));
    expect(all.filter((pair) => !covered.has(pair))).toEqual([]);
  });

  test('has a line above for every row of the table that changes or records something', () => {
    const covered = new Set(rows.map((row) => `${row.state} ${row.action} ${row.expected}`));
    const missing = TRANSITIONS.filter(({ events, effect }) => events.length > 0 || effect !== 'none').filter(({ from, action, to, events, ends }) => {
      const targets = to === 'claimedFrom' ? ['queued', 'retry'] : [to];
      return !targets.some((target) => covered.has(`${from} ${action} ${target} | ${events.join(' ') || 'none'} | ${ends ?? '-'}`));
    });
    expect(missing).toEqual([]);
  });

  test('uses every circumstance', () => {
    const used = new Set(rows.map(({ circumstance }) => circumstance));
    expect(Object.keys(CIRCUMSTANCES).filter((name) => !used.has(name))).toEqual([]);
  });

  test('leaves a lease exactly where it leaves the job running, whatever the circumstance', () => {
    for (const row of rows.filter(({ expected }) => expected.includes(' | '))) {
      const verdict = verdictOf(row);
      if (!verdict.allowed || verdict.to === 'gone') continue;
      const after: Job = { ...makeJob(row.state, CIRCUMSTANCES[row.circumstance]!.job), ...verdict.patch };
      expect({ row, leased: after.lease !== null }).toEqual({ row, leased: after.state === 'running' });
      expect({ row, finished: after.finishedAtMs !== null }).toEqual({ row, finished: ['completed', 'dead', 'cancelled'].includes(after.state) });
    }
  });
});
