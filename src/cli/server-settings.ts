/** The server's settings as they are in this environment, for who asks what a server started here would do. */
import { CONFIG_VARIABLES, readConfig } from '../runtime/config.ts';
import type { Environ } from '../runtime/environment.ts';

export interface ServerSettings {
  readonly settings: readonly ServerSetting[];
  readonly problems: readonly string[];
}
interface ServerSetting {
  readonly name: string;
  /** Null: none. A value that is wrong is not shown: it may be a secret that went astray. */
  readonly value: string | null;
  readonly origin: string;
}

export function serverSettings(env: Environ): ServerSettings {
  const result = readConfig(env);
  const problems = result.ok ? [] : result.problems;
  const settings = CONFIG_VARIABLES.map(({ name, default: value }) => {
    const own = env[name];
    if (own === undefined) return { name, value: value?.replaceAll('`', '') ?? null, origin: 'default' };
    return { name, value: problems.some((problem) => problem.startsWith(`${name} `)) ? '(wrong)' : own, origin: `variable ${name}` };
  });
  return { settings, problems };
}
