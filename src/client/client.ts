/** The client: every operation of the API, and what is more than an operation: tasks, coalescing, events. */
import { type Chance, systemChance } from '../runtime/chance.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { atTurnEnd } from '../runtime/turn.ts';
import type { ParseJson } from './answers.ts';
import { Batch } from './batch.ts';
import { Caller, type CallOptions, type Operation, type RetryNotice } from './caller.ts';
import { type Duration, durationMs } from './duration.ts';
import { LeaseQueueError, unwrap } from './errors.ts';
import { type EventBatch, type EventOptions, type FollowedEvent, type FollowParts, followEvents } from './events.ts';
import { fetchTransport } from './fetch-transport.ts';
import * as api from './generated/graphql.ts';
import { leavable } from './leavable.ts';
import { nodeTransport } from './node-transport.ts';
import { Operations } from './operations.ts';
import { watchReach } from './reach.ts';
import { type Address, endpointOf, headersOf } from './settings.ts';
import { parseBySchema } from './standard-schema.ts';
import { type SubmitOptions, submissionOf } from './submission.ts';
import type { Task, TaskInput } from './task.ts';
import type { EndpointParts, Transport } from './transport.ts';

export interface LeaseQueueOptions extends Address {
  /** How long a call goes on trying while the server cannot be reached or asks to wait. 30 s where absent. */
  readonly retryFor?: Duration;
  /** Told before a call is repeated: for a log, or a line on a screen. */
  readonly onRetry?: (notice: RetryNotice) => void;
  /** Told when the server answers again after that. */
  readonly onReached?: () => void;
  /** Instead of the platform's, for proxies and agents. */
  readonly fetch?: typeof fetch;
  /** Instead of HTTP. */
  readonly transport?: Transport;
  /** Reads answers. `JSON.parse` where absent, which rounds integers beyond 2^53. */
  readonly parseJson?: ParseJson;
  /** Gives up every call of the client, as the signal of a call does. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly chance?: Chance;
}

type SubmitResult = NonNullable<api.SubmitJobMutation['submitJob']>;
type CompleteResult = NonNullable<api.CompleteJobMutation['completeJob']>;
type HeartbeatResult = NonNullable<api.HeartbeatMutation['heartbeat']>['results'][number];
export type SubmittedJob = Extract<SubmitResult, { readonly __typename: 'SubmitJobSuccess' }>['job'];

export interface Submitted {
  readonly job: SubmittedJob;
  /** True: the idempotency key, or the call when it was repeated, was known, and the job is the one that it made. */
  readonly deduplicated: boolean;
}

const RETRY_FOR_MS = 30_000;
/** For an answer that the server does not hold back: a bulk call or a rare search may take its five seconds. */
const ANSWER_MS = 20_000;

/** For each item of a list that asks for one. */
type ResultOf<Field> = Field extends { readonly results: readonly (infer Result)[] } ? Result : never;

export class LeaseQueue extends Operations {
  /** How the worker asks; not for programs. */
  readonly caller: Caller;
  /** Of this client, and of workers that use it. */
  readonly clock: Clock;
  readonly chance: Chance;
  readonly #following: FollowParts;
  readonly #patienceMs: number;
  readonly #submissions: Batch<api.SubmitJobInput, SubmitResult>;
  readonly #completions: Batch<api.CompleteJobInput, CompleteResult>;
  readonly #heartbeats: Batch<api.HeartbeatItemInput, HeartbeatResult>;
  #requestPrefix: string | null = null;
  #requests = 0;

  /** Everything that is absent comes from LEASEQUEUE_URL, LEASEQUEUE_API_KEY (or _FILE) and LEASEQUEUE_TENANT. Throws BAD_SETTINGS. */
  constructor(options: LeaseQueueOptions = {}) {
    const { clock = systemClock, chance = systemChance, parseJson = JSON.parse as ParseJson } = options;
    const endpoint = endpointOf(options);
    const way = options.transport ?? transportTo({ endpoint, headers: headersOf(options) }, options.fetch, clock);
    const { transport, onRetry } = watchReach(way, options.onRetry ?? (() => {}), options.onReached ?? (() => {}));
    const patienceMs = durationMs(options.retryFor ?? RETRY_FOR_MS);
    const caller = new Caller({ endpoint, transport, clock, chance, parseJson, patienceMs, answerMs: ANSWER_MS, onRetry, signal: options.signal });
    super(caller);
    this.caller = caller;
    [this.clock, this.chance] = [clock, chance];
    this.#patienceMs = patienceMs;
    this.#following = { endpoint, transport, clock, chance, parseJson, onRetry, latestCursor: (signal) => this.latestEventCursor({ signal }) };
    this.#submissions = this.#batch(api.SubmitJobsDocument, 'submitJobs', 'jobs', () => `,"requestId":"${this.#newRequestId()}"`);
    this.#completions = this.#batch(api.CompleteJobsDocument, 'completeJobs', 'jobs');
    this.#heartbeats = this.#batch(api.HeartbeatDocument, 'heartbeat', 'leases');
  }

  /**
   * Stores a job of the task; it is durable when the promise resolves. The input is checked by the task's schema first and
   * sent as it is. Throws a LeaseQueueError: INVALID_PAYLOAD, IDEMPOTENCY_CONFLICT, QUOTA_EXCEEDED, or one that concerns the request.
   */
  async submit<Definition extends Task>(task: Definition, input: TaskInput<Definition>, options: SubmitOptions = {}): Promise<Submitted> {
    // Most schemas answer at once: then there is nothing to wait for.
    const parsing: unknown = parseBySchema(task.input, input, 'The input');
    if (parsing instanceof Promise) await parsing;
    const { job, deduplicated } = unwrap(await this.submitJob(submissionOf(task, input as object, options), options));
    return { job, deduplicated };
  }

  /** Travels with the other submissions of its turn, in a call with a request id, so that it can be repeated safely. */
  submitJob(input: api.SubmitJobInput, options?: CallOptions): Promise<SubmitResult> {
    return this.#submissions.add(input, options);
  }

  /** Gets a request id where it has none, so that it can be repeated safely. */
  override submitJobs(input: api.SubmitJobsInput, options?: CallOptions): ReturnType<Operations['submitJobs']> {
    return super.submitJobs({ ...input, requestId: input.requestId ?? this.#newRequestId() }, options);
  }

  /** Travels with the other completions of its turn. */
  completeJob(input: api.CompleteJobInput, options?: CallOptions): Promise<CompleteResult> {
    return this.#completions.add(input, options);
  }

  /** Extends one lease. Travels with the other heartbeats of its turn. */
  heartbeat(lease: api.HeartbeatItemInput, options?: CallOptions): Promise<HeartbeatResult> {
    return this.#heartbeats.add(lease, options);
  }

  /** Events one by one, without gap or repeat, through restarts of the server. Ends with the signal. Throws EVENT_GAP where some are gone for good. */
  events(options: EventOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    return leavable(options.signal, (signal) => oneByOne(this.eventBatches({ ...options, signal })));
  }

  /** The same in batches, with the cursor to go on from after each, and whether everything stored so far was seen. */
  eventBatches(options: EventOptions = {}): AsyncGenerator<EventBatch, void, undefined> {
    return leavable(options.signal, (signal) => followEvents(this.#following, { ...options, signal }));
  }

  #newRequestId(): string {
    // Not before one is needed: a command that reads has no use for chance, whose source takes Node 3 ms to load.
    this.#requestPrefix ??= this.chance.word();
    this.#requests += 1;
    return `${this.#requestPrefix}.${this.#requests.toString(36)}`;
  }

  #batch<Result extends { readonly [field: string]: unknown }, Variables, Item, Field extends string & keyof Result>(
    operation: Operation<Result, Variables>,
    field: Field,
    list: string,
    /** More of the input, as JSON. */
    more: () => string = () => '',
  ): Batch<Item, ResultOf<NonNullable<Result[Field]>>> {
    type Each = ResultOf<NonNullable<Result[Field]>>;
    const send = async (items: readonly string[], waitedMs: number): Promise<readonly Each[]> => {
      const rules = { isRepeatable: true, patienceMs: Math.max(0, this.#patienceMs - waitedMs) };
      const data = await this.caller.callText(operation, `{"input":{"${list}":[${items.join(',')}]${more()}}}`, rules);
      const answered = data[field] as { readonly results: readonly Each[] } | null;
      if (answered?.results.length === items.length) return answered.results;
      throw new LeaseQueueError({
        code: 'UNREADABLE_ANSWER',
        message: 'The answer has another number of results than the request had items.',
        isOutcomeUnknown: true,
      });
    };
    return new Batch<Item, Each>({ list, send, atTurnEnd, monotonicMs: () => this.#following.clock.monotonicMs() });
  }
}

async function* oneByOne(batches: AsyncGenerator<EventBatch, void, undefined>): AsyncGenerator<FollowedEvent, void, undefined> {
  for await (const { events } of batches) yield* events;
}

/** By what the program brings, else by what the platform does best. */
function transportTo(parts: EndpointParts, given: typeof fetch | undefined, clock: Clock): Transport {
  return (given === undefined ? nodeTransport(parts, () => clock.monotonicMs()) : null) ?? fetchTransport(parts, given ?? fetch);
}
