/** Object types that mention each other, by name; their fields stand elsewhere. */
import type { Job } from '../domain/job.ts';
import type { Queue, QueueStats } from '../store/answers.ts';
import type { JobFilter } from '../store/requests.ts';
import { builder } from './builder.ts';
import type { Connection } from './pages.ts';

/** A job as a field shows it. A claim hands its job over with the payload, whatever the key may read otherwise. */
export interface ShownJob extends Job {
  readonly isClaimed?: true;
}
export const JobRef = builder.objectRef<ShownJob>('Job');

/** A queue as a field shows it: the live fields have read its figures already, to see whether they changed. */
export interface ShownQueue extends Queue {
  readonly figures?: QueueStats;
}
export const QueueRef = builder.objectRef<ShownQueue>('Queue');

/** A page of jobs, with what its count needs. */
export interface JobConnection extends Connection<Job> {
  readonly filter: JobFilter;
  readonly lookThroughMax: number;
  readonly lookedThrough: number | null;
  readonly isCutShort: boolean;
}
export const JobConnectionRef = builder.objectRef<JobConnection>('JobConnection');
