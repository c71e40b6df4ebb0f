/** What the client library throws, as the end of a command. */
import { LeaseQueueError } from '../client/errors.ts';
import { EXIT_OF_CODE } from './answer-codes.ts';
import { CommandFailure, EXIT } from './failure.ts';

/** The CommandFailure for an error of the client library; any other error as it is. */
export function explainedFailure(error: unknown): unknown {
  if (!(error instanceof LeaseQueueError)) return error;
  const exitCode = error.isOutcomeUnknown ? EXIT.outcomeUnknown : EXIT_OF_CODE[error.code];
  const places = error.issues.map(({ path, message }) => `\n${path.join('.')}: ${message}`).join('');
  const request = error.requestId === null ? '' : ` The server's log has it as ${error.requestId}.`;
  return new CommandFailure(`${error.message}${request}${places}`, exitCode, { cause: error });
}
