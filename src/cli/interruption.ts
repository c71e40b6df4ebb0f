/** What happens to a command on Ctrl-C and on a request to terminate: a signal that everything under way listens to. */
import { CommandFailure, EXIT } from './failure.ts';

export interface Interruption extends Disposable {
  /** Aborts with the CommandFailure that the command ends with. */
  readonly signal: AbortSignal;
}

const ENDINGS = {
  SIGINT: ['Interrupted', EXIT.interrupted],
  SIGTERM: ['Terminated', EXIT.terminated],
} as const;

/** A second signal ends the process at once. */
export function interruption(): Interruption {
  const controller = new AbortController();
  const listeners = Object.entries(ENDINGS).map(([name, [what, exitCode]]) => {
    const listener = (): void => {
      if (controller.signal.aborted) process.exit(exitCode);
      controller.abort(new CommandFailure(`${what}. What was sent before may still be carried out.`, exitCode));
    };
    process.on(name, listener);
    return [name, listener] as const;
  });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const [name, listener] of listeners) process.off(name, listener);
    },
  };
}
