/**
 * The environment of this process, and the variables in it that are the client's. Loads nothing, so that a client
 * command starts without the server's rules.
 */

/** Names of process.env, or a part of it. */
export type Environ = Readonly<Record<string, string | undefined>>;

export interface ClientVariable {
  readonly name: string;
  readonly meaning: string;
}

/** Of the client library and the command line. A server that finds them in its environment ignores them. */
export const CLIENT_VARIABLES = [
  { name: 'LEASEQUEUE_URL', meaning: 'Where the server is.' },
  { name: 'LEASEQUEUE_TENANT', meaning: "Whose jobs: for a key with the scope SYSTEM, or a server that asks for none. Any other key's tenant is its own." },
  { name: 'LEASEQUEUE_API_KEY', meaning: 'The API key itself.' },
  { name: 'LEASEQUEUE_API_KEY_FILE', meaning: 'A file with the API key in its one line, which nobody but its owner may read (mode 600).' },
  { name: 'LEASEQUEUE_CONTEXT', meaning: 'The named context of the command line to take what is missing from.' },
] as const satisfies readonly ClientVariable[];
export type ClientVariableName = (typeof CLIENT_VARIABLES)[number]['name'];

/** A worker's child program learns its job from them, and may start a server. */
const JOB_PREFIX = 'LEASEQUEUE_JOB_';

/** Whether the variable is somebody else's business than the server's. */
export function isClientVariable(name: string): boolean {
  return name.startsWith(JOB_PREFIX) || CLIENT_VARIABLES.some((variable) => variable.name === name);
}

/** The environment of this process; empty in a browser. */
export function processEnvironment(): Environ {
  return typeof process === 'undefined' ? {} : process.env;
}
