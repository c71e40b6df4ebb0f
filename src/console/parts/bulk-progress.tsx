/** How far a change of many jobs is, and what came of it. */
import type { BulkProgress } from '../api/use-bulk-run.ts';
import { Notice, Trouble } from './notice.tsx';
import { count, counted } from './words.ts';

interface BulkProgressProps {
  readonly progress: BulkProgress;
  /** How many there were to change, as far as that is known. */
  readonly total: number;
  /** "redriven" */
  readonly done: string;
}

const ENDS: Readonly<Record<BulkProgress['status'], string>> = { running: '', done: 'Done.', stopped: 'Stopped.', failed: 'It broke off.' };

export function BulkProgressView({ progress: { status, changed, skipped, samples, error }, total, done }: BulkProgressProps) {
  return (
    <div class="stack">
      <div>
        <progress class="progress" max={Math.max(1, total)} value={status === 'done' ? Math.max(1, total) : changed + skipped} aria-label="Progress" />
        <p role="status">
          {ENDS[status]} {counted(changed, 'job')} {done}
          {skipped === 0 ? '' : `, ${count(skipped)} passed over`}
          {status === 'running' ? ` of ${count(total)}` : ''}.
        </p>
      </div>
      {samples.length === 0 ? null : (
        <Notice tone="warn" title="Some could not be changed:">
          <ul>
            {samples.map(({ jobId, code }) => (
              <li key={jobId}>
                <span class="code">…{jobId.slice(-8)}</span> {code.toLowerCase().replaceAll('_', ' ')}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {error === null ? null : <Trouble error={error} what="The last step" isChange />}
    </div>
  );
}
