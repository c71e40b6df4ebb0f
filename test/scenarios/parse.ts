/** Reads scenario files. Whatever does not fit is refused with the file, the line, and the words that would. */
import { CHECKS, FACTS, FAILURE_NAMES, STATE_WORDS, type SubjectKind, VERBS } from './grammar.ts';
import {
  type CheckStep,
  type Command,
  type CommandStep,
  type Expected,
  type Holder,
  type Scenario,
  ScenarioError,
  type Step,
  type Value,
  type Values,
} from './scenario.ts';
import { Words } from './words.ts';

interface Line {
  readonly number: number;
  readonly text: string;
}
/** A step that `every` may repeat. */
interface Timed {
  readonly atMs: readonly number[];
  readonly step: (atMs: number) => Step;
}

const ARROW = /\s*→\s*/;
const REPEAT = /^repeat (\d+) times$/;

/** The scenarios of one file, in its order. */
export function parseScenarios(file: string, source: string): readonly Scenario[] {
  const lines = source.split('\n').map((text, index): Line => ({ number: index + 1, text: text.trimEnd() }));
  const meaningful = lines.filter(({ text }) => text.trim() !== '' && !text.trimStart().startsWith('#'));
  const starts = meaningful.flatMap(({ text }, index) => (text.startsWith('scenario ') ? [index] : []));
  const [first] = meaningful;
  if (first === undefined) throw new ScenarioError(file, 1, '', 'the file holds no scenario');
  if (starts[0] !== 0) throw new ScenarioError(file, first.number, first.text, 'a scenario begins with "scenario" and a sentence');
  return starts.map((start, index) => parseOne(file, meaningful.slice(start, starts[index + 1])));
}

function parseOne(file: string, [heading, ...body]: readonly Line[]): Scenario {
  if (heading === undefined) throw new ScenarioError(file, 1, '', 'the scenario is empty');
  const title = heading.text.slice('scenario '.length).trim();
  if (body.length === 0) throw new ScenarioError(file, heading.number, heading.text, 'the scenario has no steps');
  const timed = timedSteps(file, unrolled(file, body));
  const steps = timed.flatMap(({ atMs, step }, index) => atMs.map((ms) => ({ ms, index, step: step(ms) })));
  return { file, title, steps: steps.toSorted((a, b) => a.ms - b.ms || a.index - b.index).map(({ step }) => step) };
}

/** Writes the lines between `repeat … times` and `end` out as often as they say. */
function unrolled(file: string, lines: readonly Line[]): readonly Line[] {
  const result: Line[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const times = REPEAT.exec(line.text.trim())?.[1];
    if (times === undefined) {
      if (line.text.trim() === 'end') throw new ScenarioError(file, line.number, line.text, '"end" without a "repeat … times" above it');
      result.push(line);
      continue;
    }
    const end = lines.findIndex(({ text }, at) => at > index && text.trim() === 'end');
    if (end < 0) throw new ScenarioError(file, line.number, line.text, '"repeat" without an "end" below it');
    const block = lines.slice(index + 1, end);
    result.push(...Array.from({ length: Number(times) }, () => block).flat());
    index = end;
  }
  return result;
}

function timedSteps(file: string, lines: readonly Line[]): readonly Timed[] {
  let tenant = 'default';
  let nowMs = 0;
  let latestMs = 0;
  const steps: Timed[] = [];
  for (const { number, text } of lines) {
    const [left = '', right] = text.split(ARROW);
    const words = new Words(file, number, text, left);
    const placed = { line: number, text, tenant };
    if (words.takeIf('tenant')) {
      tenant = words.take('the name of a tenant');
      words.end();
    } else if (words.takeIf('at')) {
      const atMs = momentsOf(words);
      if (atMs[0]! < nowMs) throw words.error('time does not run backwards: the line above happens later');
      nowMs = atMs[0]!;
      latestMs = Math.max(latestMs, ...atMs);
      const command = parseCommand(words);
      const expected = right === undefined ? null : parseExpected(new Words(file, number, text, right));
      steps.push({ atMs, step: (ms): CommandStep => ({ ...placed, kind: 'command', atMs: ms, command, expected }) });
    } else {
      const check = parseCheck(words, text, file, number);
      const atMs = latestMs;
      steps.push({ atMs: [atMs], step: (ms): CheckStep => ({ ...placed, kind: 'check', atMs: ms, ...check }) });
      nowMs = latestMs;
    }
  }
  return steps;
}

/** `at 10s`, or `at 10s every 10s until 590s`. */
function momentsOf(words: Words): readonly number[] {
  const firstMs = words.duration('the time after "at"');
  if (!words.takeIf('every')) return [firstMs];
  const everyMs = words.duration('the time after "every"');
  words.require('until');
  const lastMs = words.duration('the time after "until"');
  if (everyMs <= 0 || lastMs < firstMs) throw words.error('"every … until …" must go forward');
  return Array.from({ length: Math.floor((lastMs - firstMs) / everyMs) + 1 }, (_, index) => firstMs + index * everyMs);
}

function parseCommand(words: Words): Command {
  const verb = words.take('a verb');
  const grammar = VERBS[verb];
  if (grammar === undefined) throw words.error(`unknown verb "${verb}"; known are ${Object.keys(VERBS).join(', ')}`);
  const { subjects, holders } = parseSubject(words, grammar.subject);
  const options = new Map<string, Value>();
  const lists = new Map<string, readonly string[]>();
  let completing: readonly Holder[] = holders;
  while (!words.isEmpty) {
    const name = words.take('an option');
    const kind = grammar.options[name];
    if (kind === undefined) throw words.error(`unknown option "${name}" of ${verb}; known are ${Object.keys(grammar.options).join(', ') || 'none'}`);
    if (options.has(name) || lists.has(name)) throw words.error(`option "${name}" stands twice`);
    if (kind === 'list') lists.set(name, words.list(`a value of "${name}"`));
    else if (kind === 'holders') completing = parseHolders(words);
    else if (kind === 'start') options.set(startWord(words), words.duration('the time of "start"'));
    else options.set(name, words.value(kind, `the value of "${name}"`));
  }
  return { verb, subjects, holders: completing, options, lists };
}

function startWord(words: Words): string {
  const word = words.take('"in" or "at"');
  if (word !== 'in' && word !== 'at') throw words.error(`"start" goes on with "in" or "at", found "${word}"`);
  return `start ${word}`;
}

function parseSubject(words: Words, kind: SubjectKind): { readonly subjects: readonly string[]; readonly holders: readonly Holder[] } {
  switch (kind) {
    case 'none':
      return { subjects: [], holders: [] };
    case 'queue':
      return { subjects: [words.take('the name of a queue')], holders: [] };
    case 'new jobs':
      if (!words.takeIf('job')) words.require('jobs');
      return { subjects: words.labels('the name of a job'), holders: [] };
    case 'job or all':
      return { subjects: words.takeIf('all') ? [] : words.labels('the name of a job, or "all",'), holders: [] };
    case 'holders':
      return { subjects: [], holders: parseHolders(words) };
    default:
      return kind satisfies never;
  }
}

function parseHolders(words: Words): readonly Holder[] {
  const holders: Holder[] = [];
  do {
    const [label = '', ...more] = words.labels('the name of a job');
    if (more.length > 0) throw words.error('each job needs a token of its own');
    words.require('with');
    const token = words.next?.startsWith('"') === true ? { text: words.quoted('a token') } : { name: words.take('the name of a token') };
    holders.push({ label, token });
  } while (words.takeIf(','));
  return holders;
}

function parseExpected(words: Words): readonly Expected[] {
  const items: Expected[] = [];
  do {
    const isLabel = /^[A-Z]/.test(words.next ?? '') && FAILURE_NAMES[words.next ?? ''] === undefined;
    const labels = isLabel ? words.labels('the name of a job') : [null];
    const facts = parseFacts(words);
    items.push(...labels.map((label) => ({ label, facts })));
  } while (words.takeIf(';'));
  words.end();
  return items;
}

function parseFacts(words: Words): Values {
  const facts = new Map<string, Value>();
  while (!words.isEmpty && words.next !== ';') {
    const name = words.take('a fact');
    const failure = FAILURE_NAMES[name];
    const kind = FACTS[name];
    if (failure !== undefined) {
      facts.set('failure', failure);
      if (failure === 'LEASE_LOST' && /^[A-Z_|]+$/.test(words.next ?? '')) facts.set('because', words.take('a reason'));
    } else if (STATE_WORDS.includes(name) && !facts.has('state')) facts.set('state', name);
    else if (kind === undefined)
      throw words.error(`unknown fact "${name}"; known are ${[...STATE_WORDS, ...Object.keys(FACTS), ...Object.keys(FAILURE_NAMES)].join(', ')}`);
    else facts.set(name, words.value(kind, `the value of "${name}"`));
  }
  return facts;
}

function parseCheck(words: Words, text: string, file: string, line: number): Pick<CheckStep, 'check' | 'subjects' | 'words' | 'facts'> {
  const [head = '', ...rest] = text.split(':');
  const headWords = new Words(file, line, text, head);
  const check = headWords.take('"at", or the name of a check,');
  const kind = CHECKS[check];
  if (kind === undefined)
    throw words.error(`a line begins with "at", "tenant", "repeat", or one of the checks ${Object.keys(CHECKS).join(', ')}; found "${check}"`);
  if (rest.length === 0) throw words.error(`"${check}" needs a colon and what is expected`);
  const subjects: string[] = [];
  while (headWords.next !== null) subjects.push(headWords.take('a name'));
  const tail = new Words(file, line, text, rest.join(':'));
  if (kind === 'facts') {
    const facts = parseFacts(tail);
    tail.end();
    return { check, subjects, words: [], facts };
  }
  const expected: string[] = [];
  while (tail.next !== null) expected.push(tail.take('a word'));
  return { check, subjects, words: expected, facts: new Map() };
}
