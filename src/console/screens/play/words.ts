/** What the server's answers to a worker mean, in words. */
import type { IdleReason, LeaseLostReason } from '../../../client/index.ts';

export const IDLE_WORDS: Readonly<Record<IdleReason, string>> = {
  NO_READY_JOB: 'No job of these queues is due.',
  PAUSED: 'A queue of these is paused, and no other one has a job that is due.',
  SHUTTING_DOWN: 'The server is stopping: ask again in a moment.',
};

export const LOST_WORDS: Readonly<Record<LeaseLostReason, string>> = {
  EXPIRED:
    'The lease ran out before the answer came. The server takes it back within a second: the job is tried again by whoever asks next, or is dead where no attempt was left.',
  FINISHED: 'The lease has ended already: the job was settled or handed back with it.',
  REVOKED: 'An operator cancelled the job with force and took the lease away.',
  SUPERSEDED: 'The lease ran out, and another worker has claimed the job since. It is theirs now.',
  UNKNOWN_TOKEN: 'The server does not know this lease: its database may have been restored.',
};
