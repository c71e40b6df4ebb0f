/** What each transition does to the numbers of a job. */
import { describe, expect, test } from 'vitest';
import type { Action, Facts } from '../../src/domain/actions.ts';
import { decide, type Verdict } from '../../src/domain/decide.ts';
import type { Job } from '../../src/domain/job.ts';
import { makeError, makeJob, makeLease, RETENTION } from '../support/job-factory.ts';
import { T0_MS } from '../support/manual-clock.ts';

const NOW_MS = T0_MS + 10_000;
const DAY_MS = 86_400_000;
const FACTS: Facts = { nowMs: NOW_MS, jitter: 0, token: 'current', queuePaused: false, retention: RETENTION };

function verdict(job: Job, action: Action, facts: Partial<Facts> = {}): Extract<Verdict, { allowed: true }> {
  const answer = decide(job, action, { ...FACTS, ...facts });
  if (!answer.allowed) throw new Error(`refused: ${answer.failure.code}`);
  return answer;
}

function after(job: Job, action: Action, facts: Partial<Facts> = {}): Job {
  return { ...job, ...verdict(job, action, facts).patch };
}

const fail = (extra: Partial<Extract<Action, { name: 'fail' }>> = {}): Action => ({
  name: 'fail',
  error: makeError('boom', { atMs: NOW_MS }),
  retryAfterSeconds: null,
  retryNever: false,
  ...extra,
});
const heartbeat = (extendSeconds: number | null): Action => ({ name: 'heartbeat', extendSeconds, progress: null });
const release = (afterSeconds: number): Action => ({ name: 'release', afterSeconds });
const cancel = (reason: string | null, force = false): Action => ({ name: 'cancel', reason, force });

const lapsed = (overrides: Partial<Job> = {}): Job => makeJob('running', { lease: makeLease({ expiresAtMs: NOW_MS }), releasesInRow: 3, ...overrides });

describe('a claim', () => {
  const claim: Action = { name: 'claim', workerId: 'w2', leaseSeconds: 60, requestId: 'r1' };

  test('counts an attempt, raises the fence, and starts with a lease of the length asked for', () => {
    const job = after(makeJob('retry', { attempt: 1, fence: 5, progress: { percent: 40, note: null, updatedAtMs: T0_MS } }), claim);
    expect(job).toMatchObject({ state: 'running', attempt: 2, fence: 6, progress: null });
    expect(job.lease).toEqual({
      workerId: 'w2',
      expiresAtMs: NOW_MS + 60_000,
      leaseSeconds: 60,
      startedAtMs: NOW_MS,
      heartbeatAtMs: null,
      renewals: 0,
      claimedFrom: 'retry',
      requestId: 'r1',
    });
  });

  test('takes a job at the very millisecond at which it falls due', () => {
    expect(after(makeJob('queued', { runAtMs: NOW_MS }), claim).state).toBe('running');
  });
});

describe('a heartbeat', () => {
  test('counts from now and repeats the length of the claim where it names none', () => {
    const job = after(makeJob('running'), heartbeat(null));
    expect(job.lease).toMatchObject({ expiresAtMs: NOW_MS + 30_000, leaseSeconds: 30, heartbeatAtMs: NOW_MS, renewals: 1 });
  });

  test('never shortens the lease', () => {
    const job = after(makeJob('running', { lease: makeLease({ expiresAtMs: NOW_MS + 50_000 }) }), heartbeat(5));
    expect(job.lease).toMatchObject({ expiresAtMs: NOW_MS + 50_000, renewals: 1 });
  });

  test('leaves the length of the claim alone where it asks for another one', () => {
    expect(after(makeJob('running'), heartbeat(3_600)).lease).toMatchObject({ expiresAtMs: NOW_MS + 3_600_000, leaseSeconds: 30 });
  });

  test('carries progress, and keeps the last one where it carries none', () => {
    const reported = after(makeJob('running'), { name: 'heartbeat', extendSeconds: null, progress: { percent: 40, note: 'half way' } });
    expect(reported.progress).toEqual({ percent: 40, note: 'half way', updatedAtMs: NOW_MS });
    expect(after(reported, heartbeat(null)).progress).toEqual(reported.progress);
  });
});

describe('a failure', () => {
  test('waits for the backoff of the attempt that failed', () => {
    expect(after(makeJob('running', { attempt: 2 }), fail())).toMatchObject({ state: 'retry', runAtMs: NOW_MS + 30_000, attempt: 2, lease: null });
  });

  test('waits as long as the worker says, down to no wait and up to a day', () => {
    expect(after(makeJob('running'), fail({ retryAfterSeconds: 0 })).runAtMs).toBe(NOW_MS);
    expect(after(makeJob('running'), fail({ retryAfterSeconds: 86_400 })).runAtMs).toBe(NOW_MS + DAY_MS);
  });

  test('shortens the wait by chance, a tenth at most', () => {
    expect(after(makeJob('running'), fail(), { jitter: 0.5 }).runAtMs).toBe(NOW_MS + 14_250);
    expect(after(makeJob('running'), fail({ retryAfterSeconds: 10 }), { jitter: 0.5 }).runAtMs).toBe(NOW_MS + 10_000);
  });

  test('of the last attempt ends the job, although a wait was asked for', () => {
    expect(after(makeJob('running', { attempt: 3 }), fail({ retryAfterSeconds: 10 }))).toMatchObject({
      state: 'dead',
      runAtMs: T0_MS,
      finishedAtMs: NOW_MS,
      purgeAtMs: NOW_MS + RETENTION.deadSeconds * 1000,
    });
  });

  test('keeps what went wrong and starts the count of releases anew', () => {
    expect(after(makeJob('running', { releasesInRow: 4 }), fail())).toMatchObject({ lastError: makeError('boom', { atMs: NOW_MS }), releasesInRow: 0 });
  });
});

describe('a release', () => {
  test('gives the attempt back, keeps the fence, and keeps the place in line', () => {
    expect(after(makeJob('running', { attempt: 2, fence: 4, runAtMs: T0_MS - 5 }), release(0))).toMatchObject({
      attempt: 1,
      fence: 4,
      runAtMs: T0_MS - 5,
      releasesInRow: 1,
    });
  });

  test('may say later', () => {
    expect(after(makeJob('running'), release(120)).runAtMs).toBe(NOW_MS + 120_000);
  });

  test('keeps the attempt after ten in a row', () => {
    expect(after(makeJob('running', { releasesInRow: 9 }), release(0))).toMatchObject({ attempt: 0, releasesInRow: 10 });
    expect(after(makeJob('running', { releasesInRow: 10 }), release(0))).toMatchObject({ attempt: 1, releasesInRow: 11 });
  });

  test('that spends the last attempt ends the job with a word about why', () => {
    const { patch, events } = verdict(makeJob('running', { attempt: 3, releasesInRow: 10 }), release(0));
    expect(patch).toMatchObject({ state: 'dead', lastError: { type: 'Released' }, finishedAtMs: NOW_MS });
    expect(events.map(({ kind, detail }) => [kind, detail?.reason ?? null])).toEqual([
      ['RELEASED', null],
      ['DEAD_LETTERED', 'released'],
    ]);
  });
});

describe('an expiry', () => {
  test('makes the job due at once and says which attempt of which worker was lost', () => {
    const job = after(lapsed(), { name: 'expire' });
    expect(job).toMatchObject({ state: 'retry', runAtMs: NOW_MS, attempt: 1, releasesInRow: 0 });
    expect(job.lastError).toEqual({ type: 'LeaseExpired', message: 'The lease ran out on attempt 1 of worker w1.', detailsJson: null, atMs: NOW_MS });
  });

  test('of the last attempt tells the same in the last error', () => {
    expect(after(lapsed({ attempt: 3 }), { name: 'expire' })).toMatchObject({
      state: 'dead',
      lastError: { message: 'The lease ran out on attempt 3 of worker w1.' },
    });
  });

  test('tells death by expiry and death by failure in one shape', () => {
    const byExpiry = verdict(lapsed({ attempt: 3 }), { name: 'expire' }).events.at(-1);
    const byFailure = verdict(makeJob('running', { attempt: 3 }), fail()).events.at(-1);
    expect(byExpiry).toEqual({ ...byFailure, detail: { reason: 'lease_expired' } });
    expect(byFailure?.detail).toEqual({ reason: 'failed' });
  });
});

describe('a cancel', () => {
  test('of a running job only notes the wish, once, and the first reason stays', () => {
    const asked = after(makeJob('running'), cancel('first'));
    expect(asked).toMatchObject({ state: 'running', cancelRequestedAtMs: NOW_MS, cancelReason: 'first' });
    expect(verdict(asked, cancel('second')).patch).toEqual({ state: 'running' });
  });

  test('with force ends it and lets a later reason win over an earlier one', () => {
    const asked = after(makeJob('running'), cancel('first'));
    expect(after(asked, cancel('second', true))).toMatchObject({ state: 'cancelled', cancelReason: 'second', lease: null });
    expect(after(asked, cancel(null, true))).toMatchObject({ state: 'cancelled', cancelReason: 'first' });
  });

  test('that a failing worker honours keeps its error', () => {
    const asked = after(makeJob('running'), cancel('stop'));
    expect(after(asked, fail())).toMatchObject({ state: 'cancelled', lastError: { message: 'boom' }, cancelReason: 'stop' });
    expect(after(asked, release(60))).toMatchObject({ state: 'cancelled', lastError: null, runAtMs: T0_MS });
  });
});

describe('a redrive', () => {
  test('gives the whole budget back and keeps settings, fence, key window and history', () => {
    const dead = makeJob('dead', { attempt: 3, fence: 7, releasesInRow: 11, priority: 5, idempotentUntilMs: T0_MS + DAY_MS, runAtMs: T0_MS - DAY_MS });
    const job = after(dead, { name: 'redrive', runAtMs: null, maxAttempts: null, payloadJson: null });
    expect(job).toEqual({ ...dead, state: 'queued', attempt: 0, releasesInRow: 0, runAtMs: NOW_MS, finishedAtMs: null, purgeAtMs: null });
    expect(job.lastError).not.toBeNull();
  });

  test('may replace payload, start and attempts', () => {
    const job = after(makeJob('dead'), { name: 'redrive', runAtMs: NOW_MS + 9, maxAttempts: 9, payloadJson: '{"a":1}' });
    expect(job).toMatchObject({ runAtMs: NOW_MS + 9, maxAttempts: 9, payloadJson: '{"a":1}' });
  });
});

describe('the end of a job', () => {
  test('is followed by removal after retention, or never', () => {
    const complete: Action = { name: 'complete', resultJson: null };
    expect(after(makeJob('running'), complete).purgeAtMs).toBe(NOW_MS + RETENTION.completedSeconds * 1000);
    expect(after(makeJob('running'), complete, { retention: { ...RETENTION, completedSeconds: 0 } }).purgeAtMs).toBeNull();
  });

  test('is never followed by removal before the idempotency window closes', () => {
    const job = makeJob('running', { idempotentUntilMs: T0_MS + DAY_MS });
    const short = { ...RETENTION, completedSeconds: 60 };
    expect(after(job, { name: 'complete', resultJson: null }, { retention: short }).purgeAtMs).toBe(T0_MS + DAY_MS);
  });
});
