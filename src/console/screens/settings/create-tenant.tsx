/** A new tenant, by name. */
import { useSignal } from '@preact/signals';
import { unwrap } from '../../../client/index.ts';
import { lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { faultAt, isElsewhere } from './faults.ts';

const TAKEN = 'Another tenant has it. Nothing was made: choose another one.';

export function CreateTenant({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const name = useSignal('');
  const id = useSignal('');
  const create = useAction(async () => {
    const { tenant } = unwrap(await lq.value.createTenant({ name: name.value.trim(), ...(id.value.trim() !== '' && { id: id.value.trim() }) }));
    return `The tenant ${tenant.id} is made.`;
  });
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!(await create.start())) return;
    onClose();
    onDone();
  };
  const { error } = create;
  const taken = error?.code === 'NAME_TAKEN' ? (error.details as { readonly name: string }).name : null;
  const isIdTaken = taken !== null && taken === id.value.trim() && taken !== name.value.trim();
  const faults = [taken !== null && !isIdTaken ? TAKEN : faultAt(error, 'name'), isIdTaken ? TAKEN : faultAt(error, 'id')] as const;
  return (
    <Dialog title="Make a tenant" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void start(event)}>
        <Field
          label="Name"
          value={name.value}
          onInput={(text) => (name.value = text)}
          fault={faults[0]}
          help="For people. No other tenant may have it."
          isRequired
          isAutofocused
        />
        <Field
          label="Id"
          value={id.value}
          onInput={(text) => (id.value = text)}
          fault={faults[1]}
          placeholder="made from the name"
          help={'Part of its keys, for ever: a-z, 0-9 and "-".'}
          isCode
        />
        {isElsewhere(error, faults) ? <Trouble error={error} what="Making the tenant" isChange /> : null}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button isSubmit tone="primary" isBusy={create.isBusy}>
            Make the tenant
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
