/** One attempt of a job: who worked on it, for how long beside the others, and what came of it. */
import type { AttemptFieldsFragment, AttemptOutcome } from '../../../client/index.ts';
import { nowMs } from '../../api/time.ts';
import { Ago, At } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { span } from '../../parts/words.ts';
import { lastedMs } from './entries.ts';
import { ErrorText } from './error-text.tsx';

/** The words, and the state whose colour they have. */
const OUTCOMES: Readonly<Record<AttemptOutcome, readonly [words: string, mark: string, tone: string]>> = {
  RUNNING: ['running', '▶', 'running'],
  COMPLETED: ['completed', '✓', 'completed'],
  FAILED: ['failed', '✕', 'dead'],
  LEASE_EXPIRED: ['lease ran out', '✕', 'dead'],
  RELEASED: ['handed back', '↩', 'queued'],
  REVOKED: ['lease taken away', '⊘', 'cancelled'],
  CANCELLED: ['given up: cancelled', '⊘', 'cancelled'],
};

interface AttemptLineProps {
  readonly attempt: AttemptFieldsFragment;
  /** What a whole bar stands for. */
  readonly longestMs: number;
}

export function AttemptLine({ attempt, longestMs }: AttemptLineProps) {
  const { number, fence, workerId, startedAt, outcome, error, lastHeartbeatAt, finishedAt } = attempt;
  const [words, mark, tone] = OUTCOMES[outcome];
  const tookMs = lastedMs(attempt, finishedAt === null ? nowMs.value : 0);
  return (
    <li data-state={tone} class="timeline-attempt">
      <At at={startedAt} />
      <span class="timeline-mark" aria-hidden="true" />
      <div class="timeline-words">
        <span class="timeline-what" title={`Fencing token ${fence}`}>{`attempt ${number}`}</span>
        <span class="by-name">
          by <Name text={workerId} isCode />
        </span>
        {finishedAt === null && lastHeartbeatAt !== null ? (
          <span class="muted">
            heartbeat <Ago at={lastHeartbeatAt} />
          </span>
        ) : null}
        <span class="attempt-room">
          <span class="attempt-track" aria-hidden="true">
            <span class="attempt-bar" style={{ inlineSize: `${(longestMs === 0 ? 0 : Math.min(1, tookMs / longestMs)) * 100}%` }} />
          </span>
          <span class="attempt-outcome">
            <span aria-hidden="true">{mark}</span> {words}
          </span>
          <span class="attempt-took">{span(finishedAt === null ? Math.floor(tookMs / 1_000) : tookMs / 1_000)}</span>
        </span>
        {error === null ? null : <ErrorText error={error} />}
      </div>
    </li>
  );
}
