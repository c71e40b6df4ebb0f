/** Every operation of the API, each asked for by itself: of the client library what a page needs, without batches and event streams. */
import { Caller, type CallOptions } from '../../client/caller.ts';
import { fetchTransport } from '../../client/fetch-transport.ts';
import { CompleteJobDocument, HeartbeatDocument, SubmitJobDocument } from '../../client/generated/graphql.ts';
import type { CompleteJobInput, CompleteJobMutation, HeartbeatItemInput, HeartbeatMutation, SubmitJobInput, SubmitJobMutation } from '../../client/index.ts';
import { Operations } from '../../client/operations.ts';
import { parseJson } from '../../domain/json.ts';
import { systemChance } from '../../runtime/chance.ts';
import { systemClock } from '../../runtime/clock.ts';
import { CSRF, serverUrl } from './address.ts';

/** A person waits: what cannot be repeated within this is told. */
const RETRY_FOR_MS = 3_000;
const ANSWER_MS = 20_000;

type Given<Answer> = Promise<NonNullable<Answer>>;

export class ConsoleClient extends Operations {
  readonly caller: Caller;

  /** `tenant`: named in every request; null leaves it to the key. */
  constructor(tenant: string | null) {
    const endpoint = `${serverUrl}/graphql`;
    const headers = { ...CSRF, ...(tenant !== null && { 'x-leasequeue-tenant': tenant }) };
    const caller = new Caller({
      endpoint,
      transport: fetchTransport({ endpoint, headers }, fetch.bind(globalThis)),
      clock: systemClock,
      chance: systemChance,
      parseJson,
      patienceMs: RETRY_FOR_MS,
      answerMs: ANSWER_MS,
      onRetry: () => {},
    });
    super(caller);
    this.caller = caller;
  }

  /** With a key of its own where it has none, so that it can be repeated. */
  async submitJob(input: SubmitJobInput, options?: CallOptions): Given<SubmitJobMutation['submitJob']> {
    const keyed = { ...input, idempotencyKey: input.idempotencyKey ?? systemChance.word() };
    const { submitJob } = await this.caller.call(SubmitJobDocument, { input: keyed }, { ...options, isRepeatable: true });
    return submitJob as NonNullable<typeof submitJob>;
  }

  async completeJob(input: CompleteJobInput, options?: CallOptions): Given<CompleteJobMutation['completeJob']> {
    const { completeJob } = await this.caller.call(CompleteJobDocument, { input }, { ...options, isRepeatable: true });
    return completeJob as NonNullable<typeof completeJob>;
  }

  async heartbeat(lease: HeartbeatItemInput, options?: CallOptions): Given<NonNullable<HeartbeatMutation['heartbeat']>['results'][number]> {
    const { heartbeat } = await this.caller.call(HeartbeatDocument, { input: { leases: [lease] } }, { ...options, isRepeatable: true });
    const [result] = heartbeat?.results ?? [];
    if (result === undefined) throw new Error('The answer holds no result.');
    return result;
  }
}
