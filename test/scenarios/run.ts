/** Runs a scenario on a driver. The first thing that is not as written ends it, with the line and what was found. */
import { type JobEvent, replay } from '../../src/domain/events.ts';
import { JOB_STATES } from '../../src/domain/job.ts';
import type { EventView, QueueDriver } from '../conformance/driver.ts';
import { T0_MS } from '../support/manual-clock.ts';
import { tenant } from '../support/tenants.ts';
import { eventFacts, jobFacts, type Observed } from './observed.ts';
import { type Names, perform } from './perform.ts';
import { type CheckStep, type CommandStep, type Expected, type Holder, type Scenario, ScenarioError, type Step, type Values } from './scenario.ts';

/** A job that nobody has submitted, for scenarios that ask for one. */
const UNKNOWN = { label: 'Unknown', id: '019c0000-0000-7000-8000-ffffffffffff' };

export async function runScenario(scenario: Scenario, driver: QueueDriver): Promise<void> {
  const run = new Run(scenario.file, driver);
  for (const step of scenario.steps) await run.step(step);
  await run.checkAllJobs(scenario.steps.at(-1));
}

class Run implements Names {
  readonly #file: string;
  readonly #driver: QueueDriver;
  readonly #ids = new Map<string, { readonly id: string; readonly tenant: string }>();
  readonly #tokens = new Map<string, string>();

  constructor(file: string, driver: QueueDriver) {
    this.#file = file;
    this.#driver = driver;
  }

  jobId(label: string): string {
    const id = label === UNKNOWN.label ? UNKNOWN.id : this.#ids.get(label)?.id;
    if (id === undefined) throw new Error(`no job is called ${label}`);
    return id;
  }

  token({ token }: Holder): string {
    const text = 'text' in token ? token.text : this.#tokens.get(token.name);
    if (text === undefined) throw new Error(`no claim above shows a token called ${'name' in token ? token.name : ''}`);
    return text;
  }

  async step(step: Step): Promise<void> {
    this.#driver.clock.set(T0_MS + step.atMs);
    try {
      await (step.kind === 'command' ? this.#command(step) : this.#check(step));
    } catch (error) {
      if (error instanceof ScenarioError) throw error;
      throw this.#error(step, error instanceof Error ? error.message : String(error));
    }
  }

  /** Whatever the scenario asked for: a job's row equals the replay of its events, and a lease is there while it runs. */
  async checkAllJobs(last: Step | undefined): Promise<void> {
    if (last === undefined) return;
    for (const [label, { id, tenant: owner }] of this.#ids) {
      const job = await this.#driver.job(tenant(owner), id);
      const events = await this.#driver.events(tenant(owner), id);
      if (job === null) {
        if (events.some(({ kind }) => kind !== 'PURGED')) throw this.#error(last, `${label} is gone, and its events are still there`);
        continue;
      }
      if ((job.lease !== null) !== (job.state === 'running'))
        throw this.#error(last, `${label} is ${job.state} and ${job.lease === null ? 'has no' : 'has a'} lease`);
      const { state, attempt, fence, priority, maxAttempts, runAtMs, isCancelRequested } = job;
      const row = { state, attempt, fence, priority, maxAttempts, runAtMs, cancelRequested: isCancelRequested };
      const told = replay(events.map(placed));
      if (JSON.stringify(told) !== JSON.stringify(row)) throw this.#error(last, `${label} is ${JSON.stringify(row)}, its events say ${JSON.stringify(told)}`);
    }
  }

  async #command(step: CommandStep): Promise<void> {
    const { command, expected } = step;
    const answers = await perform({ driver: this.#driver, tenant: tenant(step.tenant), names: this, command });
    if (command.verb === 'submit') this.#name(step, answers);
    if (expected === null) return;
    if (expected.length !== answers.length) {
      const isOneForAll = expected.length === 1 && expected[0]?.label === null;
      if (!isOneForAll)
        throw this.#error(step, `expected ${expected.length} answers, got ${answers.length}: ${answers.map((answer) => this.#told(answer)).join('; ')}`);
    }
    answers.forEach((answer, index) => this.#compare(step, expected[index] ?? expected[0]!, answer));
  }

  /** Gives new jobs their names; a submission that was refused names nothing. */
  #name({ command, tenant: owner }: CommandStep, answers: readonly Observed[]): void {
    command.subjects.forEach((label, index) => {
      const answer = answers[index];
      if (answer === undefined || answer.jobId === null || answer.facts.has('failure')) return;
      this.#ids.set(label, { id: answer.jobId, tenant: owner });
    });
  }

  #compare(step: Step, expected: Expected, answer: Observed): void {
    if (expected.label !== null && this.jobId(expected.label) !== answer.jobId) {
      throw this.#error(step, `expected ${expected.label}, got ${this.#told(answer)}`);
    }
    for (const [name, value] of expected.facts) {
      if (name === 'token') {
        if (answer.leaseToken === null) throw this.#error(step, `expected a token, got ${this.#told(answer)}`);
        this.#tokens.set(String(value), answer.leaseToken);
      } else if (!isOneOf(answer.facts.get(name), value)) {
        throw this.#error(step, `expected ${name} ${value}, got ${this.#told(answer)}`);
      }
    }
    const unexpected = answer.exact.find((flag) => answer.facts.has(flag) && !expected.facts.has(flag));
    if (unexpected !== undefined) throw this.#error(step, `did not expect "${unexpected}": ${this.#told(answer)}`);
    if (answer.facts.has('failure') && !expected.facts.has('failure')) throw this.#error(step, `expected no failure, got ${this.#told(answer)}`);
  }

  async #check(step: CheckStep): Promise<void> {
    const owner = tenant(step.tenant);
    const subject = step.subjects[0] ?? '';
    switch (step.check) {
      case 'job': {
        const job = await this.#driver.job(owner, this.jobId(subject));
        const facts: Values = job === null ? new Map([['state', 'gone']]) : jobFacts(job);
        this.#compare(step, { label: null, facts: step.facts }, { jobId: null, facts, exact: [], leaseToken: null });
        return;
      }
      case 'detail': {
        const kind = step.subjects[1];
        const event = (await this.#driver.events(owner, this.jobId(subject))).findLast((found) => found.kind === kind);
        if (event === undefined) throw this.#error(step, `${subject} has no event ${kind}`);
        this.#compare(step, { label: null, facts: step.facts }, { jobId: null, facts: eventFacts(event), exact: [], leaseToken: null });
        return;
      }
      case 'events': {
        const kinds = (await this.#driver.events(owner, this.jobId(subject))).map(({ kind }) => kind);
        this.#same(step, step.words.join(' '), kinds.join(' '));
        return;
      }
      case 'attempts': {
        const attempts = await this.#driver.attempts(owner, this.jobId(subject));
        this.#same(step, step.words.join(' '), attempts.map(({ number, outcome }) => `${number}:${outcome}`).join(' '));
        return;
      }
      case 'counts': {
        const { counts } = await this.#driver.stats(owner, subject);
        const found = JOB_STATES.filter((state) => counts[state] !== 0).flatMap((state) => [state, counts[state]]);
        this.#same(step, step.words.join(' '), found.join(' ') || 'none');
        return;
      }
      case 'ready': {
        const { ready, delayed, oldestReadySeconds } = await this.#driver.stats(owner, subject);
        this.#same(step, step.words.join(' '), `${ready} delayed ${delayed} oldest ${oldestReadySeconds === null ? 'none' : `${oldestReadySeconds}s`}`);
        return;
      }
      case 'tokens': {
        const tokens = step.words.map((name) => this.token({ label: '', token: { name } }));
        if (subject !== 'differ') throw this.#error(step, 'tokens can be said to "differ"');
        if (new Set(tokens).size !== tokens.length) throw this.#error(step, 'two of the tokens are the same');
        return;
      }
      default:
        throw this.#error(step, `nothing checks "${step.check}"`);
    }
  }

  #same(step: Step, expected: string, found: string): void {
    if (expected !== found) throw this.#error(step, `expected "${expected}", got "${found}"`);
  }

  #told({ jobId, facts }: Observed): string {
    const label = [...this.#ids].find(([, { id }]) => id === jobId)?.[0];
    return [label, ...[...facts].map(([name, value]) => (value === true ? name : `${name} ${value}`))].filter((word) => word !== undefined).join(' ');
  }

  #error(step: Step, message: string): ScenarioError {
    return new ScenarioError(this.#file, step.line, step.text, `at ${step.atMs / 1000}s: ${message}`);
  }
}

function isOneOf(found: unknown, expected: string | number | true): boolean {
  return typeof expected === 'string' && typeof found === 'string' && /^[A-Z_|]+$/.test(expected) ? expected.split('|').includes(found) : found === expected;
}

function placed(event: EventView): JobEvent {
  return { seq: 0, jobId: '', queue: '', task: '', actor: null, ...event };
}
