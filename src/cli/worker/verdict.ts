/** What becomes of a job by the way its program ended. */
import { parseJson } from '../../domain/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { NonRetryable, Snooze } from '../../worker/outcomes.ts';
import type { ProgramEnd } from './program.ts';

/** Of sysexits.h, by which programs say more than yes and no. */
const EXIT_BAD_INPUT = 65;
const EXIT_NOT_NOW = 75;

/**
 * The result of the job, or what its handler has to throw. `snoozeMs`: for how long a job is put off by a program that
 * cannot do it now.
 */
export function resultOf(end: ProgramEnd, snoozeMs: number): unknown {
  const { exitCode, signal, isTooLong, output, said } = end;
  if (isTooLong) {
    const message = `The program wrote more than ${LIMITS.resultBytesMax} bytes to standard output, which is the limit of a result. It was ended.`;
    throw named('ResultTooLarge', new NonRetryable(message));
  }
  if (signal !== null) throw named(signal, new Error(withReason(`The program was ended by ${signal}.`, said)));
  if (exitCode === 0) return resultFrom(output);
  if (exitCode === EXIT_NOT_NOW) throw new Snooze(snoozeMs);
  const message = said === '' ? `The program ended with exit code ${exitCode} and said nothing on standard error.` : said;
  throw named(`ExitCode${exitCode}`, exitCode === EXIT_BAD_INPUT ? new NonRetryable(message) : new Error(message));
}

/** Nothing is null, JSON is itself, and any other text is a string. */
function resultFrom(output: string): unknown {
  if (output.trim() === '') return null;
  try {
    return parseJson(output);
  } catch {
    return output.replace(/\r?\n$/, '');
  }
}

function withReason(message: string, said: string): string {
  return said === '' ? message : `${message}\n${said}`;
}

/** The stack is the worker's own, which says nothing about the program. */
function named<Fault extends Error>(name: string, error: Fault): Fault {
  error.name = name;
  delete error.stack;
  return error;
}
