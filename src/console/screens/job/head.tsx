/** The head of a job's page: which one it is, where it stands, and what can be done. */
import { QueueLink } from '../../parts/links.tsx';
import type { OperatorAction } from '../../../domain/failures.ts';
import { can } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Name, ShortId } from '../../parts/name.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { counted } from '../../parts/words.ts';
import { Link } from '../../route/link.tsx';
import { hrefOf } from '../../route/route.ts';
import { ACTION_TITLES } from './actions.ts';
import type { JobShown } from './use-job.ts';

const HINTS: Readonly<Partial<Record<OperatorAction, string>>> = { redrive: 'r', cancel: 'c' };

interface JobHeadProps {
  readonly job: JobShown;
  readonly isGone: boolean;
  readonly actions: readonly OperatorAction[];
  readonly onOpen: (dialog: OperatorAction | 'commands') => void;
}

export function JobHead({ job, isGone, actions, onOpen }: JobHeadProps) {
  const { id, task } = job;
  return (
    <ScreenHead
      name={`${task} …${id.slice(-8)}`}
      title={<Name text={task} isCode />}
      lead={<Standing job={job} isGone={isGone} />}
      actions={
        <>
          {actions.map((action) => (
            <Button key={action} onPress={() => onOpen(action)} hint={HINTS[action]} tone={action === 'redrive' ? 'primary' : 'plain'}>
              {ACTION_TITLES[action]}
            </Button>
          ))}
          {can('SUBMIT') && !isGone ? (
            <Link to="submit" search={{ like: id }} class="button">
              Submit another like it
            </Link>
          ) : null}
          <CopyButton text={`${location.origin}${hrefOf('jobs', id)}`} what="link" words="Copy link" />
          <Button tone="quiet" onPress={() => onOpen('commands')}>
            As a command
          </Button>
        </>
      }
    />
  );
}

function Standing({ job, isGone }: Pick<JobHeadProps, 'job' | 'isGone'>) {
  const { id, state, attempt, maxAttempts, fence, queueName } = job;
  return (
    <span class="row middle job-standing">
      {isGone ? <span class="muted">last seen as</span> : null}
      <span role="status">
        <StateBadge state={state} />
      </span>
      <span>{`attempt ${attempt} of ${maxAttempts}`}</span>
      {fence > attempt ? <span>{counted(fence, 'claim')} in all</span> : null}
      <span class="job-queue">
        queue <QueueLink name={queueName} />
      </span>
      <span>
        <ShortId id={id} /> <CopyButton text={id} what="id" words="Copy id" />
      </span>
    </span>
  );
}
