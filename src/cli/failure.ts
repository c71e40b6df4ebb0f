/** How a command ends: its exit codes, and the error that carries one. */

export const EXIT = {
  done: 0,
  failed: 1,
  /** Wrong usage; the help is on standard error. */
  usage: 2,
  notFound: 3,
  /** What is there already stands against it. */
  conflict: 5,
  outcomeUnknown: 6,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command. The message is for the person who called it: what is wrong, and what to do. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}
