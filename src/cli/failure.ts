/** How a command ends: its exit codes, and the error that carries one. */

export const EXIT = {
  done: 0,
  failed: 1,
  /** Wrong usage; the help is on standard error. */
  usage: 2,
  notFound: 3,
  /** Not signed in, or not allowed. */
  denied: 4,
  /** What is there already stands against it. */
  conflict: 5,
  /** Also where the server was not reached. */
  outcomeUnknown: 6,
  endedBadly: 7,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Every exit code, for the documentation. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'Done. Also a submission that met the job of an earlier one.',
  failed: 'Failed, for a reason that standard error names.',
  usage: 'Wrong usage, as the command or the server sees it. Nothing was changed.',
  notFound: 'There is no such job, queue, tenant, key or context.',
  denied: 'Not signed in, or the key may not do this.',
  conflict: 'What is there already stands against it: a stale lease, a wrong state, a name that is taken, a key used for another submission.',
  outcomeUnknown: 'The server was not reached, or the outcome is unknown. It is safe to repeat the command.',
  endedBadly: 'What was waited for ended badly, such as a job that is dead.',
  interrupted: 'Interrupted (SIGINT).',
  terminated: 'Terminated (SIGTERM).',
};

/** Ends the command. The message is for the person who called it: what is wrong, and what to do. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}
