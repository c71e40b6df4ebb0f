/** The command line on a real terminal, which `script` of util-linux makes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

export interface Terminal {
  /** All that was written so far. */
  text(): string;
  /** Ends once something that matches was written. */
  shows(pattern: RegExp): Promise<void>;
  press(keys: string): void;
  /** The command's exit code. */
  readonly ended: Promise<number | null>;
}

/** A terminal of 100 × 12. `folder` has the program, and nobody's settings. */
export function onTerminal(folder: string, url: string, line: string): Terminal {
  // The shell becomes the command, so that the exit code is its own.
  const child = spawn('script', ['-qec', `stty cols 100 rows 12; exec leasequeue ${line}`, '/dev/null'], {
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, XDG_CONFIG_HOME: `${folder}/home`, TERM: 'xterm', LEASEQUEUE_URL: url },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (some: string) => (text += some));
  return {
    text: () => text,
    async shows(pattern) {
      while (!pattern.test(text)) await once(child.stdout, 'data');
    },
    press: (keys) => void child.stdin.write(keys),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}
