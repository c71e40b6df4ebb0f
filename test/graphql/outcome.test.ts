/** What a client sees of whatever goes wrong. */
import { GraphQLError, parse, Source, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { FAILURES } from '../../src/domain/failures.ts';
import { answer, badInput, invalidCursor, memberType, only, payloadTooLarge, toPublicError } from '../../src/graphql/outcome.ts';
import { schema } from '../../src/graphql/schema.ts';
import { InvalidRequest, StoreFault } from '../../src/store/store.ts';

/** As the executor hands it over: with the field that failed. */
const located = (originalError: Error): GraphQLError => new GraphQLError(originalError.message, { path: ['job'], originalError });

describe('the public error', () => {
  test('of a defect hides everything but the id that the log has', () => {
    for (const defect of [new Error('select * from jobs'), new TypeError('x'), 'text', null, undefined, { secret: 1 }]) {
      const seen = toPublicError(defect, () => 'r1');
      expect(seen.message).toBe('Unexpected error.');
      expect(seen.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', requestId: 'r1', unexpected: true });
      expect(seen.originalError).toBeUndefined();
      expect(seen.stack ?? '').not.toContain('select');
    }
  });

  test('of a defect keeps the field it belongs to', () => {
    const seen = toPublicError(located(new Error('secret')), () => 'r1');
    expect(seen).toMatchObject({ path: ['job'], message: 'Unexpected error.' });
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  test('of a defect does not pass for ours because it bears a code', () => {
    const driver = Object.assign(new Error('secret'), { extensions: { code: 'BAD_USER_INPUT' }, code: 'SQLITE_CORRUPT' });
    expect(toPublicError(new GraphQLError('secret', { path: ['job'], originalError: driver }), () => 'r1').message).toBe('Unexpected error.');
  });

  test('of a value that the schema cannot print is a defect too', () => {
    expect(toPublicError(new GraphQLError('Int cannot represent non-integer value: "secret"', { path: ['job', 'attempt'] }), () => 'r1').message).toBe(
      'Unexpected error.',
    );
  });

  test.each([true, false])('of a fault says whether its outcome is unknown: %s', (outcomeUnknown) => {
    for (const kind of ['busy', 'full', 'stopping', 'fatal'] as const) {
      const seen = toPublicError(located(new StoreFault(kind, 'secret', { outcomeUnknown })), () => 'r1');
      expect(seen.extensions).toEqual({ code: 'SERVICE_UNAVAILABLE', outcomeUnknown, http: { status: 503 } });
      expect(seen.message).toContain(outcomeUnknown ? 'unknown' : 'Nothing was changed');
      expect(seen.message).toContain('same idempotency key, lease token or requestId');
      expect(seen.path).toEqual(['job']);
      expect(JSON.stringify(seen)).not.toContain('secret');
    }
  });

  test('of a request that only the store can judge is bad input', () => {
    const issues = [{ path: ['input', 'jobs', 1, 'idempotencyKey'], message: 'is the key of item 0 too' }];
    expect(toPublicError(located(new InvalidRequest(issues)), () => 'r1')).toMatchObject({ path: ['job'], extensions: { code: 'BAD_USER_INPUT', issues } });
  });

  test('of ours is the error itself, however wrapped', () => {
    for (const ours of [badInput([{ path: ['a'], message: 'is odd' }]), invalidCursor('after'), payloadTooLarge([{ path: ['a'], message: 'is big' }])]) {
      expect(toPublicError(ours, () => 'r1')).toBe(ours);
      const wrapped = located(ours);
      expect(toPublicError(wrapped, () => 'r1')).toMatchObject({ message: ours.message, extensions: ours.extensions, path: ['job'] });
    }
  });

  test('of a document tells syntax from validity', () => {
    const http = { spec: true, status: 400 };
    let syntax: unknown;
    try {
      parse(new Source('{ "hunter2" }'));
    } catch (error) {
      syntax = error;
    }
    expect(toPublicError(syntax, () => 'r1')).toMatchObject({
      message: 'Syntax Error: Expected Name, found String.',
      extensions: { code: 'GRAPHQL_PARSE_FAILED', http },
    });
    const [invalid] = validate(schema, parse('{ nothing }'));
    expect(toPublicError(invalid, () => 'r1').extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED', http });
  });

  test('of an argument names it without its value', () => {
    for (const message of [
      'Argument "input" has invalid value {task: "hunter2"}.',
      'Argument "Mutation.submitJob(input:)" has invalid value at .task: hunter2',
    ]) {
      const seen = toPublicError(new GraphQLError(message, { path: ['submitJob'] }), () => 'r1');
      expect(seen.extensions).toMatchObject({ code: 'BAD_USER_INPUT', issues: [{ path: ['input'] }] });
      expect(JSON.stringify(seen)).not.toContain('hunter2');
    }
  });
});

describe('bad input', () => {
  test('states the first issue and how many more there are', () => {
    const issues = [1, 2, 3].map((index) => ({ path: ['input', index], message: 'is odd' }));
    expect(badInput(issues).message).toBe('The input is not valid: input.1 is odd (and 2 more, see the issues).');
    expect(badInput(issues.slice(0, 1)).message).toBe('The input is not valid: input.1 is odd.');
    expect(badInput(issues).extensions).toEqual({ code: 'BAD_USER_INPUT', issues, http: { spec: true, status: 400 } });
  });

  test('of size alone answers 200 whatever the media type', () => {
    expect(payloadTooLarge([{ path: ['a'], message: 'is big' }]).extensions).not.toHaveProperty('http');
    expect(invalidCursor('after').extensions).not.toHaveProperty('http');
  });
});

describe('a result union', () => {
  test.each(Object.entries(FAILURES))('tells %s by its code', (code, { type }) => {
    expect(memberType('Success')({ code })).toBe(type);
  });

  test('tells everything else as the success', () => {
    expect(memberType('Success')({ job: {} })).toBe('Success');
    expect(memberType('Success')({ code: 'toString' })).toBe('Success');
  });

  test('gives the value or the failure of an outcome', () => {
    expect(answer({ ok: true, value: 7 })).toBe(7);
    expect(answer({ ok: false, failure: { code: 'BATCH_ROLLED_BACK' } })).toEqual({ code: 'BATCH_ROLLED_BACK' });
  });

  test('of a single call is the only outcome', () => {
    expect(only([7])).toBe(7);
    expect(() => only([])).toThrow('not 0');
    expect(() => only([1, 2])).toThrow('not 2');
  });
});
