/** Asking for work: which queues, under which name, for how long. */
import type { Signal } from '@preact/signals';
import { can, lq } from '../../api/session.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { LIMITS } from '../../../domain/limits.ts';
import { leaseFault, type PlaySettings, queuesFault, queuesOf, workerFault } from './settings.ts';
import { type PlayedWorker, WAIT_SECONDS } from './use-worker.ts';

const QUEUES_OFFERED = 20;

interface ClaimFormProps {
  readonly worker: PlayedWorker;
  readonly settings: Signal<PlaySettings>;
}

export function ClaimForm({ worker: { claim, stop }, settings }: ClaimFormProps) {
  const given = settings.value;
  const change = (part: Partial<PlaySettings>): void => void (settings.value = { ...given, ...part });
  const isFaulty = queuesFault(given) !== null || workerFault(given) !== null || leaseFault(given) !== null;
  const ask = (event: Event): void => {
    event.preventDefault();
    if (!isFaulty) void claim.start(given, 0);
  };
  return (
    <form class="stack card submit-form" onSubmit={ask} noValidate>
      <Field
        label="Queues"
        value={given.queues}
        onInput={(queues) => change({ queues })}
        fault={queuesFault(given)}
        help="In order of preference, with commas"
        isCode
      />
      <KnownQueues given={given} onChange={change} />
      <div class="field-row">
        <Field
          label="Lease length in seconds"
          value={given.leaseSeconds}
          onInput={(leaseSeconds) => change({ leaseSeconds })}
          fault={leaseFault(given)}
          help={`${LIMITS.leaseSecondsMin} to ${LIMITS.leaseSecondsMax}`}
        />
        <Field
          label="Worker"
          value={given.workerId}
          onInput={(workerId) => change({ workerId })}
          fault={workerFault(given)}
          help="How it names itself"
          isCode
        />
      </div>
      {claim.error === null ? null : <Trouble error={claim.error} what="Asking for a job" isChange />}
      <div class="row middle">
        <Button isSubmit tone="primary" isBusy={claim.isBusy} isDisabled={isFaulty}>
          Claim one job
        </Button>
        {claim.isBusy ? (
          <Button onPress={stop}>Stop waiting</Button>
        ) : (
          <Button isDisabled={isFaulty} onPress={() => void claim.start(given, WAIT_SECONDS)}>
            {`Wait for one, up to ${WAIT_SECONDS} s`}
          </Button>
        )}
        <span class="muted" role="status">
          {claim.isBusy ? 'Asking for a job…' : ''}
        </span>
      </div>
    </form>
  );
}

interface KnownQueuesProps {
  readonly given: PlaySettings;
  readonly onChange: (change: Partial<PlaySettings>) => void;
}

/** The queues that there are, to be taken in and left out again. */
function KnownQueues({ given, onChange }: KnownQueuesProps) {
  const { value } = useLoaded(can('READ') ? 'queues' : null, async (signal) => (await lq.value.queues({ first: QUEUES_OFFERED }, { signal })).nodes);
  const chosen = queuesOf(given);
  const toggle = (name: string): void => {
    const next = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
    onChange({ queues: next.join(', ') });
  };
  if (value === null || value.length === 0) return null;
  return (
    <div class="play-queues" role="group" aria-label="Queues that there are">
      {value.map(({ name }) => (
        <Button key={name} tone="quiet" isPressed={chosen.includes(name)} onPress={() => toggle(name)}>
          <bdi>{name}</bdi>
        </Button>
      ))}
    </div>
  );
}
