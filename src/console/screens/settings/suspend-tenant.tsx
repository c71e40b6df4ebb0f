/** The question before a tenant is suspended. */
import { unwrap } from '../../../client/index.ts';
import { lq, viewer } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import type { Tenant } from './quotas.ts';

interface SuspendTenantProps {
  readonly tenant: Tenant;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function SuspendTenant({ tenant: { id }, onClose, onDone }: SuspendTenantProps) {
  const suspend = useAction(async () => {
    unwrap(await lq.value.updateTenant({ id, suspended: true }));
    return `The tenant ${id} is suspended.`;
  });
  const start = async (): Promise<void> => {
    if (!(await suspend.start())) return;
    onClose();
    onDone();
  };
  return (
    <Dialog title="Suspend a tenant" onClose={onClose}>
      <p>
        Suspend <bdi class="strong">{id}</bdi>? Every key of it is refused at once, so that its producers and workers stop. Its jobs stay as they are, and it
        can go on at any time.
      </p>
      {viewer.value?.tenant.id === id ? (
        <Notice tone="warn" title="This is the tenant of your own key.">
          <p>You will be refused as well. Only a key of another tenant with the scope SYSTEM can let it go on.</p>
        </Notice>
      ) : null}
      {suspend.error === null ? null : <Trouble error={suspend.error} what="Suspending the tenant" isChange />}
      <DialogActions>
        <Button onPress={onClose}>Leave it</Button>
        <Button tone="danger" isBusy={suspend.isBusy} onPress={() => void start()}>
          {`Suspend ${id}`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
