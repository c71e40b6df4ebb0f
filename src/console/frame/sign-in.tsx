/** The door: an API key, which goes into a cookie that no script can read. */
import { useSignal } from '@preact/signals';
import { recheck, session, signIn } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Command } from '../parts/copy.tsx';
import { Field } from '../parts/field.tsx';
import { KEY_COMMAND } from '../parts/next-commands.ts';
import { Notice, Trouble } from '../parts/notice.tsx';
import { Mark } from './mark.tsx';

export function SignIn({ notice }: { readonly notice: string | null }) {
  const key = useSignal('');
  const fault = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const enter = async (event: Event): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    fault.value = await signIn(key.value);
    isBusy.value = false;
    if (fault.value === null) key.value = '';
  };
  return (
    <main class="door">
      <h1>
        <Mark /> LeaseQueue
      </h1>
      {notice === null ? null : <Notice tone="warn" title={notice} />}
      <form class="card" onSubmit={(event) => void enter(event)}>
        <Field
          label="API key"
          type="password"
          value={key.value}
          onInput={(value) => (key.value = value)}
          fault={fault.value}
          help="It is kept in a cookie that scripts cannot read, until this browser closes."
          autocomplete="off"
          isRequired
          isAutofocused
          isCode
        />
        <Button isSubmit tone="primary" isBusy={isBusy.value}>
          Sign in
        </Button>
      </form>
      <details>
        <summary>No key yet?</summary>
        <p>Make one where the server's database is:</p>
        <Command what="the command that makes a key" text={KEY_COMMAND} />
      </details>
    </main>
  );
}

/** Before the first answer, and where there is none. */
export function Starting() {
  const state = session.value;
  return (
    <main class="door">
      <h1>
        <Mark /> LeaseQueue
      </h1>
      {state.status === 'unreached' ? (
        <Trouble error={state.error} what="Reaching the server" onRetry={() => void recheck()} />
      ) : (
        <p class="muted" role="status">
          Asking the server who you are…
        </p>
      )}
    </main>
  );
}
