/** A worker of the command line at work: from its flags until it has stopped, by a signal or because it is done. */
import { hostname } from 'node:os';
import { defineTask, type Task } from '../../client/task.ts';
import type { JobContext } from '../../worker/registration.ts';
import type { ShiftReport } from '../../worker/shift.ts';
import { type StopSignals, untilSignals } from '../../worker/signals.ts';
import { Worker } from '../../worker/worker.ts';
import type { WorkerEvent } from '../../worker/worker-events.ts';
import { connectionOf } from '../client-command.ts';
import { clientOf } from '../make-client.ts';
import { CommandFailure, EXIT } from '../failure.ts';
import { jsonLine, type Output } from '../print.ts';
import type { WorkerFlags } from './flags.ts';
import { type Counts, counted, lineOf, NONE, outcomeOf, stoppedLine } from './log.ts';

export interface SessionParts {
  readonly output: Output;
  /** Outcomes go to standard output as JSON Lines. */
  readonly printsOutcomes: boolean;
  readonly handle: (context: JobContext) => unknown;
  /** Whoever still works has no time left. */
  readonly hurry: () => void;
}

/** How long a claim waits where an empty queue is the end. */
const SHORT_WAIT = '1s';
/** Nothing is given back while a program lives, however long that takes: its handler is never given up. */
const AS_LONG_AS_IT_TAKES = '365d';

export class Session {
  readonly #flags: WorkerFlags;
  readonly #parts: SessionParts;
  readonly #worker: Worker;
  #counts: Counts = NONE;
  #running = 0;
  #cutShort = 0;
  #broken: CommandFailure | null = null;
  /** The last line; those before it are out by then. */
  #written: Promise<void> = Promise.resolve();

  constructor(flags: WorkerFlags, parts: SessionParts) {
    [this.#flags, this.#parts] = [flags, parts];
    this.#worker = workerOf(flags, parts, (event) => this.#hear(event));
  }

  /** Throws a CommandFailure where the end is not a good one, with its exit code. */
  async run(): Promise<void> {
    this.#worker.start();
    const signals = untilSignals({ first: () => this.stop(), second: () => this.#cutGrace(signals) });
    // Of a terminal that was closed. Programs are in groups of their own, which it does not reach.
    const hangUp = (): void => void process.emit('SIGTERM', 'SIGTERM');
    process.on('SIGHUP', hangUp);
    const report = await this.#worker.ended;
    await this.#written;
    signals.release();
    process.off('SIGHUP', hangUp);
    this.#parts.output.talk(stoppedLine(this.#counts));
    this.#judge(report, signals);
  }

  /** As the first signal does. */
  stop(): void {
    void this.#worker.stop();
  }

  /** Stops, and ends the command with this. It is said once, however many jobs meet it. */
  fail(failure: CommandFailure): void {
    this.#broken ??= failure;
    this.stop();
  }

  /** A third signal is for a program that even SIGKILL does not end. */
  #cutGrace(signals: StopSignals): void {
    if (signals.count() > 2) signals.exit();
    this.#parts.hurry();
    void this.#worker.stopSoon();
  }

  #hear(event: WorkerEvent): void {
    this.#counts = counted(this.#counts, event);
    this.#count(event);
    const line = lineOf(event);
    if (line !== null) this.#parts.output.talk(line);
    const outcome = this.#parts.printsOutcomes ? outcomeOf(event) : null;
    if (outcome !== null) this.#written = this.#print(jsonLine(outcome));
  }

  #count(event: WorkerEvent): void {
    if (event.type === 'job-started') this.#running += 1;
    if (event.type === 'job-aborted' && event.reason === 'shutdown') this.#cutShort += 1;
    if (event.type === 'no-work' && this.#flags.untilIdle && this.#ended >= this.#running) this.stop();
  }

  get #ended(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
  }

  /** A reader that is gone stops the worker. */
  async #print(text: string): Promise<void> {
    if ((await this.#parts.output.tryData(text)) !== null) this.stop();
  }

  #judge({ error, unsettled }: ShiftReport, signals: StopSignals): void {
    if (error !== null) throw error;
    if (this.#broken !== null) throw this.#broken;
    if (this.#cutShort === 0 && unsettled === 0 && signals.count() < 2) return;
    const cut = `stopped before all work had ended: ${jobsText(this.#cutShort)} cut short and handed back.`;
    const unheard = unsettled === 0 ? '' : ` The server does not know how ${jobsText(unsettled)} left: the leases lapse, and then the jobs run again.`;
    throw new CommandFailure(`${cut}${unheard}`, signals.latest() === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
  }
}

function jobsText(count: number): string {
  return count === 1 ? '1 job was' : `${count} jobs were`;
}

function workerOf(flags: WorkerFlags, { output, handle }: SessionParts, onEvent: (event: WorkerEvent) => void): Worker {
  const { queue, task, concurrency = 1, lease, grace, timeout, worker, once, maxJobs, untilIdle } = flags;
  // What is to be repeated is the worker's to decide, which knows how long a lease lasts.
  const lq = clientOf(connectionOf(flags, output), { retryFor: 0 });
  const most = once ? 1 : maxJobs;
  const made = new Worker(lq, {
    ...{ queues: queue, concurrency, workerId: worker ?? `${hostname()}-${process.pid}`, onEvent, abortGrace: AS_LONG_AS_IT_TAKES },
    ...(lease !== undefined && { lease }),
    ...(grace !== undefined && { grace }),
    ...(most !== undefined && { maxJobs: most }),
    ...(untilIdle && { wait: SHORT_WAIT }),
  });
  const options = timeout === undefined ? {} : { timeout };
  if (task === undefined) return made.onAny(handle, options);
  for (const name of task) made.on(taskNamed(name), handle, options);
  return made;
}

/** Its payload may be whatever it is: the program looks at it. */
function taskNamed(name: string): Task {
  return defineTask({ name, input: { '~standard': { version: 1, vendor: 'leasequeue', validate: (value) => ({ value: value as object }) } } });
}
