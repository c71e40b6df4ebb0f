/** A way to the server that loses requests and answers, refuses, delays and falls silent, by chance. */
import { type Transport, TransportFault, type WireAnswer, type WireRequest } from '../../src/client/transport.ts';
import type { Clock } from '../../src/runtime/clock.ts';

/** Shares of requests that meet each mishap; what is left passes. */
export interface Mishaps {
  readonly lostRequest: number;
  readonly lostAnswer: number;
  readonly refused: number;
  /** On the way there, or back. */
  readonly delayed: number;
  readonly delayMsMax: number;
}

export const NO_MISHAPS: Mishaps = { lostRequest: 0, lostAnswer: 0, refused: 0, delayed: 0, delayMsMax: 0 };

const REFUSAL: WireAnswer = {
  status: 503,
  retryAfterSeconds: null,
  text: JSON.stringify({ errors: [{ message: 'busy', extensions: { code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false } }] }),
};

export class SpoiledWire implements Transport {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #ratio: () => number;
  mishaps: Mishaps;
  /** Whoever asks meanwhile is never answered. */
  silentUntilMs = 0;

  constructor(transport: Transport, clock: Clock, ratio: () => number, mishaps: Mishaps) {
    [this.#transport, this.#clock, this.#ratio, this.mishaps] = [transport, clock, ratio, mishaps];
  }

  async send(request: WireRequest): Promise<WireAnswer> {
    const { lostRequest, lostAnswer, refused, delayed } = this.mishaps;
    if (this.#clock.monotonicMs() < this.silentUntilMs) return neverAnswered(request.signal);
    let left = this.#ratio();
    const meets = (share: number): boolean => (left -= share) < 0;
    if (meets(lostRequest)) throw new TransportFault('the request is lost', true, null);
    if (meets(refused)) return REFUSAL;
    if (meets(lostAnswer)) return this.#transport.send(request).then(() => Promise.reject(new TransportFault('the answer is lost', true, null)));
    if (meets(delayed / 2)) return this.#delay(request.signal).then(() => this.#transport.send(request));
    const answer = await this.#transport.send(request);
    if (meets(delayed / 2)) await this.#delay(request.signal);
    return answer;
  }

  open(request: WireRequest): ReturnType<Transport['open']> {
    return this.#transport.open(request);
  }

  async #delay(signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(this.#ratio() * this.mishaps.delayMsMax, signal);
    signal.throwIfAborted();
  }
}

function neverAnswered(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}
