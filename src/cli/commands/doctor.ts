/** `leasequeue doctor`: what is wrong with this installation, line by line, and what to do about it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../runtime/clock.ts';
import { readDatabasePath } from '../../runtime/config.ts';
import { type Environ, processEnvironment } from '../../runtime/environment.ts';
import { readConnection } from '../connection.ts';
import { fileSymptoms } from '../doctor/files.ts';
import { serverSymptoms } from '../doctor/server.ts';
import { nodeSymptom, settingsSymptoms } from '../doctor/settings.ts';
import { bad, ok, type Symptom, warn } from '../doctor/symptom.ts';
import { examples } from '../examples.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { runsServer } from '../node-version.ts';
import { jsonDocument, type Output } from '../print.ts';

const REMARK = `
It looks at the settings that a server would have here, at the database that LEASEQUEUE_DATABASE_PATH names,
and at the server that the other commands would ask, and changes nothing. It ends with 0 where nothing is bad, else with 1.`;

export function defineDoctor(noun: Command, output: Output): void {
  noun.option('--json', 'print one JSON document').action((options: { readonly json?: true }) => examineAll(options.json === true, output));
  examples(noun, 'leasequeue doctor', 'leasequeue doctor --json').addHelpText('after', REMARK);
}

async function examineAll(json: boolean, output: Output): Promise<void> {
  const env = processEnvironment();
  const { node } = process.versions;
  const symptoms = [nodeSymptom(node), ...settingsSymptoms(env), ...(await databaseSymptoms(env, runsServer(node))), ...(await connectionSymptoms())];
  const ill = symptoms.filter(({ level }) => level === 'bad').length;
  await output.data(json ? jsonDocument({ healthy: ill === 0, symptoms }) : symptoms.map(line).join(''));
  if (ill > 0) throw new CommandFailure(`${ill} of ${symptoms.length} lines ${ill === 1 ? 'is' : 'are'} bad. Nothing was changed.`, EXIT.failed);
  output.talk('Nothing is bad.');
}

/** Of the server that client commands would ask: an unreachable one is bad where somebody named it. */
async function connectionSymptoms(): Promise<readonly Symptom[]> {
  try {
    const { url, origins } = readConnection();
    return await serverSymptoms({ url: origins.url === 'default' ? null : url, clock: systemClock });
  } catch (error) {
    if (error instanceof CommandFailure) return [bad('client', error.message, 'See `leasequeue config show --origin`')];
    throw error;
  }
}

async function databaseSymptoms(env: Environ, canOpen: boolean): Promise<readonly Symptom[]> {
  const named = readDatabasePath(env);
  // Said already, of the settings.
  if (!named.ok) return [];
  if (named.path === ':memory:') return [ok('database', 'in the memory of its server')];
  const path = resolve(named.path);
  const files = fileSymptoms(path);
  const hasBad = files.some(({ level, about }) => level === 'bad' && about !== 'space');
  if (hasBad) return files;
  if (!canOpen) return [...files, bad('content', 'was not looked at', 'Call the doctor with the Node of the server.')];
  const { contentSymptoms, leftoverSymptoms, ownerSymptom, restoreSymptom } = await import('../doctor/content.ts');
  const known = [...files, ...leftoverSymptoms(path)];
  const interrupted = restoreSymptom(path);
  if (interrupted !== null) return [...known, interrupted];
  if (!existsSync(path)) return [...known, noneYet(path)];
  return [...known, ownerSymptom(path), ...(await contentSymptoms(path))];
}

function noneYet(path: string): Symptom {
  return warn('database', `there is none at ${path}`, 'A server makes it at its first start. Is the path right?');
}

function line({ level, about, found, advice }: Symptom): string {
  return `${level.padEnd(4)}  ${about.padEnd(8)}  ${found}\n${advice === null ? '' : `                → ${advice}\n`}`;
}
