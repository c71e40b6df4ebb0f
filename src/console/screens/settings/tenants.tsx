/** Tenants: all of them for whoever may act for all, else the own one with what it uses of its quotas. */
import { useSignal } from '@preact/signals';
import { unwrap } from '../../../client/index.ts';
import { can, has, lq, namedTenant, viewer } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Trouble } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { count } from '../../parts/words.ts';
import { hrefOf, route } from '../../route/route.ts';
import { ChangeQuotas } from './change-quotas.tsx';
import { CreateTenant } from './create-tenant.tsx';
import { Meters } from './meters.tsx';
import { Pager } from './pager.tsx';
import { QUOTA_TITLES, type ShownQuota, type Tenant, used } from './quotas.ts';
import { SuspendTenant } from './suspend-tenant.tsx';

const LOOK_EVERY_MS = 10_000;

export function Tenants() {
  return has('SYSTEM') ? <AllTenants /> : <OwnTenant id={viewer.value?.tenant.id ?? ''} />;
}

function OwnTenant({ id }: { readonly id: string }) {
  const isChanging = useSignal(false);
  const { value, error, reload } = useLoaded(`tenant ${id}`, (signal) => lq.value.tenant(id, { signal }), { everyMs: LOOK_EVERY_MS });
  return (
    <>
      <div class="settings-bar">
        <h2>
          Tenant <bdi>{value?.name ?? id}</bdi>
        </h2>
        {can('ADMIN') && value !== null ? <Button onPress={() => (isChanging.value = true)}>Change quotas…</Button> : null}
      </div>
      {error === null ? null : <Trouble error={error} what="Loading the tenant" onRetry={reload} />}
      {value === null ? null : <Meters tenant={value} />}
      {isChanging.value && value !== null ? <ChangeQuotas tenant={value} onClose={() => (isChanging.value = false)} onDone={reload} /> : null}
    </>
  );
}

type Opened = { readonly is: 'new' } | { readonly is: 'quotas' | 'suspend'; readonly tenant: Tenant };

function AllTenants() {
  const opened = useSignal<Opened | null>(null);
  const after = route.value.search.get('after');
  const { value, error, isLoading, reload } = useLoaded(
    `tenants ${namedTenant.value ?? ''} ${after ?? ''}`,
    (signal) => lq.value.tenants({ first: 50, after }, { signal }),
    { everyMs: LOOK_EVERY_MS, isKept: true },
  );
  const close = (): void => void (opened.value = null);
  const current = opened.value;
  return (
    <>
      <div class="settings-bar">
        <h2>Tenants</h2>
        {can('SYSTEM') ? (
          <Button tone="primary" onPress={() => (opened.value = { is: 'new' })}>
            Make a tenant
          </Button>
        ) : null}
      </div>
      {error === null ? null : <Trouble error={error} what="Loading the tenants" onRetry={reload} />}
      {value !== null && value.nodes.length === 0 ? <Empty title="There are no more tenants." /> : null}
      {value === null || value.nodes.length === 0 ? null : (
        <Table
          caption="Tenants"
          rows={value.nodes}
          keyOf={({ id }) => id}
          columns={[...COLUMNS, { name: 'Actions', cell: (tenant) => <Actions tenant={tenant} onOpen={(next) => (opened.value = next)} onDone={reload} /> }]}
          isWaiting={isLoading && value === null}
        />
      )}
      <Pager after={after} next={value?.pageInfo.hasNextPage === true ? value.pageInfo.endCursor : null} />
      {current?.is === 'new' ? <CreateTenant onClose={close} onDone={reload} /> : null}
      {current?.is === 'quotas' ? <ChangeQuotas tenant={current.tenant} onClose={close} onDone={reload} /> : null}
      {current?.is === 'suspend' ? <SuspendTenant tenant={current.tenant} onClose={close} onDone={reload} /> : null}
    </>
  );
}

const usageColumn = (quota: ShownQuota, isMinor: boolean): Column<Tenant> => ({
  name: QUOTA_TITLES[quota],
  isNumber: true,
  isMinor,
  cell: (tenant) => (
    <>
      {count(Math.ceil(used(tenant, quota) ?? 0))} <span class="muted">of {count(tenant.quotas[quota])}</span>
    </>
  ),
});

const COLUMNS: readonly Column<Tenant>[] = [
  {
    name: 'Tenant',
    isWide: true,
    cell: ({ id, name, suspended }) => (
      <>
        <a href={hrefOf('overview', null, {}, id)} title="See it in the console">
          <Name text={id} isCode />
        </a>{' '}
        {suspended ? (
          <span class="chip" data-tone="warn">
            suspended
          </span>
        ) : null}{' '}
        {name === id ? null : <bdi class="muted">{name}</bdi>}
      </>
    ),
  },
  usageColumn('maxWaitingJobs', false),
  usageColumn('maxQueues', true),
  usageColumn('maxStoredMebibytes', true),
  usageColumn('maxFeeds', true),
];

interface ActionsProps {
  readonly tenant: Tenant;
  readonly onOpen: (opened: Opened) => void;
  readonly onDone: () => void;
}

/** Usage and quotas may be seen by whoever may change nothing. */
function Actions({ tenant, onOpen, onDone }: ActionsProps) {
  const { id, suspended } = tenant;
  const resume = useAction(async () => {
    unwrap(await lq.value.updateTenant({ id, suspended: false }));
    onDone();
    return `The tenant ${id} goes on.`;
  });
  return (
    <span class="settings-actions">
      <Button tone="quiet" label={`Quotas of ${id}…`} onPress={() => onOpen({ is: 'quotas', tenant })}>
        Quotas…
      </Button>
      {!can('SYSTEM') ? null : suspended ? (
        <Button tone="quiet" label={`Let ${id} go on`} isBusy={resume.isBusy} onPress={() => void resume.start()}>
          Let it go on
        </Button>
      ) : (
        <Button tone="quiet" label={`Suspend ${id}…`} onPress={() => onOpen({ is: 'suspend', tenant })}>
          Suspend…
        </Button>
      )}
      {resume.error === null ? null : <Trouble error={resume.error} what="Letting it go on" isChange />}
    </span>
  );
}
