/** The client of a queue in inline mode: a submission ends when the job has run. */
import { LeaseQueue, type LeaseQueueOptions } from '../client/client.ts';

export class InlineClient extends LeaseQueue {
  readonly #runDue: () => Promise<unknown>;

  constructor(options: LeaseQueueOptions, runDue: () => Promise<unknown>) {
    super(options);
    this.#runDue = runDue;
  }

  override async submitJob(...given: Parameters<LeaseQueue['submitJob']>): ReturnType<LeaseQueue['submitJob']> {
    const answer = await super.submitJob(...given);
    await this.#runDue();
    return answer;
  }

  override async submitJobs(...given: Parameters<LeaseQueue['submitJobs']>): ReturnType<LeaseQueue['submitJobs']> {
    const answer = await super.submitJobs(...given);
    await this.#runDue();
    return answer;
  }
}
