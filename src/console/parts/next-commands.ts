/** What to type next in a terminal, with this server's address. */
import { serverUrl } from '../api/address.ts';
import { namedTenant } from '../api/session.ts';

/** Where the command has to ask: this server, and the tenant at hand where the key may choose. */
function whereabouts(): string {
  const tenant = namedTenant.value;
  return `--url ${serverUrl}${tenant === null ? '' : ` --tenant ${tenant}`}`;
}

export function submitCommand(): string {
  return `leasequeue job submit hello.world --queue hello --payload '{"name": "Ann"}' ${whereabouts()}`;
}

export function workerCommand(): string {
  return `leasequeue worker run --queue hello ${whereabouts()} -- cat`;
}

export function followCommand(): string {
  return `leasequeue events --follow ${whereabouts()}`;
}

/** At the machine with the database. */
export const KEY_COMMAND = 'leasequeue keys create --name operator --scopes READ,PAYLOADS,SUBMIT,OPERATE';
