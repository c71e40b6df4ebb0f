/** A job's state: a shape and a word, never the colour alone. */
import type { JobState } from '../../client/index.ts';

export const STATE_MARKS: Readonly<Record<JobState, { readonly mark: string; readonly word: string; readonly tone: string }>> = {
  QUEUED: { mark: '○', word: 'queued', tone: 'queued' },
  RUNNING: { mark: '▶', word: 'running', tone: 'running' },
  RETRY: { mark: '↻', word: 'retry', tone: 'retry' },
  COMPLETED: { mark: '✓', word: 'completed', tone: 'completed' },
  DEAD: { mark: '✕', word: 'dead', tone: 'dead' },
  CANCELLED: { mark: '⊘', word: 'cancelled', tone: 'cancelled' },
};

export function StateBadge({ state }: { readonly state: JobState }) {
  const { mark, word, tone } = STATE_MARKS[state];
  return (
    <span class="badge" data-state={tone}>
      <span class="badge-mark" aria-hidden="true">
        {mark}
      </span>
      {word}
    </span>
  );
}
