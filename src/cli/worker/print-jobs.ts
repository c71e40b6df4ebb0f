/** The worker without a program: prints each job, and completes it once it is printed. */
import { Snooze } from '../../worker/outcomes.ts';
import type { RunningJob } from '../../worker/registration.ts';
import { jsonLine, type Output } from '../print.ts';
import { visible } from '../visible-text.ts';
import type { WorkerFlags } from './flags.ts';
import { Session } from './session.ts';

export async function printJobs(flags: WorkerFlags, output: Output): Promise<void> {
  const session = new Session(flags, {
    output,
    printsOutcomes: false,
    async handle({ job }) {
      if ((await output.tryData(textOf(job, flags))) === null) return null;
      // Nobody has seen it: it is not done.
      session.stop();
      throw new Snooze(0);
    },
    hurry: () => {},
  });
  await session.run();
}

function textOf(job: RunningJob, { json, quiet }: WorkerFlags): string {
  const { id, queue, task, attempt, maxAttempts, fence, priority, createdAt, tags, payload } = job;
  if (json) {
    const given = Object.entries(tags).map(([key, value]) => ({ key, value }));
    return jsonLine({ id, queueName: queue, task, attempt, maxAttempts, fence, priority, createdAt, tags: given, payload });
  }
  return quiet ? `${id}\n` : `${id}  ${visible(`${queue}  ${task}  attempt ${attempt} of ${maxAttempts}  ${JSON.stringify(payload)}`)}\n`;
}
