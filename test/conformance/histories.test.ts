/** Random histories: the store does what the model does, step for step, and stays consistent in itself. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { EVENT_KINDS } from '../../src/domain/events.ts';
import { LEASE_LOST_REASONS } from '../../src/domain/failures.ts';
import { ATTEMPT_OUTCOMES } from '../../src/domain/job.ts';
import { playHistory } from './history.ts';
import { histories } from './history-commands.ts';
import type { Occurrences } from './history-names.ts';

const RUNS = 250;
const occurrences: Occurrences = new Map();

test('the store answers and holds what the model answers and holds, after every step of any history', { timeout: 180_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(histories, (commands) => playHistory(commands, occurrences)),
    { numRuns: RUNS },
  );
});

test('the histories come by everything that can happen', () => {
  const wanted = [
    ...EVENT_KINDS.map((kind) => `event ${kind}`),
    ...ATTEMPT_OUTCOMES.map((outcome) => `attempt ${outcome}`),
    ...LEASE_LOST_REASONS.map((reason) => `holder reason:${reason}`),
    'holder replayed:true',
    'holder cancelRequested:true',
    'holder code:JOB_NOT_FOUND',
    'operator code:INVALID_TRANSITION',
    'operator code:JOB_NOT_FOUND',
    'submit deduplicated:true',
    'submit code:IDEMPOTENCY_CONFLICT',
    'submit code:BATCH_ROLLED_BACK',
    'claim repeated',
    'claim idle:paused',
    'claim idle:no_ready_job',
    'claim replayed:true',
    'group of several',
  ];
  expect(wanted.filter((what) => !occurrences.has(what))).toEqual([]);
});
