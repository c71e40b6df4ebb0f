/** Sends operations and repeats what may be repeated, until it is answered, refused, or patience is over. */
import type { Chance } from '../runtime/chance.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Answered, type ParseJson, readAnswer, unreachable } from './answers.ts';
import { retryPauseMs } from './backoff.ts';
import { LeaseQueueError } from './errors.ts';
import type { Transport, WireAnswer } from './transport.ts';

/** A generated document: its text, and the types of its answer and variables. */
export interface Operation<Result, Variables> {
  toString(): string;
  /** Of types only: never there. */
  readonly __apiType?: (variables: Variables) => Result;
}

export interface CallOptions {
  /** Gives the call up: it rejects with the signal's reason. What was sent already may still be carried out. */
  readonly signal?: AbortSignal;
}

export interface CallRules extends CallOptions {
  /** Whether a second run does no more than the first: by key, token or request id, or because it only reads. */
  readonly isRepeatable: boolean;
  /** How long the server may hold the answer back on purpose, in milliseconds. */
  readonly holdMs?: number;
  /** For the answer beyond that, in milliseconds; the client's own where absent. */
  readonly answerMs?: number;
  /** How long to go on repeating, in milliseconds; the client's own where absent. */
  readonly patienceMs?: number;
}

/** A call is about to be repeated. */
export interface RetryNotice {
  readonly error: LeaseQueueError;
  /** 1 before the first repeat. */
  readonly repeats: number;
  readonly pauseMs: number;
}

export interface CallerParts {
  readonly endpoint: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly parseJson: ParseJson;
  readonly patienceMs: number;
  /** For an answer to begin and end, beyond what the server holds it back. */
  readonly answerMs: number;
  readonly onRetry: (notice: RetryNotice) => void;
  /** Gives up every call. */
  readonly signal?: AbortSignal | undefined;
}

const ACCEPT_JSON = 'application/json';
const heads = new WeakMap<object, string>();

/** The body of a request up to its variables. */
function headOf(operation: { toString(): string }): string {
  let head = heads.get(operation);
  if (head === undefined) heads.set(operation, (head = `{"query":${JSON.stringify(operation.toString().trim())},"variables":`));
  return head;
}

/** The rules with a second signal that ends the call. */
function withSignal(rules: CallRules, signal: AbortSignal | undefined): CallRules {
  if (signal === undefined) return rules;
  return { ...rules, signal: rules.signal === undefined ? signal : AbortSignal.any([rules.signal, signal]) };
}

export class Caller {
  readonly #parts: CallerParts;

  constructor(parts: CallerParts) {
    this.#parts = parts;
  }

  /** The data of the answer. Throws the first error that it has. */
  async call<Result, Variables>(operation: Operation<Result, Variables>, variables: Variables, rules: CallRules): Promise<Result> {
    return this.callText(operation, JSON.stringify(variables), rules);
  }

  /** The same with variables that are text already. */
  async callText<Result, Variables>(operation: Operation<Result, Variables>, variables: string, rules: CallRules): Promise<Result> {
    const { data } = await this.#repeated<Result>(`${headOf(operation)}${variables}}`, rules, true);
    if (data === null) throw new LeaseQueueError({ code: 'UNREADABLE_ANSWER', message: 'The answer holds no data.', isOutcomeUnknown: true });
    return data;
  }

  /** One try, for whoever decides about repeating. Throws where the whole request failed. */
  async askOnce<Result, Variables>(
    operation: Operation<Result, Variables>,
    variables: Variables,
    rules: Omit<CallRules, 'patienceMs'>,
  ): Promise<Answered<Result>> {
    return this.#repeated<Result>(`${headOf(operation)}${JSON.stringify(variables)}}`, { ...rules, patienceMs: 0 }, false);
  }

  async #repeated<Result>(body: string, given: CallRules, isAllNeeded: boolean): Promise<Answered<Result>> {
    const { clock, chance, patienceMs: usual, onRetry } = this.#parts;
    const rules = withSignal(given, this.#parts.signal);
    const patienceMs = rules.patienceMs ?? usual;
    const startMs = clock.monotonicMs();
    for (let repeats = 1; ; repeats++) {
      const { answered, error } = await this.#tried<Result>(body, rules, isAllNeeded);
      if (error === null) return answered;
      const pauseMs = retryPauseMs(repeats - 1, chance, error.retryAfterMs);
      const isInTime = clock.monotonicMs() - startMs + pauseMs <= patienceMs;
      if (!error.isRetryable || !isInTime || (error.isOutcomeUnknown && !rules.isRepeatable)) throw error;
      onRetry({ error, repeats, pauseMs });
      await clock.sleep(pauseMs, rules.signal);
      rules.signal?.throwIfAborted();
    }
  }

  async #tried<Result>(
    body: string,
    rules: CallRules,
    isAllNeeded: boolean,
  ): Promise<{ readonly answered: Answered<Result>; readonly error: LeaseQueueError | null }> {
    try {
      const answered = readAnswer<Result>(await this.#send(body, rules), this.#parts.parseJson);
      const [first] = answered.errors.filter(({ field }) => isAllNeeded || field === null || answered.data === null);
      return { answered, error: first?.error ?? null };
    } catch (fault) {
      rules.signal?.throwIfAborted();
      return { answered: { data: null, errors: [] }, error: unreachable(fault, this.#parts.endpoint) };
    }
  }

  async #send(body: string, { signal, holdMs = 0, answerMs = this.#parts.answerMs }: CallRules): Promise<WireAnswer> {
    const { transport, clock } = this.#parts;
    signal?.throwIfAborted();
    const ended = new AbortController();
    // Heard of only as long as the call lasts: a signal may live as long as the program.
    const giveUp = (): void => ended.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp, { once: true });
    const waitMs = answerMs + holdMs;
    const stopWaiting = clock.after(waitMs, () => ended.abort(new Error(`no answer within ${waitMs / 1_000} s`)));
    try {
      return await transport.send({ body, accept: ACCEPT_JSON, signal: ended.signal });
    } finally {
      stopWaiting();
      signal?.removeEventListener('abort', giveUp);
    }
  }
}
