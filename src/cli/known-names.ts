/** Names for the completion of a command line, asked of the server in the time that a person does not notice. Whatever goes wrong, there are none. */
import { parseTenantId } from '../auth/principal.ts';
import { followsRule, NAME } from '../domain/text.ts';
import { systemClock, type Clock } from '../runtime/clock.ts';
import type { NameKind } from './completion-place.ts';
import { type ConnectionFlags, readConnection } from './connection.ts';
import { readContexts } from './contexts.ts';
import { requestHeaders } from './request-headers.ts';

const ANSWER_MS_MAX = 300;

/** Tasks are those of the newest jobs. */
const QUERIES: Readonly<Record<Exclude<NameKind, 'context'>, string>> = {
  queue: '{ names: queues(first: 100) { nodes { name } } }',
  task: '{ names: jobs(first: 100) { nodes { name: task } } }',
  tenant: '{ names: tenants(first: 100) { nodes { name: id } } }',
};

export async function knownNames(kind: NameKind, flags: ConnectionFlags, clock: Clock = systemClock): Promise<readonly string[]> {
  try {
    if (kind === 'context') return [...readContexts().byName.keys()].toSorted();
    return namesIn(await ask(QUERIES[kind], flags, clock), kind);
  } catch {
    // Who presses a key for a completion has asked for no error.
    return [];
  }
}

async function ask(query: string, flags: ConnectionFlags, clock: Clock): Promise<unknown> {
  const connection = readConnection(flags);
  const late = new AbortController();
  const stopWaiting = clock.after(ANSWER_MS_MAX, () => late.abort());
  try {
    const response = await fetch(`${connection.url}/graphql`, {
      method: 'POST',
      headers: requestHeaders(connection),
      body: JSON.stringify({ query }),
      signal: late.signal,
      redirect: 'error',
    });
    return (await response.json()) as unknown;
  } finally {
    stopWaiting();
  }
}

/** The answer is the word of whoever listens there: what is no name goes into no command line. */
function namesIn(answer: unknown, kind: NameKind): readonly string[] {
  const { data } = answer as { readonly data: { readonly names: { readonly nodes: readonly { readonly name: unknown }[] } } };
  const isName = (name: unknown): name is string => typeof name === 'string' && (kind === 'tenant' ? parseTenantId(name) !== null : followsRule(name, NAME));
  return [...new Set(data.names.nodes.map(({ name }) => name).filter(isName))].toSorted();
}
