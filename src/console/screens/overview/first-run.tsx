/** A tenant without a job: the three commands that submit one, start a worker and watch it. */
import { isOpen } from '../../api/session.ts';
import { Command } from '../../parts/copy.tsx';
import { followCommand, submitCommand, workerCommand } from '../../parts/next-commands.ts';
import { Panel } from '../../parts/screen.tsx';
import { Link } from '../../route/link.tsx';
import { isScreenOpen } from '../../frame/rights.ts';

export function FirstRun() {
  return (
    <Panel title="No job yet. Three commands to see one through">
      <div class="stack">
        {isOpen.value ? null : <p>In a terminal, with an API key in LEASEQUEUE_API_KEY:</p>}
        <h3>1. Submit a job</h3>
        <Command what="the command that submits a job" text={submitCommand()} />
        <h3>2. Work on it</h3>
        <Command what="the command that starts a worker" text={workerCommand()} />
        <h3>3. Watch what happens</h3>
        <Command what="the command that follows every event" text={followCommand()} />
        {isScreenOpen('submit') ? (
          <p>
            Or do it by hand: <Link to="submit">submit a job here</Link>
            {isScreenOpen('play') ? (
              <>
                {' '}
                and <Link to="play">play a worker</Link>
              </>
            ) : null}
            .
          </p>
        ) : null}
      </div>
    </Panel>
  );
}
