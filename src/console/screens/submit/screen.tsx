/** Stores a job that a person writes by hand. */
import { JobLink } from '../../parts/links.tsx';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { unwrap } from '../../../client/index.ts';
import { can, lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { ScreenHead } from '../../parts/screen.tsx';
import { route, tenantInPath } from '../../route/route.ts';
import { MainFields, MoreFields } from './fields.tsx';
import { type Faults, faultsOf, inputOf, refusedFields, type SubmitForm } from './form.ts';
import { type Beginning, beginLike, beginWith } from './like.ts';
import { Refused, type Stored, StoredNotice } from './outcome.tsx';

const QUEUES_SUGGESTED = 100;

export function Screen() {
  const like = can('READ') ? route.value.search.get('like') : null;
  const loaded = useLoaded(like, (signal) => beginLike(like ?? '', signal));
  const lead =
    like === null ? undefined : (
      <>
        Like <JobLink id={like} label={`Job ${like}`} />
      </>
    );
  const beginning = like === null ? beginWith(route.value.search) : loaded.value;
  return (
    <>
      <ScreenHead title="Submit a job" name="Submit a job" lead={lead} />
      {loaded.error === null ? null : <Trouble error={loaded.error} what="Loading the job to be like" onRetry={loaded.reload} />}
      {beginning === null ? null : <FormOf key={`${tenantInPath.value} ${like}`} beginning={beginning} />}
    </>
  );
}

/** The names of queues, to choose from. */
function useQueueNames(): readonly string[] {
  const { value } = useLoaded(can('READ') ? 'queues' : null, async (signal) => (await lq.value.queues({ first: QUEUES_SUGGESTED }, { signal })).nodes);
  return value?.map(({ name }) => name) ?? [];
}

function FormOf({ beginning }: { readonly beginning: Beginning }) {
  const form = useSignal(beginning.form);
  const told = useSignal<Faults>({});
  const stored = useSignal<Stored | null>(null);
  const queues = useQueueNames();
  const outcome = useRef<HTMLDivElement>(null);
  const action = useAction(async () => {
    stored.value = null;
    stored.value = unwrap(await lq.value.submitJob(inputOf(form.value)));
    return null;
  });
  const change = (part: Partial<SubmitForm>): void => {
    form.value = { ...form.value, ...part };
    // What the server refused is answered by changing it.
    if (action.error !== null && Object.keys(refusedFields(action.error)).some((name) => name in part)) action.forget();
    const kept = Object.entries(told.value).filter(([name]) => !(name in part));
    told.value = Object.fromEntries(kept) as Faults;
  };
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    told.value = faultsOf(form.value);
    if (Object.keys(told.value).length > 0) return;
    await action.start();
    outcome.current?.scrollIntoView({ block: 'nearest' });
  };
  const again = (): void => {
    stored.value = null;
    // The same key again would only find the same job.
    change({ idempotencyKey: '' });
  };
  const faults = { ...(action.error !== null && refusedFields(action.error)), ...told.value };
  return (
    <form class="stack card submit-form" onSubmit={(event) => void send(event)} noValidate>
      {beginning.lack === null ? null : <Notice tone="warn" title={beginning.lack} />}
      <MainFields form={form.value} faults={faults} onChange={change} queues={queues} />
      <MoreFields form={form.value} faults={faults} onChange={change} />
      <div class="row">
        <Button isSubmit tone="primary" isBusy={action.isBusy}>
          Submit the job
        </Button>
      </div>
      <div ref={outcome} class="submit-outcome">
        {action.error === null ? null : <Refused error={action.error} />}
        {stored.value === null ? null : <StoredNotice stored={stored.value} onAnother={again} />}
      </div>
    </form>
  );
}
