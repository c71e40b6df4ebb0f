/** A job's state. */
import type { JobState } from '../../client/index.ts';
import { type Marked, MarkedWord } from './marked-word.tsx';

export const STATE_MARKS: Readonly<Record<JobState, Marked>> = {
  QUEUED: { mark: '○', word: 'queued', tone: 'queued' },
  RUNNING: { mark: '▶', word: 'running', tone: 'running' },
  RETRY: { mark: '↻', word: 'retry', tone: 'retry' },
  COMPLETED: { mark: '✓', word: 'completed', tone: 'completed' },
  DEAD: { mark: '✕', word: 'dead', tone: 'dead' },
  CANCELLED: { mark: '⊘', word: 'cancelled', tone: 'cancelled' },
};

export function StateBadge({ state }: { readonly state: JobState }) {
  return <MarkedWord {...STATE_MARKS[state]} />;
}
