/**
 * A program with everything that it starts: a process group of its own, so that Ctrl-C at a terminal reaches the worker
 * alone, and so that nothing of it is left when the job is given back.
 */
import type { Clock } from '../../runtime/clock.ts';

export interface ProcessGroup {
  /** Asks all of it to end, and kills what is left of it after a while. */
  stop(): void;
  kill(): void;
  /** Whether one of the two was called. */
  isStopped(): boolean;
  /** Ends when nobody is left. Stops whoever outlives the program that was started. */
  gone(): Promise<void>;
}

const LOOK_MS = 20;
/** What is killed is gone within the kernel's own time. Past this, only the remains of processes answer that nobody collects. */
const DYING_MS_MAX = 2_000;

export function processGroup(pid: number, { clock, killAfterMs }: { readonly clock: Clock; readonly killAfterMs: number }): ProcessGroup {
  /** Its number may be another's by then. */
  let isGone = false;
  let stopWaiting = (): void => {};
  let state: 'runs' | 'stopped' | 'killed' = 'runs';
  const kill = (): void => {
    state = 'killed';
    if (!isGone) signalGroup(pid, 'SIGKILL');
  };
  const stop = (): void => {
    if (state !== 'runs') return;
    state = 'stopped';
    if (isGone) return;
    signalGroup(pid, 'SIGTERM');
    stopWaiting = clock.after(killAfterMs, kill);
  };
  return {
    stop,
    kill,
    isStopped: () => state !== 'runs',
    async gone() {
      if (isAlive(pid)) stop();
      for (let leftMs = DYING_MS_MAX; leftMs > 0 && isAlive(pid); ) {
        await clock.sleep(LOOK_MS);
        if (state === 'killed') leftMs -= LOOK_MS;
      }
      isGone = true;
      stopWaiting();
    },
  };
}

function isAlive(pid: number): boolean {
  return signalGroup(pid, 0);
}

/** False: nobody is there any more. Windows knows no groups, so that only the program itself is reached there. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    return false;
  }
}
