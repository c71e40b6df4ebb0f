/** What events say: filters, and the row that follows from them. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action, Facts } from '../../src/domain/actions.ts';
import { decide } from '../../src/domain/decide.ts';
import { type EventFact, type JobEvent, matchesFilter, replay } from '../../src/domain/events.ts';
import type { Job } from '../../src/domain/job.ts';
import { TRANSITIONS } from '../../src/domain/transitions.ts';
import { makeError, makeJob, RETENTION } from '../support/job-factory.ts';
import { T0_MS } from '../support/manual-clock.ts';

const PLACED = { jobId: 'j1', queue: 'mail', task: 'mail.send', atMs: T0_MS, actor: null };
const event = (seq: number, fact: Partial<EventFact>): JobEvent => ({
  ...PLACED,
  seq,
  kind: 'SUBMITTED',
  fromState: null,
  toState: 'queued',
  attempt: 0,
  fence: 0,
  workerId: null,
  detail: null,
  ...fact,
});
const submitted = (job: Job): JobEvent => event(1, { detail: { runAtMs: job.runAtMs, priority: job.priority, maxAttempts: job.maxAttempts } });

/** One step of a random life: an action and what it is done with. */
const steps = fc.record({
  name: fc.constantFrom<Action['name'][]>(
    'claim',
    'claim',
    'claim',
    'heartbeat',
    'complete',
    'fail',
    'fail',
    'fail',
    'release',
    'release',
    'expire',
    'cancel',
    'reschedule',
    'redrive',
    'redrive',
  ),
  seconds: fc.integer({ min: 0, max: 100 }),
  flag: fc.boolean(),
});

function actionOf({ name, seconds, flag }: { name: Action['name']; seconds: number; flag: boolean }, nowMs: number): Action {
  const all: readonly Action[] = [
    { name: 'claim', workerId: 'w1', leaseSeconds: 30, requestId: null },
    { name: 'heartbeat', extendSeconds: null, progress: null },
    { name: 'complete', resultJson: null },
    { name: 'fail', error: makeError('boom'), retryAfterSeconds: flag ? seconds : null, retryNever: seconds > 90 },
    { name: 'release', afterSeconds: flag ? seconds : 0 },
    { name: 'expire' },
    { name: 'cancel', reason: flag ? 'r' : null, force: seconds > 80 },
    { name: 'reschedule', runAtMs: flag ? nowMs + seconds * 1000 : null, priority: seconds },
    { name: 'redrive', runAtMs: flag ? nowMs + seconds * 1000 : null, maxAttempts: seconds > 50 ? 5 : null, payloadJson: null },
  ];
  return all.find((action) => action.name === name)!;
}

/** False where a caller would not have located the job for this action. */
function isLocated(job: Job, { name }: Action, nowMs: number): boolean {
  const isWaiting = job.state === 'queued' || job.state === 'retry';
  if (name === 'claim') return isWaiting && job.runAtMs <= nowMs;
  if (name === 'expire') return job.lease !== null && job.lease.expiresAtMs <= nowMs;
  return TRANSITIONS.some(({ from, action }) => from === job.state && action === name);
}

describe('the replay of a job’s events', () => {
  test('gives nothing where there is none', () => {
    expect(replay([])).toBeNull();
  });

  test('takes settings from the submission and keeps them until an event says otherwise', () => {
    const log = [
      event(1, { detail: { runAtMs: 1, priority: 1, maxAttempts: 3 } }),
      event(2, { kind: 'RESCHEDULED', detail: { runAtMs: 2, priority: 2 } }),
      event(3, { kind: 'CLAIMED', toState: 'running', attempt: 1, fence: 1, detail: { leaseExpiresAtMs: 9 } }),
    ];
    expect(replay(log)).toEqual({ state: 'running', attempt: 1, fence: 1, priority: 2, maxAttempts: 3, runAtMs: 2, cancelRequested: false });
  });

  test('remembers a wish to cancel until a redrive', () => {
    const wished = event(2, { kind: 'CANCEL_REQUESTED', toState: 'running' });
    expect(replay([event(1, {}), wished])?.cancelRequested).toBe(true);
    expect(replay([event(1, {}), wished, event(3, { kind: 'COMPLETED', toState: 'completed' })])?.cancelRequested).toBe(true);
    expect(replay([event(1, {}), wished, event(3, { kind: 'REDRIVEN' })])?.cancelRequested).toBe(false);
  });

  test('knows that a job cancelled while it waited was asked to', () => {
    expect(replay([event(1, {}), event(2, { kind: 'CANCELLED', toState: 'cancelled' })])?.cancelRequested).toBe(true);
  });

  test('equals the job’s row after any life', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 40 }), (life) => {
        let job = makeJob('queued', { maxAttempts: 3 });
        const log = [submitted(job)];
        life.forEach((step, index) => {
          const nowMs = T0_MS + index * 20_000;
          const facts: Facts = { nowMs, jitter: 0, token: job.lease === null ? 'finished' : 'current', queuePaused: false, retention: RETENTION };
          const action = actionOf(step, nowMs);
          if (!isLocated(job, action, nowMs)) return;
          const verdict = decide(job, action, facts);
          if (!verdict.allowed || verdict.to === 'gone') return;
          job = { ...job, ...verdict.patch };
          log.push(...verdict.events.map((fact, offset) => event(log.length + offset + 1, fact)));
        });
        expect(replay(log)).toEqual({
          state: job.state,
          attempt: job.attempt,
          fence: job.fence,
          priority: job.priority,
          maxAttempts: job.maxAttempts,
          runAtMs: job.runAtMs,
          cancelRequested: job.cancelRequestedAtMs !== null,
        });
        expect(job.lease !== null).toBe(job.state === 'running');
        expect(job.attempt).toBeLessThanOrEqual(job.maxAttempts);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a filter', () => {
  const claimed = event(9, { kind: 'CLAIMED', toState: 'running' });

  test('without fields wants everything', () => {
    expect(matchesFilter(claimed, {})).toBe(true);
  });

  test.each([
    ['queues', { queues: ['mail', 'other'] }, { queues: ['other'] }],
    ['tasks', { tasks: ['mail.send'] }, { tasks: ['mail'] }],
    ['kinds', { kinds: ['CLAIMED'] }, { kinds: ['COMPLETED'] }],
    ['states', { states: ['running'] }, { states: ['queued'] }],
    ['jobIds', { jobIds: ['j1'] }, { jobIds: ['j2'] }],
  ] as const)('by %s takes any of the values and nothing else', (_field, wanted, unwanted) => {
    expect(matchesFilter(claimed, wanted)).toBe(true);
    expect(matchesFilter(claimed, unwanted)).toBe(false);
  });

  test('with an empty list wants nothing', () => {
    for (const filter of [{ queues: [] }, { tasks: [] }, { kinds: [] }, { states: [] }, { jobIds: [] }]) expect(matchesFilter(claimed, filter)).toBe(false);
  });

  test('asks for all of its fields at once', () => {
    expect(matchesFilter(claimed, { queues: ['mail'], kinds: ['CLAIMED'] })).toBe(true);
    expect(matchesFilter(claimed, { queues: ['mail'], kinds: ['COMPLETED'] })).toBe(false);
  });
});
