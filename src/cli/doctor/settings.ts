/** What the doctor says of this process: its Node, and the settings that a server started here would have. */
import { readConfig } from '../../runtime/config.ts';
import type { Environ } from '../../runtime/environment.ts';
import { runsServer, SERVER_NODE_MAJOR_MIN } from '../node-version.ts';
import { bad, ok, type Symptom } from './symptom.ts';

export function nodeSymptom(version: string): Symptom {
  if (runsServer(version)) return ok('node', version);
  return bad('node', `${version} is too old for the server and for whatever opens its database`, `Use Node ${SERVER_NODE_MAJOR_MIN} or later.`);
}

export function settingsSymptoms(env: Environ): readonly Symptom[] {
  const result = readConfig(env);
  if (!result.ok) return result.problems.map((problem) => bad('settings', problem, 'A server does not start with it: change the variable.'));
  const { environment, auth, host, port } = result.config;
  return [ok('settings', `environment ${environment}, authentication ${auth}, address ${host}, port ${port}`)];
}
