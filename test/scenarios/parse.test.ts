/** The scenario language: what it reads, and what it says where it cannot. */
import { describe, expect, test } from 'vitest';
import { modelDriver } from '../conformance/model-driver.ts';
import { parseScenarios } from './parse.ts';
import { runScenario } from './run.ts';

function complaint(...lines: readonly string[]): string {
  try {
    parseScenarios('x.scenario', ['scenario One', ...lines].join('\n'));
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
  return 'no complaint';
}

async function outcome(...lines: readonly string[]): Promise<string> {
  const [scenario] = parseScenarios('x.scenario', ['scenario One', ...lines].join('\n'));
  const driver = await modelDriver.make();
  try {
    await runScenario(scenario!, driver);
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
  return 'as written';
}

describe('a scenario file', () => {
  test('holds scenarios with a title, their steps in the order of time', () => {
    const [one, two, ...others] = parseScenarios(
      'x.scenario',
      [
        '# a comment',
        'scenario One',
        'at 0s submit job A',
        'at 10s every 5s until 20s sweep',
        'at 15s claim by w1 → A',
        '',
        'scenario Two',
        'at 0s sweep',
      ].join('\n'),
    );
    expect(others).toEqual([]);
    expect(two?.title).toBe('Two');
    expect(one?.steps.map(({ atMs, line }) => [atMs, line])).toEqual([
      [0, 3],
      [10_000, 4],
      [15_000, 4],
      [15_000, 5],
      [20_000, 4],
    ]);
  });

  test('repeats a block as often as it says', () => {
    const [one] = parseScenarios('x.scenario', ['scenario One', 'repeat 3 times', 'at 1s sweep', 'at 1s retain', 'end'].join('\n'));
    expect(one?.steps.map(({ line }) => line)).toEqual([3, 4, 3, 4, 3, 4]);
  });

  test('reads durations of several units, ranges, lists, texts and JSON', () => {
    const [one] = parseScenarios('x.scenario', 'scenario One\nat 1h30m0.5s submit jobs X1..X3, Y in a:b tags a=1, b=2 payload {"a":[1,"x y"]} start in 2h');
    const [step] = one!.steps;
    expect(step).toMatchObject({ atMs: 5_400_500, command: { verb: 'submit', subjects: ['X1', 'X2', 'X3', 'Y'] } });
    expect(step?.kind === 'command' && [...step.command.options]).toEqual([
      ['in', 'a:b'],
      ['payload', '{"a":[1,"x y"]}'],
      ['start in', 7_200_000],
    ]);
    expect(step?.kind === 'command' && step.command.lists.get('tags')).toEqual(['a=1', 'b=2']);
  });

  test.each([
    [['at 0s sumbit job A'], 'x.scenario:2: unknown verb "sumbit"; known are submit, claim,'],
    [['at 0s submit job A prio 5'], 'x.scenario:2: unknown option "prio" of submit; known are in, task,'],
    [['at 0s submit job A priority high'], 'x.scenario:2: the value of "priority" must be a number, found "high"'],
    [['at 0s submit job A priority 1 priority 2'], 'x.scenario:2: option "priority" stands twice'],
    [['at 0s submit job a'], 'x.scenario:2: the name of a job begins with a capital letter, found "a"'],
    [['at 0s submit job A1..B2'], 'x.scenario:2: a range is written like X1..X100, found "A1..B2"'],
    [['at 5 sweep'], 'x.scenario:2: the time after "at" must be a duration like 30s, 500ms or 1h30m, found "5"'],
    [['at 5s sweep', 'at 4s sweep'], 'x.scenario:3: time does not run backwards: the line above happens later'],
    [['at 5s every 1s until 4s sweep'], 'x.scenario:2: "every … until …" must go forward'],
    [['at 5s every 1s sweep'], 'x.scenario:2: expected "until", found "sweep"'],
    [['at 0s complete A t1'], 'x.scenario:2: expected "with", found "t1"'],
    [['at 0s complete A'], 'x.scenario:2: "with" is missing at the end of the line'],
    [['at 0s submit job A payload {broken'], 'x.scenario:2: the value of "payload" must be JSON without spaces, found "{broken"'],
    [['at 0s fail A with t error boom'], 'x.scenario:2: the value of "error" must be a text in quotes, found "boom"'],
    [['at 0s submit job A start 5s'], 'x.scenario:2: "start" goes on with "in" or "at", found "5s"'],
    [['at 0s sweep → finished'], 'x.scenario:2: the value of "finished" is missing at the end of the line'],
    [['at 0s sweep → running quickly'], 'x.scenario:2: unknown fact "quickly"; known are queued, running,'],
    [['job A running'], 'x.scenario:2: "job" needs a colon and what is expected'],
    [['jobs A: running'], 'x.scenario:2: a line begins with "at", "tenant", "repeat", or one of the checks job, detail,'],
    [['repeat 2 times', 'at 0s sweep'], 'x.scenario:2: "repeat" without an "end" below it'],
    [['end'], 'x.scenario:2: "end" without a "repeat … times" above it'],
    [[], 'x.scenario:1: the scenario has no steps'],
  ])('with %j is refused with a word about what is wrong', (lines, message) => {
    expect(complaint(...lines)).toContain(message);
  });

  test('without a heading, or without anything, is refused', () => {
    expect(() => parseScenarios('x.scenario', 'at 0s sweep')).toThrow('x.scenario:1: a scenario begins with "scenario" and a sentence');
    expect(() => parseScenarios('x.scenario', '# nothing')).toThrow('x.scenario:1: the file holds no scenario');
  });
});

describe('a scenario that does not come true', () => {
  const submit = 'at 0s submit job A';
  const claim = 'at 0s claim by w1 lease 30s → A token t';

  test.each([
    [[`${submit} → running`], 'x.scenario:2: at 0s: expected state running, got A state queued attempt 0'],
    [[`${submit} → deduplicated`], 'x.scenario:2: at 0s: expected deduplicated true'],
    [[`${submit} key k`, 'at 1s submit job B key k → A queued'], 'x.scenario:3: at 1s: did not expect "deduplicated"'],
    [
      [`${submit} key k`, 'at 1s submit job B key k priority 1 → A'],
      'x.scenario:3: at 1s: expected no failure, got A failure IDEMPOTENCY_CONFLICT fields priority',
    ],
    [[submit, 'at 0s submit job B', 'at 0s claim by w1 → B'], 'x.scenario:4: at 0s: expected B, got A state running'],
    [[submit, 'at 0s claim by w1 → nothing'], 'x.scenario:3: at 0s: expected state nothing, got A state running'],
    [[submit, claim, 'at 0s claim by w1 → A'], 'x.scenario:4: at 0s: expected A, got state nothing idle NO_READY_JOB'],
    [[submit, 'at 0s claim by w1 max 5 → A; A'], 'x.scenario:3: at 0s: expected 2 answers, got 1: A state running'],
    [
      [submit, claim, 'at 30s complete A with t → LeaseLost SUPERSEDED|REVOKED'],
      'x.scenario:4: at 30s: expected because SUPERSEDED|REVOKED, got A failure LEASE_LOST because EXPIRED',
    ],
    [[submit, claim, 'at 1s complete A with t → JobNotFound'], 'x.scenario:4: at 1s: expected failure JOB_NOT_FOUND, got A state completed'],
    [[submit, claim, 'at 1s complete A with u'], 'x.scenario:4: at 1s: no claim above shows a token called u'],
    [
      [submit, claim, 'at 1s cancel A', 'at 2s heartbeat A with t → live'],
      'x.scenario:5: at 2s: did not expect "cancel-requested": state live until 32000 cancel-requested',
    ],
    [['at 0s cancel B'], 'x.scenario:2: at 0s: no job is called B'],
    [[submit, 'job A: queued attempt 1'], 'x.scenario:3: at 0s: expected attempt 1, got state queued attempt 0'],
    [[submit, 'events A: SUBMITTED CLAIMED'], 'x.scenario:3: at 0s: expected "SUBMITTED CLAIMED", got "SUBMITTED"'],
    [[submit, 'attempts A: 1:running'], 'x.scenario:3: at 0s: expected "1:running", got ""'],
    [[submit, 'counts default: running 1'], 'x.scenario:3: at 0s: expected "running 1", got "queued 1"'],
    [[submit, 'ready default: 0 delayed 1 oldest none'], 'x.scenario:3: at 0s: expected "0 delayed 1 oldest none", got "1 delayed 0 oldest 0s"'],
    [[submit, 'detail A CLAIMED: running'], 'x.scenario:3: at 0s: A has no event CLAIMED'],
    [[submit, claim, 'tokens differ: t t'], 'x.scenario:4: at 0s: two of the tokens are the same'],
  ])('%j tells the line, what was expected, and what was found', async (lines, message) => {
    expect(await outcome(...lines)).toContain(message);
  });

  test('is told apart from one that does', async () => {
    expect(await outcome(submit, claim, 'at 30s complete A with t → LeaseLost SUPERSEDED|EXPIRED', 'job A: running')).toBe('as written');
  });
});
