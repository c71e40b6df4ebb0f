/** The tenant's API keys: which there are, what they may do, and whether anybody still uses them. */
import { useSignal } from '@preact/signals';
import type { ApiKeyFieldsFragment } from '../../../client/index.ts';
import { can, lq, namedTenant, viewer } from '../../api/session.ts';
import { nowMs } from '../../api/time.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { Button } from '../../parts/button.tsx';
import { Ago } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Trouble } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { counted } from '../../parts/words.ts';
import { CreateKey } from './create-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { Scopes } from './scopes.tsx';

export type Key = ApiKeyFieldsFragment;

const columns: readonly Column<Key>[] = [
  { name: 'Name', isWide: true, cell: ({ id, name }) => <KeyName id={id} name={name} /> },
  { name: 'Begins with', cell: ({ prefix }) => <span class="code">{prefix}</span> },
  { name: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
  { name: 'Queues', isMinor: true, cell: ({ queues }) => (queues.length === 0 ? <span class="muted">every</span> : <Name text={queues.join(', ')} isCode />) },
  { name: 'Made', isMinor: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { name: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span class="muted">never</span> : <Ago at={lastUsedAt} />) },
];

const expiry: Column<Key> = { name: 'Expires', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> };
const revocation: Column<Key> = { name: 'Revoked', cell: ({ revokedAt }) => <Ago at={revokedAt} /> };

function KeyName({ id, name }: Pick<Key, 'id' | 'name'>) {
  if (viewer.value?.apiKey.id !== id) return <Name text={name} />;
  return (
    <span class="own-key">
      <Name text={name} />
      <span class="chip" data-tone="info">
        yours
      </span>
    </span>
  );
}

function Expiry({ at }: { readonly at: string | null }) {
  if (at === null) return <span class="muted">never</span>;
  const isOver = Date.parse(at) <= nowMs.value;
  return (
    <>
      {isOver ? (
        <span class="chip" data-tone="warn">
          expired
        </span>
      ) : null}{' '}
      <Ago at={at} />
    </>
  );
}

/** How often use and newcomers are looked at. */
const LOOK_EVERY_MS = 15_000;

export function Keys() {
  const opened = useSignal<Key | 'new' | null>(null);
  const { value, error, isLoading, reload } = useLoaded(`keys ${namedTenant.value ?? ''}`, (signal) => lq.value.apiKeys({ signal }), {
    everyMs: LOOK_EVERY_MS,
  });
  const close = (): void => void (opened.value = null);
  const working = value?.filter(({ revokedAt }) => revokedAt === null) ?? [];
  const revoked = value?.filter(({ revokedAt }) => revokedAt !== null) ?? [];
  const actions: Column<Key> = { name: 'Revoke', cell: (key) => <RevokeButton apiKey={key} onPress={() => (opened.value = key)} /> };
  return (
    <>
      <div class="settings-bar">
        <h2>{value === null ? 'Keys' : counted(working.length, 'key')}</h2>
        {can('ADMIN') ? (
          <Button tone="primary" onPress={() => (opened.value = 'new')}>
            Make a key
          </Button>
        ) : null}
      </div>
      {error === null ? null : <Trouble error={error} what="Loading the keys" onRetry={reload} />}
      {value !== null && working.length === 0 ? <Empty title="There is no key that works." /> : null}
      {working.length === 0 ? null : (
        <Table
          caption="Keys"
          rows={working}
          keyOf={({ id }) => id}
          columns={[...columns, expiry, ...(can('ADMIN') ? [actions] : [])]}
          isWaiting={isLoading && value === null}
        />
      )}
      {revoked.length === 0 ? null : (
        <details>
          <summary>{counted(revoked.length, 'revoked key')}</summary>
          <Table caption="Revoked keys" rows={revoked} keyOf={({ id }) => id} columns={[...columns, revocation]} />
        </details>
      )}
      {opened.value === 'new' ? <CreateKey onClose={close} onDone={reload} /> : null}
      {opened.value === null || opened.value === 'new' ? null : <RevokeKey apiKey={opened.value} onClose={close} onDone={reload} />}
    </>
  );
}

function RevokeButton({ apiKey, onPress }: { readonly apiKey: Key; readonly onPress: () => void }) {
  return (
    <Button tone="quiet" label={`Revoke ${apiKey.name}…`} onPress={onPress}>
      Revoke…
    </Button>
  );
}
