/** Another tenant's data: for keys that may choose, and servers that ask for none. */
import { useSignal } from '@preact/signals';
import { lq } from '../api/session.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Trouble } from '../parts/notice.tsx';
import { go, hrefOf, route } from '../route/route.ts';

export function TenantPicker({ onClose }: { readonly onClose: () => void }) {
  const name = useSignal('');
  const { value, error } = useLoaded('tenants', (signal) => lq.value.tenants({ first: 100 }, { signal }));
  const choose = (tenant: string): void => {
    onClose();
    go(hrefOf(route.value.screen ?? 'overview', null, {}, tenant));
  };
  const enter = (event: Event): void => {
    event.preventDefault();
    if (name.value.trim() !== '') choose(name.value.trim());
  };
  return (
    <Dialog title="Whose data?" onClose={onClose}>
      <form class="row" onSubmit={enter}>
        <Field label="Tenant" value={name.value} onInput={(text) => (name.value = text)} isAutofocused isCode suggestions={value?.nodes.map(({ id }) => id)} />
        <Button isSubmit tone="primary">
          Show
        </Button>
      </form>
      {error === null ? null : <Trouble error={error} what="Listing the tenants" />}
      <ul class="choices">
        {value?.nodes.map(({ id, name: title, suspended }) => (
          <li key={id}>
            <button type="button" class="choice" onClick={() => choose(id)}>
              <bdi class="code">{id}</bdi>
              {title === id ? null : <bdi class="muted">{title}</bdi>}
              {suspended ? <span class="chip">suspended</span> : null}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
