/** Every limit of every input, at the limit and one beyond; and that a fault is named without its value. */
import { coerceInputValue, type GraphQLError, isInputType } from 'graphql';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/domain/json.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { cancelJobs, purgeJobs } from '../../src/graphql/bulk.ts';
import { parseInput } from '../../src/graphql/inputs.ts';
import { jobFilter } from '../../src/graphql/job-lists.ts';
import { parseEventFilter } from '../../src/graphql/observer.ts';
import { cancel, parseRedrive, parseReschedule } from '../../src/graphql/operator.ts';
import type { Issue } from '../../src/graphql/outcome.ts';
import { parseBatch, parseSubmission } from '../../src/graphql/producer.ts';
import { configuration, pause } from '../../src/graphql/queue-control.ts';
import { schema } from '../../src/graphql/schema.ts';
import * as worker from '../../src/graphql/worker-inputs.ts';

const NOW_MS = Date.UTC(2026, 2, 1);

/** What a resolver gets for this variable: checked for its kinds by graphql, with the defaults of the schema. */
function coerced<Input>(type: string, value: unknown): Input {
  const found = schema.getType(type);
  const input = isInputType(found) ? coerceInputValue(value, found) : undefined;
  if (input === undefined) throw new Error(`not a ${type}`);
  return input as Input;
}

interface Refusal {
  readonly code: unknown;
  readonly issues: readonly Issue[];
  readonly message: string;
}

function refusal(run: () => unknown): Refusal | null {
  try {
    run();
    return null;
  } catch (error) {
    const { extensions, message } = error as GraphQLError;
    if (extensions === undefined) throw error;
    return { code: extensions['code'], issues: extensions['issues'] as readonly Issue[], message };
  }
}

const submit = (fields: object) => parseSubmission(coerced('SubmitJobInput', { task: 't', ...fields }), NOW_MS);
const claim = (fields: object) => parseInput(worker.claim, coerced('ClaimJobsInput', { workerId: 'w', ...fields }), ['input']);
const beat = (fields: object) => parseInput(worker.heartbeat, coerced('HeartbeatInput', { leases: [{ jobId: 'j', leaseToken: 'k', ...fields }] }), ['input']);
const complete = (fields: object) => parseInput(worker.completion, coerced('CompleteJobInput', { jobId: 'j', leaseToken: 'k', ...fields }), ['input']);
const completeMany = (fields: object) => parseInput(worker.completions, coerced('CompleteJobsInput', fields), ['input']);
const fail = (fields: object) =>
  parseInput(worker.failure, coerced('FailJobInput', { jobId: 'j', leaseToken: 'k', error: { message: 'm' }, ...fields }), ['input']);
const release = (fields: object) => parseInput(worker.release, coerced('ReleaseJobInput', { jobId: 'j', leaseToken: 'k', ...fields }), ['input']);
const redrive = (fields: object) => parseRedrive(coerced('RedriveJobInput', { id: 'j', ...fields }), NOW_MS);
const reschedule = (fields: object) => parseReschedule(coerced('RescheduleJobInput', { id: 'j', ...fields }), NOW_MS);
const cancelOne = (fields: object) => parseInput(cancel, coerced('CancelJobInput', { id: 'j', ...fields }), ['input']);
const cancelMany = (fields: object) => parseInput(cancelJobs, coerced('CancelJobsInput', { target: { ids: ['j'] }, ...fields }), ['input']);
const configure = (fields: object) => parseInput(configuration, coerced('ConfigureQueueInput', { name: 'q', ...fields }), ['input']);
const pauseOne = (fields: object) => parseInput(pause, coerced('PauseQueueInput', { name: 'q', ...fields }), ['input']);
const filterJobs = (fields: object) => parseInput(jobFilter, coerced('JobFilter', fields), ['filter']);
const filterEvents = (fields: object) => parseEventFilter(coerced('JobEventFilter', fields));
const batch = (fields: object) => parseBatch(coerced('SubmitJobsInput', fields), NOW_MS);

const text = (length: number, character = 'a'): string => character.repeat(length);
const many = <Item>(length: number, item: (index: number) => Item): readonly Item[] => Array.from({ length }, (_none, index) => item(index));
const lease = { jobId: 'j', leaseToken: 'k' };
/** An object whose canonical form has so many bytes. */
const sized = (bytes: number, character = 'a'): object => ({ a: text((bytes - 8) / Buffer.byteLength(character), character) });
/** Lists inside an object, so many levels in all. */
const nested = (levels: number): object => ({ a: many(levels - 1, () => 0).reduce<unknown>((inner) => [inner], 0) });
const ahead = (ms: number): string => new Date(NOW_MS + LIMITS.startAheadSecondsMax * 1000 + ms).toISOString();

type Call = (fields: object) => unknown;
/** A call, the path of the fault, fields that are accepted, and fields one beyond. */
const NUMBERS: readonly (readonly [string, Call, string, (value: number) => object, number, number])[] = [
  ['priority', submit, 'input.priority', (value) => ({ priority: value }), LIMITS.priorityMin, LIMITS.priorityMax],
  ['maxAttempts', submit, 'input.maxAttempts', (value) => ({ maxAttempts: value }), 1, LIMITS.maxAttemptsMax],
  ['retryBaseSeconds', submit, 'input.retryBaseSeconds', (value) => ({ retryBaseSeconds: value }), 1, LIMITS.retryBaseSecondsMax],
  ['retryMaxSeconds', submit, 'input.retryMaxSeconds', (value) => ({ retryBaseSeconds: 1, retryMaxSeconds: value }), 1, LIMITS.retryMaxSecondsMax],
  ['start.inSeconds', submit, 'input.start.inSeconds', (value) => ({ start: { inSeconds: value } }), 0, LIMITS.startAheadSecondsMax],
  ['start.inSeconds of a redrive', redrive, 'input.start.inSeconds', (value) => ({ start: { inSeconds: value } }), 0, LIMITS.startAheadSecondsMax],
  ['maxAttempts of a redrive', redrive, 'input.maxAttempts', (value) => ({ maxAttempts: value }), 1, LIMITS.maxAttemptsMax],
  ['priority of a reschedule', reschedule, 'input.priority', (value) => ({ priority: value }), LIMITS.priorityMin, LIMITS.priorityMax],
  ['max of a claim', claim, 'input.max', (value) => ({ max: value }), 1, LIMITS.claimLeasesMax],
  ['leaseSeconds', claim, 'input.leaseSeconds', (value) => ({ leaseSeconds: value }), LIMITS.leaseSecondsMin, LIMITS.leaseSecondsMax],
  ['waitSeconds', claim, 'input.waitSeconds', (value) => ({ waitSeconds: value }), 0, LIMITS.waitSecondsMax],
  ['extendSeconds', beat, 'input.leases.0.extendSeconds', (value) => ({ extendSeconds: value }), LIMITS.leaseSecondsMin, LIMITS.leaseSecondsMax],
  ['progress.percent', beat, 'input.leases.0.progress.percent', (value) => ({ progress: { percent: value } }), 0, LIMITS.progressPercentMax],
  ['retry.afterSeconds', fail, 'input.retry.afterSeconds', (value) => ({ retry: { afterSeconds: value } }), 0, LIMITS.afterSecondsMax],
  ['afterSeconds of a release', release, 'input.afterSeconds', (value) => ({ afterSeconds: value }), 0, LIMITS.afterSecondsMax],
  ['limit of a bulk call', cancelMany, 'input.limit', (value) => ({ limit: value }), 1, LIMITS.bulkJobsMax],
  [
    'default leaseSeconds',
    configure,
    'input.defaults.leaseSeconds',
    (value) => ({ defaults: { leaseSeconds: value } }),
    LIMITS.leaseSecondsMin,
    LIMITS.leaseSecondsMax,
  ],
  ['default priority', configure, 'input.defaults.priority', (value) => ({ defaults: { priority: value } }), LIMITS.priorityMin, LIMITS.priorityMax],
  ['deadSeconds', configure, 'input.retention.deadSeconds', (value) => ({ retention: { deadSeconds: value } }), 0, LIMITS.retainSecondsMax],
];

describe.each(NUMBERS)('%s', (_what, call, path, fields, min, max) => {
  test.each([min, max])('may be %i', (value) => {
    expect(refusal(() => call(fields(value)))).toBeNull();
  });
  test.each([min - 1, max + 1])('may not be %i', (value) => {
    const found = refusal(() => call(fields(value)));
    expect(found?.code).toBe('BAD_USER_INPUT');
    expect(found?.issues.map((issue) => issue.path.join('.'))).toContain(path);
    expect(found?.issues[0]?.message).toBe(`must be ${min} to ${max}`);
  });
});

const LENGTHS: readonly (readonly [string, Call, (length: number) => object, number, number])[] = [
  ['queue', submit, (length) => ({ queue: text(length) }), 1, LIMITS.nameCharactersMax],
  ['task', submit, (length) => ({ task: text(length) }), 1, LIMITS.nameCharactersMax],
  ['idempotencyKey', submit, (length) => ({ idempotencyKey: text(length, '~') }), 1, LIMITS.idempotencyKeyCharactersMax],
  ['concurrencyKey', submit, (length) => ({ concurrencyKey: text(length, '中') }), 1, LIMITS.concurrencyKeyCharactersMax],
  ['concurrencyKey of characters beyond the basic plane', submit, (length) => ({ concurrencyKey: text(length, '😀') }), 1, LIMITS.concurrencyKeyCharactersMax],
  ['tag key', submit, (length) => ({ tags: [{ key: text(length), value: '' }] }), 1, LIMITS.nameCharactersMax],
  ['tag value', submit, (length) => ({ tags: [{ key: 'k', value: text(length) }] }), 0, LIMITS.tagValueCharactersMax],
  ['list of tags', submit, (length) => ({ tags: many(length, (index) => ({ key: `k${index}`, value: '' })) }), 0, LIMITS.tagsMax],
  ['batch', batch, (length) => ({ jobs: many(length, () => ({ task: 't' })) }), 1, LIMITS.batchItemsMax],
  ['workerId', claim, (length) => ({ workerId: text(length, 'ü') }), 1, LIMITS.workerIdCharactersMax],
  ['requestId', claim, (length) => ({ requestId: text(length) }), 1, LIMITS.requestIdCharactersMax],
  ['requestId of a batch', batch, (length) => ({ jobs: [{ task: 't' }], requestId: text(length) }), 1, LIMITS.requestIdCharactersMax],
  ['queues of a claim', claim, (length) => ({ queues: many(length, (index) => `q${index}`) }), 1, LIMITS.claimQueuesMax],
  ['tasks of a claim', claim, (length) => ({ tasks: many(length, (index) => `t${index}`) }), 1, LIMITS.claimTasksMax],
  ['completing', claim, (length) => ({ completing: many(length, () => lease) }), 0, LIMITS.claimCompletingMax],
  ['batch of completions', completeMany, (length) => ({ jobs: many(length, () => lease) }), 1, LIMITS.batchItemsMax],
  ['reason of a cancel', cancelOne, (length) => ({ reason: text(length) }), 0, LIMITS.reasonCharactersMax],
  ['reason of a bulk cancel', cancelMany, (length) => ({ reason: text(length) }), 0, LIMITS.reasonCharactersMax],
  ['reason of a pause', pauseOne, (length) => ({ reason: text(length, '\n') }), 0, LIMITS.reasonCharactersMax],
  ['ids of a bulk call', cancelMany, (length) => ({ target: { ids: many(length, (index) => `j${index}`) } }), 1, LIMITS.bulkJobsMax],
  ['values of a job filter', filterJobs, (length) => ({ queues: many(length, (index) => `q${index}`) }), 0, LIMITS.filterValuesMax],
  ['values of an event filter', filterEvents, (length) => ({ jobIds: many(length, (index) => `j${index}`) }), 0, LIMITS.filterValuesMax],
];

describe.each(LENGTHS)('%s', (_what, call, fields, min, max) => {
  test.each([min, max])('may have length %i', (length) => {
    expect(refusal(() => call(fields(length)))).toBeNull();
  });
  test.each([max + 1, ...(min > 0 ? [min - 1] : [])])('may not have length %i', (length) => {
    expect(refusal(() => call(fields(length)))?.code).toBe('BAD_USER_INPUT');
  });
});

describe('names', () => {
  test.each(['a', 'A9', '0', 'a.b_c:d-e', 'invoice.send'])('%j is one', (name) => {
    expect(refusal(() => submit({ queue: name, task: name }))).toBeNull();
  });
  test.each(['.a', '-a', '_a', 'a b', 'a/b', 'ä', 'a\n', 'a\0', '\ud800', ' a'])('%j is none', (name) => {
    expect(refusal(() => submit({ queue: name, task: name }))?.issues.map(({ path }) => path.at(-1))).toEqual(['queue', 'task']);
  });
  test.each(['   ', 'a b', 'a\n', 'ä', '\0'])('%j is no idempotency key', (idempotencyKey) => {
    expect(refusal(() => submit({ idempotencyKey }))?.code).toBe('BAD_USER_INPUT');
  });
  test.each(['a b', 'a\u200b', 'a\0', '\ud800', '\u00a0'])('%j is no worker', (workerId) => {
    expect(refusal(() => claim({ workerId }))?.code).toBe('BAD_USER_INPUT');
  });
  test.each(['a\0', '\u0007', '\ud800'])('%j is no text of a tag or a concurrency key', (odd) => {
    expect(refusal(() => submit({ concurrencyKey: odd, tags: [{ key: odd, value: odd }] }))?.issues).toHaveLength(3);
  });
});

describe('a submission', () => {
  test('of the least that it needs is all defaults', () => {
    expect(submit({})).toEqual({
      queue: 'default',
      task: 't',
      payloadJson: '{}',
      priority: null,
      maxAttempts: null,
      retryBaseSeconds: null,
      retryMaxSeconds: null,
      start: null,
      concurrencyKey: null,
      tags: [],
      idempotencyKey: null,
    });
  });

  test('takes null as absent', () => {
    const absent = {
      priority: null,
      maxAttempts: null,
      retryBaseSeconds: null,
      retryMaxSeconds: null,
      idempotencyKey: null,
      start: null,
      concurrencyKey: null,
      tags: null,
    };
    expect(submit(absent)).toEqual(submit({}));
  });

  test.each([
    [{ retryBaseSeconds: 3600 }, true],
    [{ retryMaxSeconds: 15 }, true],
    [{ retryMaxSeconds: 14 }, false],
    [{ retryBaseSeconds: 60, retryMaxSeconds: 60 }, true],
    [{ retryBaseSeconds: 60, retryMaxSeconds: 59 }, false],
    [{ retryBaseSeconds: null, retryMaxSeconds: 14 }, false],
  ])('with %j is in order: %s', (fields, isOrdered) => {
    const issues = refusal(() => submit(fields))?.issues;
    expect(issues).toEqual(isOrdered ? undefined : [{ path: ['input', 'retryMaxSeconds'], message: 'must not be below retryBaseSeconds' }]);
  });

  test('may start in the past, and up to thirty days ahead to the millisecond', () => {
    expect(submit({ start: { at: '1999-01-01T00:00:00Z' } }).start).toEqual({ atMs: Date.UTC(1999, 0, 1) });
    expect(submit({ start: { at: ahead(0) } }).start).toEqual({ atMs: NOW_MS + LIMITS.startAheadSecondsMax * 1000 });
    expect(refusal(() => submit({ start: { at: ahead(1) } }))?.issues.map(({ path }) => path)).toEqual([['input', 'start', 'at']]);
    expect(refusal(() => redrive({ start: { at: ahead(1) } }))?.code).toBe('BAD_USER_INPUT');
    expect(refusal(() => reschedule({ start: { at: ahead(1) } }))?.code).toBe('BAD_USER_INPUT');
  });

  test('has each tag key once', () => {
    const tags = [
      { key: 'k', value: '1' },
      { key: 'k', value: '2' },
    ];
    expect(refusal(() => submit({ tags }))?.issues).toEqual([{ path: ['input', 'tags'], message: 'must not hold a key twice' }]);
  });

  test('with several faults is refused for all of them at once', () => {
    const found = refusal(() =>
      submit({ task: '', priority: 101, retryMaxSeconds: 1, start: { at: ahead(1) }, tags: [{ key: '', value: '' }], payload: nested(33) }),
    );
    expect(found?.issues.map(({ path }) => path.slice(0, 4).join('.')).toSorted()).toEqual(
      ['input.payload.a.0', 'input.priority', 'input.retryMaxSeconds', 'input.start.at', 'input.tags.0', 'input.task'].map(
        (path) => expect.stringContaining(path) as string,
      ),
    );
  });

  test('in a batch is refused with the faults of every item', () => {
    const jobs = [{ task: 't' }, { task: '' }, { task: 't' }, { task: 't', start: { at: ahead(1) } }];
    expect(refusal(() => batch({ jobs }))?.issues.map(({ path }) => path)).toEqual([
      ['input', 'jobs', 1, 'task'],
      ['input', 'jobs', 3, 'start', 'at'],
    ]);
  });
});

describe('JSON that is kept', () => {
  const KEPT: readonly (readonly [string, Call, string, number])[] = [
    ['payload', submit, 'payload', LIMITS.payloadBytesMax],
    ['payload of a redrive', redrive, 'payload', LIMITS.payloadBytesMax],
    ['result', complete, 'result', LIMITS.resultBytesMax],
  ];
  test.each(KEPT)('%s is taken at its limit in bytes', (_what, call, field, bytes) => {
    expect(refusal(() => call({ [field]: sized(bytes) }))).toBeNull();
  });
  test.each(KEPT)('%s is too large one byte beyond, with limit and size', (_what, call, field, bytes) => {
    const found = refusal(() => call({ [field]: sized(bytes + 1) }));
    expect(found?.code).toBe('PAYLOAD_TOO_LARGE');
    expect(found?.message).toContain(String(bytes));
    expect(found?.message).toContain(String(bytes + 1));
  });
  test.each(KEPT)('%s counts bytes, not characters', (_what, call, field) => {
    expect(refusal(() => call({ [field]: { a: text(22_000, '中') } }))?.code).toBe('PAYLOAD_TOO_LARGE');
  });
  test.each(KEPT)('%s is taken at its depth, and refused one level below', (_what, call, field) => {
    expect(refusal(() => call({ [field]: nested(LIMITS.jsonDepthMax) }))).toBeNull();
    expect(refusal(() => call({ [field]: nested(LIMITS.jsonDepthMax + 1) }))?.code).toBe('BAD_USER_INPUT');
  });
  test.each(KEPT)('%s nested as deep as a request can carry is refused without harm', (_what, call, field) => {
    expect(refusal(() => call({ [field]: { a: parseJson('['.repeat(60_000) + ']'.repeat(60_000)) } }))?.code).toBe('BAD_USER_INPUT');
  });
  test.each(KEPT)('%s with a lone surrogate is refused with the place', (_what, call, field) => {
    expect(refusal(() => call({ [field]: { a: ['\ud800'] } }))?.issues[0]?.path).toEqual(['input', field, 'a', 0]);
    expect(refusal(() => call({ [field]: { '\udc00': 1 } }))?.issues[0]?.path).toEqual(['input', field]);
  });

  test('has sorted keys and every digit', () => {
    expect(submit({ payload: parseJson('{"b": 9007199254740993, "a": "x\\u0000y"}') }).payloadJson).toBe('{"a":"x\\u0000y","b":9007199254740993}');
  });
  test('of a result may be anything, and null is none', () => {
    expect(complete({ result: [1, 'a', false] }).resultJson).toBe('[1,"a",false]');
    expect(complete({ result: false }).resultJson).toBe('false');
    expect(complete({ result: null }).resultJson).toBeNull();
    expect(complete({}).resultJson).toBeNull();
  });
});

describe('a worker', () => {
  test('that names a queue twice, or no queue or task, is refused', () => {
    expect(refusal(() => claim({ queues: ['a', 'a'] }))?.issues[0]?.path).toEqual(['input', 'queues']);
    expect(refusal(() => claim({ queues: [] }))?.code).toBe('BAD_USER_INPUT');
    expect(refusal(() => claim({ tasks: [] }))?.code).toBe('BAD_USER_INPUT');
    expect(claim({ tasks: null, requestId: null, completing: null })).toEqual(claim({}));
  });

  test.each(['', text(10_000), 'ключ', '\0', '\ud800'])('may send any text as token and id', (odd) => {
    expect(refusal(() => complete({ jobId: odd, leaseToken: odd }))).toBeNull();
    expect(refusal(() => beat({ jobId: odd, leaseToken: odd }))).toBeNull();
    expect(refusal(() => fail({ jobId: odd, leaseToken: odd }))).toBeNull();
    expect(refusal(() => release({ jobId: odd, leaseToken: odd }))).toBeNull();
  });

  test('may note its progress up to the limit, beyond which it is too large', () => {
    expect(beat({ progress: { note: text(LIMITS.progressNoteCharactersMax, '😀') } }).leases[0]?.progress?.percent).toBeNull();
    const found = refusal(() => beat({ progress: { note: text(LIMITS.progressNoteCharactersMax + 1) } }));
    expect(found).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', issues: [{ path: ['input', 'leases', 0, 'progress', 'note'] }] });
    expect(refusal(() => beat({ progress: { note: '\ud800' } }))?.code).toBe('BAD_USER_INPUT');
  });

  test('that says nothing about its progress says nothing', () => {
    expect(beat({ progress: {} }).leases[0]?.progress).toBeNull();
    expect(beat({}).leases[0]?.progress).toBeNull();
    expect(beat({ progress: { percent: 12.5 } }).leases[0]?.progress).toEqual({ percent: 12.5, note: null });
  });

  test('may not say that a failure is not final', () => {
    expect(fail({ retry: { never: true } }).retry).toEqual({ never: true });
    expect(fail({ retry: null }).retry).toBeNull();
    expect(refusal(() => fail({ retry: { never: false } }))?.issues).toEqual([{ path: ['input', 'retry', 'never'], message: 'must be true if it is given' }]);
  });
});

const reported = (error: object) => fail({ error: { message: 'm', ...error } }).error;

describe('a failure report', () => {
  test('is never refused for what it says', () => {
    const anything = fc.record({ message: fc.string({ unit: 'binary' }), type: fc.option(fc.string({ unit: 'binary' })), details: fc.jsonValue() });
    const refused = (error: object): boolean => refusal(() => reported(error)) !== null;
    fc.assert(
      fc.property(anything, (error) => {
        expect(refused(error)).toBe(false);
      }),
    );
  });

  test('may be empty', () => {
    expect(reported({ message: '' })).toEqual({ message: '', type: null, detailsJson: null });
  });

  test('keeps its text, with what no database takes replaced', () => {
    expect(reported({ message: 'a\0b\ud800c\n', type: '\0' })).toMatchObject({ message: 'a\ufffdb\ufffdc\n', type: '\ufffd' });
  });

  test('is cut at its limits, between characters', () => {
    const { message, type } = reported({ message: text(LIMITS.errorTextBytesMax + 1, '中'), type: text(LIMITS.errorTypeCharactersMax + 1, '😀') });
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(LIMITS.errorTextBytesMax);
    expect(message.isWellFormed() && message.endsWith('[cut]')).toBe(true);
    expect(type).toBe(text(LIMITS.errorTypeCharactersMax, '😀'));
    expect(reported({ message: text(LIMITS.errorTextBytesMax) }).message).toBe(text(LIMITS.errorTextBytesMax));
  });

  test.each([
    ['at the limit', sized(LIMITS.errorDetailsBytesMax), null],
    ['one byte beyond', sized(LIMITS.errorDetailsBytesMax + 1), LIMITS.errorDetailsBytesMax + 1],
  ])('with details %s', (_what, details, bytes) => {
    expect(reported({ details }).detailsJson).toBe(bytes === null ? JSON.stringify(details) : `{"bytes":${bytes},"truncated":true}`);
  });

  test.each([
    ['too deep', nested(60_000)],
    ['broken', { a: '\ud800' }],
  ])('with details that are %s keeps a marker', (_what, details) => {
    expect(reported({ details }).detailsJson).toBe('{"bytes":null,"truncated":true}');
  });

  test('keeps details of every shape, and null as none', () => {
    expect(reported({ details: [1, { a: null }] }).detailsJson).toBe('[1,{"a":null}]');
    expect(reported({ details: 0 }).detailsJson).toBe('0');
    expect(reported({ details: null }).detailsJson).toBeNull();
  });
});

describe('an operator', () => {
  test('must say what to reschedule', () => {
    expect(refusal(() => reschedule({}))?.issues).toEqual([{ path: ['input'], message: 'must name start, priority or both' }]);
    expect(refusal(() => reschedule({ start: null, priority: null }))?.code).toBe('BAD_USER_INPUT');
    expect(reschedule({ priority: 0 })).toEqual({ jobId: 'j', start: null, priority: 0 });
  });

  test.each([[{}], [{ queues: null, states: null }], [{ createdAt: {} }], [{ runAt: { from: null, to: null }, tags: [] }]])(
    'may not work on the empty filter %j',
    (filter) => {
      expect(refusal(() => cancelMany({ target: { filter } }))?.issues).toEqual([
        { path: ['input', 'target', 'filter'], message: 'must name at least one field' },
      ]);
      expect(refusal(() => parseInput(purgeJobs, coerced('PurgeJobsInput', { target: { filter } }), ['input']))?.code).toBe('BAD_USER_INPUT');
    },
  );

  test('works on each job once', () => {
    expect(cancelMany({ target: { ids: ['a', 'b', 'a'] } })).toEqual({
      target: { ids: ['a', 'b'] },
      limit: LIMITS.bulkJobsMax,
      dryRun: false,
      action: { name: 'cancel', reason: null, force: false },
    });
  });

  test('tells what stays from what goes back to the default', () => {
    expect(configure({ defaults: { priority: null, leaseSeconds: 30 } })).toEqual({
      name: 'q',
      expectedVersion: null,
      defaults: { priority: null, leaseSeconds: 30 },
      retention: {},
    });
    expect(configure({ defaults: null, retention: { deadSeconds: 0 } })).toMatchObject({ defaults: {}, retention: { deadSeconds: 0 } });
  });

  test.each([
    [{ retryBaseSeconds: 100, retryMaxSeconds: 99 }, false],
    [{ retryBaseSeconds: null, retryMaxSeconds: 14 }, false],
    [{ retryMaxSeconds: 14 }, true],
    [{ retryBaseSeconds: 3600, retryMaxSeconds: null }, true],
  ])('sets the pair %j: %s', (defaults, isTaken) => {
    expect(refusal(() => configure({ defaults })) === null).toBe(isTaken);
  });
});

describe('a filter', () => {
  test('holds only what it names', () => {
    expect(
      filterJobs({ queues: ['a'], tasks: null, states: ['DEAD'], createdAt: { from: '2026-03-01T00:00:00Z' }, runAt: {}, tags: [{ key: 'k', value: 'v' }] }),
    ).toEqual({
      queues: ['a'],
      states: ['dead'],
      createdAt: { fromMs: NOW_MS, toMs: null },
      tags: [{ key: 'k', value: 'v' }],
    });
    expect(filterEvents({ kinds: ['CLAIMED'], states: ['RUNNING'], queues: null })).toEqual({ kinds: ['CLAIMED'], states: ['running'] });
    expect(parseEventFilter(null)).toEqual({});
  });

  test('keeps an empty list, which matches nothing', () => {
    expect(filterJobs({ queues: [] })).toEqual({ queues: [] });
  });
});

describe('a refusal', () => {
  test('never holds a value', () => {
    const secret = 'hunter2';
    const odd = `${secret}\ud800 `;
    const found = [
      refusal(() => submit({ queue: odd, task: odd, idempotencyKey: odd, concurrencyKey: odd, payload: { a: odd }, tags: [{ key: odd, value: odd }] })),
      refusal(() => claim({ workerId: odd, queues: [odd], tasks: [odd], requestId: odd })),
      refusal(() => cancelOne({ reason: odd })),
      refusal(() => filterJobs({ queues: [odd], tasks: [odd], workerIds: [odd], concurrencyKeys: [odd] })),
    ];
    for (const one of found) expect(one?.code).toBe('BAD_USER_INPUT');
    expect(JSON.stringify(found)).not.toContain(secret);
  });
});
