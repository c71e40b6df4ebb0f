/** A tenant without a job: the three commands that submit one, start a worker and watch it. */
import { serverUrl } from '../../api/address.ts';
import { isOpen } from '../../api/session.ts';
import { Command } from '../../parts/copy.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Link } from '../../route/link.tsx';
import { isScreenOpen } from '../../frame/rights.ts';

export function FirstRun() {
  const client = `npm run leasequeue --`;
  const address = `export LEASEQUEUE_URL=${serverUrl}`;
  return (
    <Panel title="No job yet. Three commands to see one through">
      <div class="stack">
        <p>Where this server is{isOpen.value ? '' : ', and an API key in LEASEQUEUE_API_KEY'}, in a terminal:</p>
        <Command what="the command that names the server" text={address} />
        <h3>1. Submit a job</h3>
        <Command what="the command that submits a job" text={`${client} job submit --queue mail --task mail.send --payload '{"to": "ada@example.com"}'`} />
        <h3>2. Work on it</h3>
        <Command what="the command that starts a worker" text={`${client} worker run --queue mail -- cat`} />
        <h3>3. Watch what happens</h3>
        <Command what="the command that follows every event" text={`${client} events --follow`} />
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
