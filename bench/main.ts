/** The benchmark's entry: what is asked for is measured, printed as a table, and kept as JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readConditions } from './conditions.ts';
import { goalsOf } from './goals.ts';
import { HELP, type Options, readOptions, UsageError } from './options.ts';
import { conditionLine, goalLines, tableOf } from './report.ts';
import { describeProfile } from './profile.ts';
import type { Measurement, Row, Suite } from './row.ts';
import { measure } from './run.ts';
import { nodeArguments } from './server/server-process.ts';
import { FULL, QUICK, type Scale } from './scale.ts';
import { againstSuite } from './suites/against.ts';
import { GROUPS, GROUPS_WITH_PEERS } from './suites/all.ts';
import { BENCH, buildServer, installPeers, openWorkspace } from './workspace.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function scaleOf({ quick, repeats, mixedSeconds, screenJobs, screenDatabase, peers }: Options): Scale {
  const scale = quick ? QUICK : FULL;
  // Other queues take as long as they take.
  const secondsMax = peers ? Number.POSITIVE_INFINITY : scale.secondsMax;
  const screens = { ...scale.screens, jobs: screenJobs ?? scale.screens.jobs, path: screenDatabase === null ? null : resolve(screenDatabase) };
  return { ...scale, secondsMax, repeats: repeats ?? scale.repeats, mixedSeconds: mixedSeconds ?? scale.mixedSeconds, screens };
}

/** Throws `UsageError` where a name given begins no row. */
function wantedRows(suites: readonly Suite[], { only: given, quick, profile }: Options): readonly Row[] {
  const only = profile === null ? given : [profile];
  const rows = suites.flatMap((suite) => suite.rows);
  const mode = quick ? 'quick' : 'full';
  const unknown = only.filter((prefix) => !rows.some(({ name }) => name.startsWith(prefix)));
  if (unknown.length > 0) throw new UsageError(`no row begins with ${unknown.join(', ')}; --list names them all`);
  return rows.filter(({ name, scale }) => (scale ?? mode) === mode && (only.length === 0 || only.some((prefix) => name.startsWith(prefix))));
}

function list(suites: readonly Suite[]): void {
  for (const { name, rows } of suites) {
    console.log(`\n${name}`);
    for (const row of rows) console.log(`  ${row.name.padEnd(36)} ${row.what}${row.scale === undefined ? '' : ` (${row.scale} runs only)`}`);
  }
}

async function main(options: Options): Promise<void> {
  if (options.help) return void process.stdout.write(HELP);
  if (options.list) return list(GROUPS_WITH_PEERS.flat());
  const checkout = options.against === null ? null : resolve(options.against);
  const groups = checkout !== null ? [[againstSuite(checkout)]] : options.peers ? GROUPS_WITH_PEERS : GROUPS;
  const wanted = wantedRows(groups.flat(), options);
  const scale = scaleOf(options);
  using workspace = openWorkspace(options.folder);
  const conditions = readConditions(workspace.folder, options.peers);
  say(conditionLine(conditions));
  if (options.peers) installPeers(say);
  say('compiling the server');
  buildServer();
  if (checkout !== null) buildServer(checkout);
  const profiles = join(workspace.folder, 'profiles');
  if (options.profile !== null) nodeArguments.push('--cpu-prof', `--cpu-prof-dir=${profiles}`);
  const startedAt = new Date();
  const measurements = await measure({ groups, wanted: new Set(wanted.map(({ name }) => name)), scale, workspace, say });
  const goals = goalsOf(measurements);
  console.log(
    `\n${tableOf(measurements)}\n\n${goalLines(options.only.length === 0 && options.profile === null && checkout === null ? goals : goals.filter(({ value }) => value !== null))}\n\n${conditionLine(conditions)}`,
  );
  if (options.profile !== null) console.log(`\n${describeProfile(profiles)}`);
  const path = options.out ?? join(BENCH, 'results', `${startedAt.toISOString().replaceAll(':', '-')}.json`);
  mkdirSync(dirname(path), { recursive: true });
  const result = { startedAt, seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000), scale, conditions, measurements, goals };
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
  say(`kept in ${path}`);
  if (measurements.some(hasFailed)) process.exitCode = EXIT_FAILED;
}

function hasFailed({ problem }: Measurement): boolean {
  return problem?.kind === 'failed';
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(EXIT_INTERRUPTED));

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say(`${error.message}\nTry --help.`);
  process.exitCode = EXIT_USAGE;
}
