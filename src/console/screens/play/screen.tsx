/** A worker that a person plays by hand, to see how claims, leases and settling go. */
import { JobLink } from '../../parts/links.tsx';
import { useSignal } from '@preact/signals';
import { Notice } from '../../parts/notice.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { tenantInPath } from '../../route/route.ts';
import { ClaimForm } from './claim-form.tsx';
import { HeldJob } from './held-job.tsx';
import { firstSettings } from './settings.ts';
import { type Told, useWorker } from './use-worker.ts';
import { LOST_WORDS } from './words.ts';

export function Screen() {
  return (
    <>
      <ScreenHead title="Play a worker" name="Play a worker" lead="Claim real jobs and answer them by hand. Leaving this screen hands back what you hold." />
      <Player key={tenantInPath.value} />
    </>
  );
}

function Player() {
  const settings = useSignal(firstSettings());
  const worker = useWorker();
  const { held, told } = worker;
  if (held !== null) return <HeldJob key={`${held.job.id} ${held.fence}`} held={held} worker={worker} />;
  return (
    <>
      <ToldNotice told={told} />
      <ClaimForm worker={worker} settings={settings} />
    </>
  );
}

function ToldNotice({ told }: { readonly told: Told }) {
  switch (told?.kind) {
    case undefined:
      return null;
    case 'idle':
      return <Notice title={told.words} />;
    case 'settled':
      return (
        <Notice tone="good" title={told.words}>
          <p>
            <JobLink id={told.job.id} label={`Job ${told.job.id}`} />
          </p>
        </Notice>
      );
    case 'lost':
      return (
        <Notice tone="bad" title="The lease is lost: your answer was refused, and nothing was changed.">
          <p>{LOST_WORDS[told.reason]}</p>
          <p>
            A worker stops here and asks for other work. Now <JobLink id={told.job.id} label={`Job ${told.job.id}`} /> is {told.state}.
          </p>
        </Notice>
      );
    default:
      return told satisfies undefined;
  }
}
