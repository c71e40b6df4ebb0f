/** What every queue can do, so that all are measured by the same code. */

/** What a task in the load process is told to open. */
export interface QueueAddress {
  /** A file that exports `open`. */
  readonly module: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface WorkOptions {
  /** Handlers that run at the same time. */
  readonly concurrency: number;
  /** Jobs that wait in the worker. */
  readonly prefetch: number;
  /** A handler begins; `n` is what was submitted. */
  readonly onStart: (n: number) => void;
  /** The job is finished, and the queue has said that it knows. */
  readonly onDone: () => void;
  readonly onProblem: (error: Error) => void;
}

export interface Queue {
  /** Ends when the queue has taken the job. */
  submit(n: number): Promise<unknown>;
  /** In one call. */
  submitMany(ns: readonly number[]): Promise<unknown>;
  /** Handlers do nothing. */
  work(options: WorkOptions): Promise<{ stop(): Promise<void> }>;
  /** What its server says about when a change is durable, as text for people. */
  settings?(): Promise<string>;
  close(): Promise<void>;
}

export type OpenQueue = (settings: QueueAddress['settings']) => Promise<Queue>;

export async function openQueue({ module, settings }: QueueAddress): Promise<Queue> {
  const { open } = (await import(module)) as { readonly open: OpenQueue };
  return open(settings);
}
