/** Runs calls twice, with handles of somebody else and with their twins of nothing, and says where the answers differ. */
import type { Scope } from '../../src/domain/access.ts';
import { type Call, type Generator, GENERATORS, type Own } from './generators.ts';
import { CANARY, type Handles, handlesByPlace, twinsOf } from './handles.ts';
import { type Way, WAYS } from './ways.ts';
import type { Asker, World } from './world.ts';

export interface Pair {
  readonly field: string;
  readonly isForSystem: boolean;
  readonly stores: boolean;
  readonly foreign: Asked;
  readonly unknown: Asked;
}
interface Asked {
  readonly document: string;
  readonly variables: object;
  readonly tenant?: string;
}

type Places = readonly (readonly [place: string, text: string])[];

/** Each call of each generator beside the same call with the twins; those that store a name come last. */
export function pairsOf(other: Handles, own: Own): readonly Pair[] {
  const twins = twinsOf(other);
  const pairs = Object.entries(GENERATORS).flatMap(([field, generate]: readonly [string, Generator]) => {
    const unknown = generate(twins, own);
    const calls = generate(other, own).map((foreign, index) => pairOf(field, foreign, unknown[index]));
    return [...calls, ...calls.slice(0, 1).map((pair) => namingTenant(pair, other, twins))];
  });
  return [...pairs.filter(({ stores }) => !stores), ...pairs.filter(({ stores }) => stores)];
}

function pairOf(field: string, foreign: Call, unknown: Call | undefined): Pair {
  if (unknown === undefined) throw new Error(`${field} generates other calls for a twin`);
  return { field, isForSystem: foreign.isForSystem, stores: foreign.stores, foreign, unknown };
}

/** The same call for the tenant of the handles by name, which a SYSTEM key may do. */
function namingTenant(pair: Pair, { tenantId }: Handles, twins: Handles): Pair {
  return { ...pair, isForSystem: true, foreign: { ...pair.foreign, tenant: tenantId }, unknown: { ...pair.unknown, tenant: twins.tenantId } };
}

export interface Outcome {
  /** One line for each fault. */
  readonly faults: readonly string[];
  readonly calls: number;
  readonly fields: ReadonlySet<string>;
}

/** For want of a scope, or because the transport does not take it: before any argument was looked at, so that one call of a field shows it. */
const isRefusedUnread = (answer: string): boolean => /"scopes":\[|lacks the scope READ|from a POST request|must be a subscription here/.test(answer);

/** Whether the first field is not null. */
export const hasData = (answer: string): boolean => /"data":\{"\w+":[^n]/.test(answer);
const mayEverything = (scopes: readonly Scope[]): boolean => scopes.includes('SYSTEM');

export async function compareAll(world: World, askers: readonly Asker[], other: Handles, own: Own): Promise<Outcome> {
  const [ofOther, ofTwins] = [handlesByPlace(other), handlesByPlace(twinsOf(other))];
  const faults: string[] = [];
  const refused = new Set<string>();
  let calls = 0;
  const pairs = pairsOf(other, own);
  for (const pair of pairs) {
    for (const { name, key, scopes } of askers) {
      if (pair.isForSystem && mayEverything(scopes)) continue;
      const compare = async ([wayName, way]: readonly [string, Way]): Promise<void> => {
        const spot = `${pair.field}, ${name}, ${wayName}`;
        if (refused.has(spot)) return;
        const unknown = await way(world, { ...pair.unknown, key });
        const foreign = await way(world, { ...pair.foreign, key });
        calls += 2;
        if (isRefusedUnread(foreign)) refused.add(spot);
        const shown = withoutHandles(foreign, pair.foreign, ofOther);
        const where = `${spot}, ${JSON.stringify(pair.foreign.variables)}`;
        if (shown !== withoutHandles(unknown, pair.unknown, ofTwins)) faults.push(`${where} differs:\n  foreign ${foreign}\n  unknown ${unknown}`);
        if ((shown + decoded(shown)).includes(CANARY)) faults.push(`${where} tells:\n  ${foreign}`);
      };
      // What stores takes turns, so that each way finds what the one before has left, for the handles and the twins alike.
      if (pair.stores) for (const way of Object.entries(WAYS)) await compare(way);
      else await Promise.all(Object.entries(WAYS).map(compare));
    }
  }
  return { faults, calls, fields: new Set(pairs.map(({ field }) => field)) };
}

/** The answer with each handle that the call has named replaced by its place, which is the same for its twin. */
function withoutHandles(answer: string, { variables, tenant = '' }: Asked, places: Places): string {
  const named = JSON.stringify(variables) + tenant;
  return places.reduce((text, [place, handle]) => (named.includes(handle) ? text.replaceAll(handle, `‹${place}›`) : text), answer);
}

/** What base64 in it says, where cursors are. */
function decoded(text: string): string {
  return (text.match(/[\w-]{24,}/g) ?? []).map((word) => Buffer.from(word, 'base64url').toString()).join('\n');
}
