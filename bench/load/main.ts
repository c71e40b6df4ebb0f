/** The process that makes the load: takes tasks by name, one at a time. */
import type { Outcome } from './load-process.ts';
import { TASKS } from './tasks.ts';

interface Order {
  readonly name: keyof typeof TASKS;
  readonly parameters: never;
}

async function perform({ name, parameters }: Order): Promise<Outcome> {
  try {
    const task: (parameters: never) => Promise<unknown> = TASKS[name];
    return { ok: true, result: await task(parameters) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (order: Order) => void perform(order).then((outcome) => process.send?.(outcome)));
process.on('disconnect', () => process.exit(0));
