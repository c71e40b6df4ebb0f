/** What every dialog of a job's page has: what it is about, the fault where it was refused, and the button that does it. */
import type { ComponentChildren } from 'preact';
import type { OperatorAction } from '../../../domain/failures.ts';
import type { Action } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Name, ShortId } from '../../parts/name.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { isPossible } from './actions.ts';
import type { JobShown } from './use-job.ts';

/** What every dialog is given. */
export interface AboutJob {
  readonly job: JobShown;
  readonly onClose: () => void;
  /** It was done: look again. */
  readonly onDone: () => void;
}

interface JobDialogProps extends AboutJob {
  readonly name: OperatorAction;
  readonly title: string;
  /** What the button says that does it. */
  readonly words: string;
  readonly tone?: 'primary' | 'danger';
  readonly action: Action<[]>;
  /** What was typed cannot be sent. */
  readonly isFaulty?: boolean;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

export function JobDialog({ job, name, title, words, tone = 'primary', action, isFaulty = false, isWide = false, onClose, onDone, children }: JobDialogProps) {
  const isStillPossible = isPossible(name, job.state);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isFaulty || !isStillPossible || !(await action.start())) return;
    onDone();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose} isWide={isWide}>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <p class="row middle">
          <ShortId id={job.id} /> <Name text={job.task} isCode /> <StateBadge state={job.state} />
        </p>
        {children}
        {isStillPossible ? null : (
          <Notice tone="warn" title="The job has moved on meanwhile.">
            <p>In the state that it has now this cannot be done.</p>
          </Notice>
        )}
        {action.error === null ? null : <Trouble error={action.error} what={title} isChange />}
        <DialogActions>
          <Button onPress={onClose}>Leave it as it is</Button>
          <Button isSubmit tone={tone} isBusy={action.isBusy} isDisabled={isFaulty || !isStillPossible}>
            {words}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
