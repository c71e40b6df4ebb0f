/** The same job from a terminal. */
import { serverUrl } from '../../api/address.ts';
import { isOpen, namedTenant } from '../../api/session.ts';
import { Command } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';

const QUERY = 'query ($id: ID!) { job(by: {id: $id}) { id queueName task state attempt maxAttempts runAt lastError { type message } } }';

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function commandLine(words: string): string {
  const tenant = namedTenant.value === null ? '' : ` --tenant ${quoted(namedTenant.value)}`;
  return `leasequeue job ${words} --url ${quoted(serverUrl)}${tenant}`;
}

function curl(id: string): string {
  const headers = ['content-type: application/json', ...(namedTenant.value === null ? [] : [`x-leasequeue-tenant: ${namedTenant.value}`])].map(
    (header) => ` \\\n  -H ${quoted(header)}`,
  );
  const key = isOpen.value ? '' : ' \\\n  -H "authorization: Bearer $LEASEQUEUE_API_KEY"';
  const body = JSON.stringify({ query: QUERY, variables: { id } });
  return `curl -sS ${quoted(`${serverUrl}/graphql`)}${headers.join('')}${key} \\\n  -d ${quoted(body)}`;
}

export function CommandsDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const word = quoted(id);
  return (
    <Dialog title="This job from a terminal" onClose={onClose} isWide>
      <div class="stack">
        <p class="muted">
          {isOpen.value ? 'This server asks for no key.' : 'The key is taken from the variable LEASEQUEUE_API_KEY, and needs the scope READ.'}
        </p>
        <h3>Everything about it</h3>
        <Command text={commandLine(`get ${word}`)} what="the command that shows the job" />
        <h3>Follow it until it ends</h3>
        <Command text={commandLine(`watch ${word}`)} what="the command that follows the job" />
        <h3>With curl</h3>
        <Command text={curl(id)} what="the request with curl" />
      </div>
    </Dialog>
  );
}
