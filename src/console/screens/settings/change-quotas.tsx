/** The quotas of a tenant in a form. An empty field takes the quota back. */
import { useSignal } from '@preact/signals';
import { type LeaseQueueError, type TenantQuotasInput, unwrap } from '../../../client/index.ts';
import { can, has, lq } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Trouble } from '../../parts/notice.tsx';
import { count, counted } from '../../parts/words.ts';
import { faultAt, isElsewhere } from './faults.ts';
import { Meters } from './meters.tsx';
import { QUOTA_TITLES, ruleOf, SHOWN_QUOTAS, type ShownQuota, type Tenant } from './quotas.ts';

type Draft = Readonly<Record<ShownQuota, string>>;

interface ChangeQuotasProps {
  readonly tenant: Tenant;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const draftOf = ({ quotas }: Tenant): Draft => Object.fromEntries(SHOWN_QUOTAS.map((quota) => [quota, String(quotas[quota])])) as Draft;

/** Only what was changed: somebody else may have changed another one meanwhile. */
function changes(before: Draft, now: Draft): TenantQuotasInput {
  const changed = SHOWN_QUOTAS.filter((quota) => before[quota] !== now[quota]);
  return Object.fromEntries(changed.map((quota) => [quota, now[quota].trim() === '' ? null : Number(now[quota])]));
}

export function ChangeQuotas({ tenant, onClose, onDone }: ChangeQuotasProps) {
  const before = useSignal(draftOf(tenant));
  const draft = useSignal(before.value);
  const changed = changes(before.value, draft.value);
  const size = Object.keys(changed).length;
  const save = useAction(async () => {
    unwrap(await lq.value.updateTenant({ id: tenant.id, quotas: changed }));
    return `${counted(size, 'quota')} of ${tenant.id} changed.`;
  });
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!(await save.start())) return;
    onClose();
    onDone();
  };
  return (
    <Dialog title={`Quotas of ${tenant.id}`} onClose={onClose} isWide>
      {can('ADMIN') || can('SYSTEM') ? (
        <form class="stack" onSubmit={(event) => void start(event)}>
          <p class="muted small">{`They hold at once, and take nothing away that is stored already. ${has('SYSTEM') ? 'An empty field goes back to the default.' : 'An empty field goes back to what was granted, which nothing here may be above.'}`}</p>
          <div class="quota-fields">
            {SHOWN_QUOTAS.map((quota) => (
              <QuotaField key={quota} quota={quota} draft={draft.value} error={save.error} onChange={(next) => (draft.value = next)} />
            ))}
          </div>
          {isElsewhere(
            save.error,
            SHOWN_QUOTAS.map((quota) => faultAt(save.error, quota)),
          ) ? (
            <Trouble error={save.error} what="Changing the quotas" isChange />
          ) : null}
          <DialogActions>
            <Button onPress={onClose}>Cancel</Button>
            <Button isSubmit tone="primary" isBusy={save.isBusy} isDisabled={size === 0}>
              {size === 0 ? 'Change quotas' : `Change ${counted(size, 'quota')}`}
            </Button>
          </DialogActions>
        </form>
      ) : (
        <Meters tenant={tenant} />
      )}
    </Dialog>
  );
}

interface QuotaFieldProps {
  readonly quota: ShownQuota;
  readonly draft: Draft;
  readonly error: LeaseQueueError | null;
  readonly onChange: (draft: Draft) => void;
}

function QuotaField({ quota, draft, error, onChange }: QuotaFieldProps) {
  const { min = 0, max, default: usual } = ruleOf(quota);
  return (
    <Field
      label={QUOTA_TITLES[quota]}
      type="number"
      value={draft[quota]}
      onInput={(text) => onChange({ ...draft, [quota]: text })}
      fault={faultAt(error, quota)}
      help={`The default is ${count(usual)}.`}
      min={min}
      max={max}
    />
  );
}
