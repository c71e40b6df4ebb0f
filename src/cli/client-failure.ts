/** What the client library throws, as the end of a command. */
import { LeaseQueueError } from '../client/errors.ts';
import { EXIT_OF_CODE } from './answer-codes.ts';
import { CommandFailure, EXIT } from './failure.ts';

/** The CommandFailure for an error of the client library; any other error as it is. */
export function explainedFailure(error: unknown): unknown {
  if (!(error instanceof LeaseQueueError)) return error;
  const exitCode = error.isOutcomeUnknown ? EXIT.outcomeUnknown : EXIT_OF_CODE[error.code];
  const places = error.issues
    .map(({ path, message }) => `\n${path.join('.')}: ${message}`)
    // One that is the only one stands in the message already.
    .filter((_place, _index, all) => all.length > 1 || !error.message.includes(error.issues[0]?.message ?? ''))
    .join('');
  const request = error.requestId === null ? '' : ` The server's log has it as ${error.requestId}.`;
  return new CommandFailure(`${error.message}${request}${places}${otherJob(error)}`, exitCode, { cause: error });
}

/** Of a key that was used for another submission: which, and what is different. */
function otherJob({ code, details }: LeaseQueueError): string {
  if (code !== 'IDEMPOTENCY_CONFLICT') return '';
  const { existingJob, differingFields = [] } = details as { readonly existingJob?: { readonly id: string }; readonly differingFields?: readonly string[] };
  return existingJob === undefined ? '' : `\nThe key belongs to job ${existingJob.id}, which differs in: ${differingFields.join(', ')}.`;
}
