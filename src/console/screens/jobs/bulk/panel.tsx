/** A run through many jobs: how far it is, how to stop it, and what it left alone. */
import { Button } from '../../../parts/button.tsx';
import { Trouble } from '../../../parts/notice.tsx';
import { Panel } from '../../../parts/screen.tsx';
import { count, counted } from '../../../parts/words.ts';
import { Link } from '../../../route/link.tsx';
import { ShortId } from '../../../parts/name.tsx';
import { DEED_WORDS } from './deeds.ts';
import type { BulkRun, RunProgress } from './run.ts';

export function RunPanel({ run, onClose }: { readonly run: BulkRun; readonly onClose: () => void }) {
  const progress = run.progress.value;
  return (
    <Panel title={`${DEED_WORDS[run.order.deed].doing} jobs`} aside={<RunButtons run={run} status={progress.status} onClose={onClose} />}>
      <div class="stack">
        <RunBar progress={progress} />
        <p class="jobs-run-figures">
          <span>{`${count(progress.changed)} done`}</span>
          <span>{`${count(progress.skipped)} skipped`}</span>
          <span>{leftWords(progress)}</span>
        </p>
        <p role="status">{run.isUnderWay.value ? '' : endWords(run, progress)}</p>
        {progress.error === null ? null : <Trouble error={progress.error} what="A batch" isChange />}
        <Skipped samples={progress.samples} skipped={progress.skipped} />
      </div>
    </Panel>
  );
}

function RunButtons({ run, status, onClose }: { readonly run: BulkRun; readonly status: RunProgress['status']; readonly onClose: () => void }) {
  if (status === 'running' || status === 'stopping')
    return (
      <Button onPress={() => run.stop()} isDisabled={status === 'stopping'}>
        {status === 'stopping' ? 'Stopping…' : 'Stop'}
      </Button>
    );
  return (
    <span class="actions">
      {status === 'done' ? null : <Button onPress={() => void run.go()}>Go on</Button>}
      <Button onPress={onClose}>Close</Button>
    </span>
  );
}

function RunBar({ progress: { changed, skipped, left, status } }: { readonly progress: RunProgress }) {
  const past = changed + skipped;
  return (
    <progress
      class="jobs-run-bar"
      aria-label="Share of the jobs that is done"
      max={Math.max(1, past + (status === 'done' ? 0 : left.value))}
      value={status === 'done' ? Math.max(1, past) : past}
    />
  );
}

function leftWords({ left: { value, exact }, status }: RunProgress): string {
  if (status === 'done') return '0 left';
  return `${exact ? '' : 'at least '}${count(value)} left`;
}

function endWords({ order }: BulkRun, { status, changed }: RunProgress): string {
  const did = `${DEED_WORDS[order.deed].done} ${counted(changed, 'job')}`;
  switch (status) {
    case 'done':
      return `${did}.`;
    case 'stuck':
      return `${did}. The others cannot be changed now: see below why. Go on when there is room for them.`;
    case 'failed':
      return `${did}, then a batch failed. Going on repeats nothing that is done.`;
    default:
      return `${did}, then it was stopped. The others are as they were.`;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  INVALID_TRANSITION: 'changed its state meanwhile',
  JOB_NOT_FOUND: 'is gone',
  QUOTA_EXCEEDED: 'has no room in the quota of the tenant',
};

function Skipped({ samples, skipped }: { readonly samples: RunProgress['samples']; readonly skipped: number }) {
  if (skipped === 0) return null;
  return (
    <details>
      <summary>{`Why ${counted(skipped, 'job')} ${skipped === 1 ? 'was' : 'were'} skipped`}</summary>
      <ul class="jobs-skipped">
        {samples.map(({ jobId, code }, index) => (
          <li key={`${jobId} ${index}`}>
            <Link to="jobs" id={jobId}>
              <ShortId id={jobId} />
            </Link>{' '}
            {REASONS[code] ?? code}
          </li>
        ))}
        {skipped > samples.length ? <li class="muted">{`and ${count(skipped - samples.length)} more`}</li> : null}
      </ul>
    </details>
  );
}
