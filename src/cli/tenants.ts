/** Lists, shows, creates and changes tenants. */
import { type TenantFieldsFragment, type TenantQuotasInput, type TenantUsageFieldsFragment, unwrap, type UpdateTenantInput } from '../client/index.ts';
import { QUOTA_NAMES } from '../domain/access.ts';
import { type AskingOptions, type Conversation, converse } from './conversation.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { type OrDefault, orNull } from './options.ts';
import { pagesOf } from './pages.ts';
import { growingTable, jsonDocument, jsonLine, type Output, textLines } from './print.ts';
import { type TimeText, timesFor } from './times.ts';
import { visible } from './visible-text.ts';

type Quotas = { readonly [Name in keyof TenantQuotasInput]?: OrDefault };
export type CreateOptions = AskingOptions & Quotas & { readonly id?: string };
export type SetOptions = AskingOptions & Quotas & { readonly name?: string };
type Tenant = TenantFieldsFragment & TenantUsageFieldsFragment;

const HEAD = ['ID', 'NAME', 'SUSPENDED', 'WAITING', 'QUEUES', 'STORED BYTES', 'CREATED'];
const PAGE_ITEMS = 100;

export function listTenants(options: AskingOptions, output: Output): Promise<void> {
  return converse(options, output, async ({ lq, clock }) => {
    const rows = growingTable(HEAD, output.look());
    const time = timesFor(output.isTerminal(), clock.nowMs());
    for await (const tenants of pagesOf((after) => lq.tenants({ first: PAGE_ITEMS, after }))) {
      if (options.json) await output.data(tenants.map(jsonLine).join(''));
      else await output.data(options.quiet ? textLines(tenants.map(({ id }) => id)) : rows(tenants.map((tenant) => row(tenant, time))));
      if (!output.isRead()) return;
    }
  });
}

function row({ id, name, suspended, usage, createdAt }: Tenant, time: TimeText): readonly string[] {
  return [id, name, suspended ? 'yes' : '', String(usage.waitingJobs), String(usage.queues), String(usage.storedBytes), time(createdAt)];
}

export function showTenant(id: string, options: AskingOptions, output: Output): Promise<void> {
  return converse(options, output, async (conversation) => {
    const tenant = await conversation.lq.tenant(id);
    if (tenant === null) throw new CommandFailure(`no tenant that this key may see has the id ${id}.`, EXIT.notFound);
    await tell(tenant, conversation, options);
  });
}

export function createTenant(name: string, options: CreateOptions, output: Output): Promise<void> {
  return converse(options, output, async (conversation) => {
    const { id } = options;
    const { tenant } = unwrap(await conversation.lq.createTenant({ name, ...(id !== undefined && { id }), ...quotasOf(options) }));
    await tell(tenant, conversation, options);
    output.talk(`Created the tenant ${tenant.id}. Make its first key with: leasequeue keys create --tenant ${tenant.id}`);
  });
}

export async function setTenant(id: string, options: SetOptions, output: Output): Promise<void> {
  const { name } = options;
  const input = { id, ...(name !== undefined && { name }), ...quotasOf(options) };
  if (Object.keys(input).length === 1) throw new CommandFailure('say what to set: --name, or a quota such as --max-queues.', EXIT.usage);
  await update(input, options, output);
}

export function suspendTenant(id: string, suspended: boolean, options: AskingOptions, output: Output): Promise<void> {
  return update({ id, suspended }, options, output);
}

function update(input: UpdateTenantInput, options: AskingOptions, output: Output): Promise<void> {
  return converse(options, output, async (conversation) => {
    const { tenant } = unwrap(await conversation.lq.updateTenant(input));
    await tell(tenant, conversation, options);
  });
}

function quotasOf(options: Quotas): { readonly quotas?: TenantQuotasInput } {
  const said = QUOTA_NAMES.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, orNull(value)]];
  });
  return said.length === 0 ? {} : { quotas: Object.fromEntries(said) as TenantQuotasInput };
}

async function tell(tenant: Tenant, { output, clock }: Conversation, { json, quiet }: AskingOptions): Promise<void> {
  if (json) return output.data(jsonDocument({ tenant }));
  await output.data(quiet ? textLines([tenant.id]) : textOf(tenant, timesFor(output.isTerminal(), clock.nowMs())));
}

function textOf({ id, name, suspended, createdAt, quotas, usage }: Tenant, time: TimeText): string {
  const facts: readonly (readonly [string, string])[] = [
    ['tenant', id],
    ['name', name],
    ['suspended', suspended ? 'yes: every key of it is refused' : 'no'],
    ['created', time(createdAt)],
    ...Object.entries(usage).map(([figure, value]) => [figure, `${value} in use`] as const),
    ...QUOTA_NAMES.map((quota) => [quota, String(quotas[quota])] as const),
  ];
  return facts.map(([fact, value]) => `${fact.padEnd(20)}${visible(value)}\n`).join('');
}
