/** `leasequeue keys`: the first key of a server, and whatever else an administrator of its machine does with keys. */
import { type Command, Option } from 'commander';
import { keyPrefix, mintKey } from '../../auth/api-key.ts';
import { type KeyRequest, keyIssues, orderedKey } from '../../auth/new-key.ts';
import { type ApiKey, type Scope, SCOPES } from '../../domain/access.ts';
import { type Failure, failureMessage } from '../../domain/failures.ts';
import type { TenantId } from '../../domain/job.ts';
import { systemClock } from '../../runtime/clock.ts';
import { systemEntropy } from '../../runtime/entropy.ts';
import { EXIT_OF_CODE } from '../answer-codes.ts';
import { examples } from '../examples.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { requireServerNode } from '../node-version.ts';
import { instantOption, namesOption, scopesOption, spanOption, tenantOption } from '../options.ts';
import { jsonDocument, type Output, table } from '../print.ts';

interface CommonOptions {
  readonly tenant: TenantId;
  readonly json?: true;
}
interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly scopes?: readonly Scope[];
  readonly allScopes?: true;
  readonly queues?: readonly string[];
  readonly expiresIn?: number;
  readonly expiresAt?: number;
}

const ALL_SCOPES = SCOPES.filter((scope) => scope !== 'SYSTEM');
const WHERE = '\nThe database is the one that LEASEQUEUE_DATABASE_PATH names. A server may run on it.';
const HEAD = ['ID', 'NAME', 'PREFIX', 'SCOPES', 'QUEUES', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'];

export function defineKeys(noun: Command, output: Output): void {
  noun.hook('preAction', requireServerNode);
  defineCreate(verb(noun, 'create', 'make a key, and its tenant where that is new; the key is shown once'), output);
  defineList(verb(noun, 'list', "show a tenant's keys, the newest first, without their secrets"), output);
  defineRevoke(verb(noun, 'revoke', 'refuse a key from now on; what was opened with it ends within a second').argument('<id>', 'id of the key'), output);
}

function verb(noun: Command, name: string, summary: string): Command {
  const tenant = new Option('--tenant <tenant>', 'whose key').argParser(tenantOption).default(tenantOption('default'), 'default');
  return noun.command(name).description(summary).addOption(tenant).option('--json', 'print one JSON document');
}

function defineCreate(command: Command, output: Output): void {
  command
    .requiredOption('--name <name>', "for people, unique among the tenant's keys; events show it")
    .addOption(new Option('--scopes <scopes>', `what it may do, with commas: ${SCOPES.join(', ')}`).argParser(scopesOption))
    .addOption(new Option('--all-scopes', 'every scope but SYSTEM, which is for all tenants').conflicts('scopes'))
    .addOption(new Option('--queues <queues>', 'restrict it to these queues, with commas').argParser(namesOption))
    .addOption(new Option('--expires-in <time>', 'refuse it after this time, such as 12h or 90d').argParser(spanOption))
    .addOption(new Option('--expires-at <instant>', 'refuse it from this instant on').argParser(instantOption).conflicts('expiresIn'))
    .action((options: CreateOptions) => create(command, options, output));
  examples(
    command,
    'leasequeue keys create --name admin --all-scopes',
    'leasequeue keys create --name mailer --scopes WORK --queues email --expires-in 90d --json',
  ).addHelpText('after', WHERE);
}

function defineList(command: Command, output: Output): void {
  command.action((options: CommonOptions) => list(options, output));
  examples(command, 'leasequeue keys list', 'leasequeue keys list --tenant default --json').addHelpText('after', WHERE);
}

function defineRevoke(command: Command, output: Output): void {
  command.action((id: string, options: CommonOptions) => revoke(id, options, output));
  examples(command, 'leasequeue keys revoke "$KEY_ID"', 'leasequeue keys revoke "$KEY_ID" --tenant default --json').addHelpText('after', WHERE);
}

async function create(command: Command, options: CreateOptions, output: Output): Promise<void> {
  const request = requestedKey(command, options);
  const { databasePath, withKeys } = await import('../key-database.ts');
  const path = databasePath();
  const { text, ...minted } = mintKey(systemEntropy, options.tenant);
  const outcome = await withKeys(path, (keys) => keys.createKey(options.tenant, { ...request, ...minted }, true));
  if (!outcome.ok) throw refusal(outcome.failure);
  const error = await output.tryData(options.json ? jsonDocument({ apiKey: shown(outcome.value), secret: text }) : `${text}\n`);
  if (error !== null) throw lostKey(outcome.value, error);
  output.talk(`Made ${described(outcome.value)}, in ${path}.`);
  output.talk('The key is shown this once: store it now.');
}

function requestedKey(command: Command, { name, scopes, allScopes, queues = [], expiresIn, expiresAt }: CreateOptions): KeyRequest {
  const nowMs = systemClock.nowMs();
  const chosen = allScopes ? ALL_SCOPES : scopes;
  if (chosen === undefined) return command.error("error: say what the key may do, with '--scopes' or '--all-scopes'");
  const request = { name, scopes: chosen, queues, expiresAtMs: expiresIn === undefined ? (expiresAt ?? null) : nowMs + expiresIn };
  // Whoever can write the database may do everything anyway.
  const [issue] = keyIssues(request, { grantsSystem: true, nowMs });
  return issue === undefined ? orderedKey(request) : command.error(`error: '${FLAGS[issue.path[0]]}' ${issue.message}`);
}

const FLAGS = { name: '--name', scopes: '--scopes', queues: '--queues', expiresAt: '--expires-at' } as const;

function lostKey({ id }: ApiKey, cause: Error): CommandFailure {
  return new CommandFailure(
    `the key ${id} was made, but could not be shown (${cause.message}), and nobody can read it again. Revoke it with: leasequeue keys revoke ${id}`,
    EXIT.failed,
    { cause },
  );
}

async function list({ tenant, json }: CommonOptions, output: Output): Promise<void> {
  const { existingDatabasePath, withKeys } = await import('../key-database.ts');
  const keys = await withKeys(existingDatabasePath(), async (store) => ((await store.hasTenant(tenant)) ? store.keys(tenant) : null));
  if (keys === null) throw new CommandFailure(`there is no tenant ${tenant} in the database; its first key makes it`, EXIT.notFound);
  if (json) return output.data(jsonDocument({ apiKeys: keys.map(shown) }));
  if (keys.length === 0) return output.talk(`The tenant ${tenant} has no keys.`);
  await output.data(table(HEAD, keys.map(row), output.look()));
}

async function revoke(id: string, { tenant, json }: CommonOptions, output: Output): Promise<void> {
  const { existingDatabasePath, withKeys } = await import('../key-database.ts');
  const outcome = await withKeys(existingDatabasePath(), (keys) => keys.revokeKey(tenant, id));
  if (!outcome.ok) throw refusal(outcome.failure);
  if (json) await output.data(jsonDocument({ apiKey: shown(outcome.value) }));
  output.talk(`Revoked ${described(outcome.value)}.`);
}

function refusal(failure: Failure): CommandFailure {
  return new CommandFailure(failureMessage(failure), EXIT_OF_CODE[failure.code]);
}

/** With the names and forms that the API has. */
function shown(key: ApiKey): object {
  return {
    id: key.id,
    tenantId: key.tenant,
    name: key.name,
    prefix: keyPrefix(key),
    scopes: key.scopes,
    queues: key.queues,
    createdAt: instant(key.createdAtMs),
    lastUsedAt: instant(key.lastUsedAtMs),
    expiresAt: instant(key.expiresAtMs),
    revokedAt: instant(key.revokedAtMs),
  };
}

function row(key: ApiKey): readonly string[] {
  const instants = [key.createdAtMs, key.lastUsedAtMs, key.expiresAtMs, key.revokedAtMs].map((ms) => instant(ms) ?? '-');
  return [key.id, key.name, keyPrefix(key), key.scopes.join(','), key.queues.join(',') || '*', ...instants];
}

function described({ id, name, tenant, scopes, queues, expiresAtMs }: ApiKey): string {
  const where = queues.length === 0 ? 'in every queue' : `in ${queues.join(', ')}`;
  return `key ${id} (${name}) of the tenant ${tenant}: ${scopes.join(', ')} ${where}, ${expiresAtMs === null ? 'without an end' : `until ${instant(expiresAtMs)}`}`;
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
