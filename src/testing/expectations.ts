/** What a test expects to have been submitted, and what it is told where that is not so. */
import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';
import { holds, relevantPart } from './partial-match.ts';
import type { TestJob } from './runner.ts';

/** How many of the jobs that do not fit are shown. */
const SHOWN_MAX = 10;

/** The latest of the task's jobs whose payload holds what is expected. Throws an AssertionError where there is none. */
export function submittedJob(task: string, jobs: readonly TestJob[], expected: object): TestJob {
  const found = jobs.findLast(({ payload }) => holds(payload, expected));
  if (found !== undefined) return found;
  const payloads = jobs.map(({ payload }) => payload);
  const actual = payloads.map((payload) => relevantPart(payload, expected));
  throw new AssertionError({
    message: `${jobs.length === 0 ? `No job of ${task} was submitted.` : `No job of ${task} was submitted with this payload.`}\n\n${difference(expected, payloads)}`,
    actual: actual.length === 1 ? actual[0] : actual,
    expected: actual.length === 1 ? expected : [expected],
    operator: 'expectSubmitted',
  });
}

/** Throws an AssertionError where there is one. `what`: of which task, for the message. */
export function noJob(what: string, jobs: readonly TestJob[]): void {
  if (jobs.length === 0) return;
  const lines = jobs.slice(0, SHOWN_MAX).map(({ task, payload }) => `  ${task} ${shown(payload)}`);
  throw new AssertionError({
    message: `${jobs.length === 1 ? 'A job was' : `${jobs.length} jobs were`} submitted where none${what} was expected:\n\n${lines.join('\n')}${more(jobs)}`,
    actual: jobs.map(({ task, payload }) => ({ task, payload })),
    expected: [],
    operator: 'expectNothingSubmitted',
  });
}

function difference(expected: object, payloads: readonly unknown[]): string {
  const lines = payloads.slice(0, SHOWN_MAX).map((payload) => `  submitted: ${shown(payload)}`);
  return [`  expected:  ${shown(expected)}`, ...lines].join('\n') + more(payloads);
}

function more(list: readonly unknown[]): string {
  return list.length > SHOWN_MAX ? `\n  … and ${list.length - SHOWN_MAX} more` : '';
}

function shown(value: unknown): string {
  return inspect(value, { depth: 8, breakLength: Number.POSITIVE_INFINITY, compact: true });
}
