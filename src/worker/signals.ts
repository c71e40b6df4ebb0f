/** What a process is told from outside: SIGTERM by an orchestrator, SIGINT by a keyboard. */

const NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof NUMBERS;

export interface StopSignals {
  count(): number;
  first(): StopSignal | null;
  latest(): StopSignal | null;
  /** Listens no more: the next signal ends the process as usual. */
  release(): void;
  /** Ends the process as the latest signal would have. */
  exit(): void;
}

export function untilSignals({ first, second }: { readonly first: () => void; readonly second: () => void }): StopSignals {
  const seen: StopSignal[] = [];
  const listen = (signal: StopSignal): void => {
    seen.push(signal);
    if (seen.length === 1) first();
    else second();
  };
  const names = Object.keys(NUMBERS) as readonly StopSignal[];
  for (const name of names) process.on(name, listen);
  return {
    count: () => seen.length,
    first: () => seen[0] ?? null,
    latest: () => seen.at(-1) ?? null,
    release() {
      for (const name of names) process.off(name, listen);
    },
    exit() {
      process.exit(128 + NUMBERS[seen.at(-1) ?? 'SIGTERM']);
    },
  };
}
