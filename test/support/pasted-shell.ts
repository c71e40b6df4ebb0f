/** A shell that is given commands one after another, as by somebody who pastes them, and everything that it prints. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What the shell says about its background jobs. */
const OF_THE_SHELL = /^bash: .*Killed.*\n/gm;
const END = '=== the end of a step ===';

export class PastedShell {
  readonly #shell;
  #printed = '';
  #onPrint: () => void = () => {};

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    // One pipe for both, so that lines come in the order in which they were written; a group, so that nothing outlives it.
    this.#shell = spawn('bash', ['-c', 'exec bash 2>&1'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    this.#shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text;
      this.#onPrint();
    });
  }

  /** Begins with nothing printed. */
  type(commands: string): void {
    this.#printed = '';
    this.#shell.stdin.write(commands);
  }

  /** Ends with the commands. */
  async run(commands: string, ms: number): Promise<void> {
    this.type(`${commands}\necho '${END}'\n`);
    await this.until(() => this.#printed.includes(`${END}\n`), ms);
  }

  get printed(): string {
    return this.#printed.replace(`${END}\n`, '').replaceAll(OF_THE_SHELL, '');
  }

  /** Ends as soon as this is so; false where it is not within this time. */
  async until(isSo: () => boolean, ms: number): Promise<boolean> {
    const late = AbortSignal.timeout(ms);
    while (!isSo() && !late.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onPrint = resolve;
      late.addEventListener('abort', () => resolve(), { once: true });
      await promise;
    }
    return isSo();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#shell, 'close');
    process.kill(-(this.#shell.pid ?? 0), 'SIGKILL');
    await closed;
  }
}
