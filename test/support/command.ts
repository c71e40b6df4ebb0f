/** The real command line as a process of its own, as a person calls it. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

const NO_SETTINGS = fileURLToPath(new URL('./no-settings', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What is sent into standard input; absent: nothing. */
  readonly input?: string;
  /** The program at the other end of standard output, in the words of a shell. */
  readonly into?: string;
}

/** Runs `leasequeue` with these words to its end. */
export async function leasequeue(words: readonly string[], { env = {}, cwd, input, into }: CommandOptions = {}): Promise<CommandResult> {
  const call = [process.execPath, MAIN, ...words];
  // The shell's own exit code is that of the reader, so that the command's goes out beside it.
  const piped = ['-c', `{ "$0" "$@"; echo "exit $?" >&2; } | ${into}`, ...call];
  const [program = '', ...args] = into === undefined ? call : ['sh', ...piped];
  const child = spawn(program, args, {
    // Not the contexts of whoever runs the tests.
    env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: NO_SETTINGS, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  // A command that reads none of it may be gone before.
  child.stdin.on('error', () => {}).end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (into === undefined) return { code, stdout, stderr };
  const [, own] = /exit (\d+)\n/.exec(stderr) ?? [];
  return { code: Number(own), stdout, stderr: stderr.replace(/exit \d+\n/, '') };
}

/** The one value that the command prints as JSON. */
export function documentOf({ stdout }: CommandResult): unknown {
  return JSON.parse(stdout) as unknown;
}

/** A command that goes on until somebody ends it. */
export interface RunningCommand {
  /** The next line on standard output; null where it has ended. */
  line(): Promise<string | null>;
  /** Ends once standard error holds a match. */
  said(pattern: RegExp): Promise<void>;
  /** Sends the signal and answers with how it ended, and what it had said on standard error. */
  end(signal: NodeJS.Signals): Promise<Omit<CommandResult, 'stdout'>>;
  readonly ended: Promise<Omit<CommandResult, 'stdout'>>;
}

export function startLeasequeue(words: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: NO_SETTINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let stderr = '';
  const more = new EventEmitter();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    more.emit('more');
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }));
  return {
    async line() {
      const { value, done } = await lines.next();
      return done === true ? null : value;
    },
    async said(pattern) {
      while (!pattern.test(stderr)) await once(more, 'more');
    },
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Types a line into a shell that knows `leasequeue`. */
export async function typed(line: string, { env = {} }: Pick<CommandOptions, 'env'> = {}): Promise<CommandResult> {
  const shell = `leasequeue() { "${process.execPath}" "${MAIN}" "$@"; }\n${line}`;
  const child = spawn('bash', ['-c', shell], {
    env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: NO_SETTINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
