/** Inputs of more than one role: when a job may start, and which words describe the limits that they share. */
import { LIMITS } from '../domain/limits.ts';
import { builder } from './builder.ts';

/** The words of limits that stand in several descriptions. */
export const WORDS = {
  name: `1 to ${LIMITS.nameCharactersMax} characters: a letter or digit, then letters, digits, \`.\`, \`_\`, \`:\` and \`-\`.`,
  priority: `${LIMITS.priorityMin} to ${LIMITS.priorityMax}, higher first.`,
  maxAttempts: `${LIMITS.maxAttemptsMin} to ${LIMITS.maxAttemptsMax}.`,
  retryBaseSeconds: `${LIMITS.retryBaseSecondsMin} to ${LIMITS.retryBaseSecondsMax}.`,
  retryMaxSeconds: `${LIMITS.retryMaxSecondsMin} to ${LIMITS.retryMaxSecondsMax}, and not below \`retryBaseSeconds\`.`,
  leaseSeconds: `${LIMITS.leaseSecondsMin} to ${LIMITS.leaseSecondsMax}.`,
  afterSeconds: `0 to ${LIMITS.afterSecondsMax}.`,
  reason: `Why, for people; up to ${LIMITS.reasonCharactersMax} characters.`,
  payload: `At most ${LIMITS.payloadBytesMax} bytes as JSON without spaces, ${LIMITS.jsonDepthMax} levels deep. More bytes are PAYLOAD_TOO_LARGE.`,
  leaseToken: 'The token that the claim answered. Any text is taken; whatever is not the current token answers LeaseLost.',
  jobId: 'The job. An unknown id answers JobNotFound.',
} as const;

export const StartInput = builder.inputType('StartInput', {
  description: 'When the job may first run. Absent: at once.',
  isOneOf: true,
  fields: (t) => ({
    at: t.field({ type: 'DateTime', description: `At this instant, at most ${LIMITS.startAheadSecondsMax} seconds ahead. A past instant means now.` }),
    inSeconds: t.int({ description: `This many seconds from now, 0 to ${LIMITS.startAheadSecondsMax}.` }),
  }),
});
