/** The process that makes the load, as the one that measures sees it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { owned } from '../children.ts';
import { BENCH } from '../workspace.ts';
import type { Tasks } from './tasks.ts';

export interface LoadProcess extends AsyncDisposable {
  /** One task at a time. Rejects with the reason where the load was not served as it should be. */
  run<Name extends keyof Tasks>(name: Name, parameters: Parameters<Tasks[Name]>[0]): Promise<Awaited<ReturnType<Tasks[Name]>>>;
}

export type Outcome = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly reason: string };

class ForkedLoad implements LoadProcess {
  #child: ChildProcess | null = null;

  async run<Name extends keyof Tasks>(name: Name, parameters: Parameters<Tasks[Name]>[0]): Promise<Awaited<ReturnType<Tasks[Name]>>> {
    const child = (this.#child ??= this.#fork());
    const over = new AbortController();
    const answered = once(child, 'message', { signal: over.signal }) as Promise<[Outcome]>;
    const ended = once(child, 'exit', { signal: over.signal }).then(([code]): never => {
      throw new Error(`the load process ended with ${String(code)}`);
    });
    child.send({ name, parameters });
    try {
      const [outcome] = await Promise.race([answered, ended]);
      if (!outcome.ok) throw new Error(outcome.reason);
      return outcome.result as Awaited<ReturnType<Tasks[Name]>>;
    } finally {
      over.abort();
      for (const promise of [answered, ended]) promise.catch(() => {});
    }
  }

  /** One that ends by itself, also between two tasks, makes place for another. */
  #fork(): ChildProcess {
    const child = owned(fork(join(BENCH, 'load/main.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    return child;
  }

  /** The next task begins in a fresh process. */
  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

/** Starts with the first task. */
export function createLoadProcess(): LoadProcess {
  return new ForkedLoad();
}
