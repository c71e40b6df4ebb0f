/** Where the server's time goes: V8's own profile of it, as text. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './workspace.ts';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Share {
  readonly name: string;
  readonly share: number;
}

const FUNCTIONS_SHOWN = 40;
const MODULES_SHOWN = 25;
/** Waiting is no work. */
const IDLE = new Set(['(idle)', '(program)']);

/** `dist/store/apply.js`, `kysely`, `node:net`, or V8's own word for what has no file. */
function moduleOf(url: string, functionName: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native';
  const path = url.replace(`file://${ROOT}`, '');
  const [, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return name ?? path;
}

function placeOf(functionName: string, url: string, line: number): string {
  const module = moduleOf(url, functionName);
  const file = basename(url);
  return `${functionName || '(anonymous)'}  ${module}${url === '' ? '' : `${module.endsWith(file) ? '' : ` ${file}`}:${line}`}`;
}

function sharesBy(profile: CpuProfile, nameOf: (functionName: string, url: string, line: number) => string): readonly Share[] {
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      IDLE.has(functionName) ? null : nameOf(functionName, url, lineNumber + 1),
    ]),
  );
  const times = new Map<string, number>();
  let total = 0;
  for (const [index, id] of profile.samples.entries()) {
    const name = names.get(id) ?? null;
    if (name === null) continue;
    const us = profile.timeDeltas[index] ?? 0;
    total += us;
    times.set(name, (times.get(name) ?? 0) + us);
  }
  return [...times].map(([name, us]) => ({ name, share: us / total })).toSorted((a, b) => b.share - a.share);
}

function lines(title: string, shares: readonly Share[], shown: number): string {
  return `${title}\n${shares
    .slice(0, shown)
    .map(({ name, share }) => `${(share * 100).toFixed(1).padStart(6)} %  ${name}`)
    .join('\n')}`;
}

/** Of the profiles in a folder, the one with the most samples: the busiest server. Throws where there is none. */
export function describeProfile(folder: string): string {
  const profiles = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile);
  const [busiest] = profiles.toSorted((a, b) => b.samples.length - a.samples.length);
  if (busiest === undefined) throw new Error('no server was profiled: that row is not about the compiled server');
  const modules = sharesBy(busiest, (functionName, url) => moduleOf(url, functionName));
  const functions = sharesBy(busiest, (functionName, url, line) => placeOf(functionName, url, line));
  return `${lines('self time by module, idle time aside', modules, MODULES_SHOWN)}\n\n${lines('self time by function', functions, FUNCTIONS_SHOWN)}`;
}
