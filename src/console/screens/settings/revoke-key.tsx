/** The question before a key is revoked, which nothing takes back. */
import { unwrap } from '../../../client/index.ts';
import { lq, viewer } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import type { Key } from './keys.tsx';

interface RevokeKeyProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function RevokeKey({ apiKey: { id, name, prefix }, onClose, onDone }: RevokeKeyProps) {
  const revoke = useAction(async () => {
    unwrap(await lq.value.revokeApiKey({ id }));
    return `The key “${name}” is revoked.`;
  });
  const isOwn = viewer.value?.apiKey.id === id;
  const start = async (): Promise<void> => {
    if (!(await revoke.start())) return;
    onClose();
    onDone();
  };
  return (
    <Dialog title="Revoke a key" onClose={onClose}>
      <p>
        Revoke <bdi class="strong">{name}</bdi> (<span class="code">{prefix}</span>)? Whoever uses it is refused at once, and what is open with it ends. Jobs
        that its workers hold come back when their leases run out. This cannot be taken back: make another key instead.
      </p>
      {isOwn ? (
        <Notice tone="warn" title="This is the key that you are signed in with.">
          <p>You will be signed out, and cannot come back with it.</p>
        </Notice>
      ) : null}
      {revoke.error === null ? null : <Trouble error={revoke.error} what="Revoking the key" isChange />}
      <DialogActions>
        <Button onPress={onClose}>Keep it</Button>
        <Button tone="danger" isBusy={revoke.isBusy} onPress={() => void start()}>
          <span>
            Revoke <bdi>{name.length > 40 ? `${name.slice(0, 40)}…` : name}</bdi>
          </span>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
