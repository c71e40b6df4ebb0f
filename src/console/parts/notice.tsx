/** What went wrong, whether anything changed, and what to do; and plainer words of the same kind. */
import type { ComponentChildren } from 'preact';
import type { LeaseQueueError } from '../../client/index.ts';
import { Button } from './button.tsx';

type Tone = 'info' | 'good' | 'warn' | 'bad';
const MARKS: Readonly<Record<Tone, string>> = { info: 'ℹ', good: '✓', warn: '!', bad: '✕' };

export function Notice({ tone = 'info', title, children }: { readonly tone?: Tone; readonly title: ComponentChildren; readonly children?: ComponentChildren }) {
  return (
    <div class="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <span class="notice-mark" aria-hidden="true">
        {MARKS[tone]}
      </span>
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  UNREACHABLE: 'Check that the server runs and that this browser reaches it.',
  FORBIDDEN: 'Sign in with a key that may do this, or ask whoever manages the keys.',
  RATE_LIMITED: 'The tenant has asked for too much at once. Wait a moment and try again.',
  SERVICE_UNAVAILABLE: 'The server cannot use its database at the moment. Try again shortly.',
  INTERNAL_SERVER_ERROR: "The server's log has more, under the reference below.",
};

interface TroubleProps {
  readonly error: LeaseQueueError;
  /** What failed: "Loading the jobs". */
  readonly what: string;
  /** True where a change was asked for: then it matters whether it happened. */
  readonly isChange?: boolean;
  readonly onRetry?: (() => void) | undefined;
}

export function Trouble({ error, what, isChange = false, onRetry }: TroubleProps) {
  const { message, issues, requestId, isOutcomeUnknown, code } = error;
  const advice = ADVICE[code];
  return (
    <Notice tone="bad" title={`${what} failed.`}>
      <p>
        <bdi>{message}</bdi>
        {isChange ? ` ${isOutcomeUnknown ? 'Whether anything changed is not known: look again before you repeat it.' : 'Nothing was changed.'}` : ''}
      </p>
      {issues.length === 0 ? null : (
        <ul>
          {issues.map(({ path, message: reason }) => (
            <li key={path.join('.')}>
              <bdi class="code">{path.join('.')}</bdi> {reason}
            </li>
          ))}
        </ul>
      )}
      {advice === undefined ? null : <p>{advice}</p>}
      {requestId === null ? null : (
        <p>
          Reference <span class="code">{requestId}</span>
        </p>
      )}
      {onRetry === undefined ? null : <Button onPress={onRetry}>Try again</Button>}
    </Notice>
  );
}

/** Nothing is here, why, and the next step. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
