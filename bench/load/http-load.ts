/** One request, sent again and again over many connections: as fast as answers come, or at a fixed rate. */
import { latencies } from '../statistics.ts';
import { type HttpAnswer, HttpConnection, requestBytes, type RequestParts } from './http-connection.ts';

export interface HttpLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Sent before it is measured. */
  readonly warmSeconds?: number;
  /** In turn. */
  readonly requests: readonly RequestParts[];
  /** Text that every answer holds. */
  readonly expect: string;
  /** Absent: the next request follows the answer. Else as many as this, however long answers take. */
  readonly ratePerSecond?: number;
  /** Ends earlier, after so many. */
  readonly requestsMax?: number;
}

export interface HttpFigures extends Readonly<Record<string, number>> {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly requests: number;
}

const LATE_SECONDS = 30;
const ERRORS = Buffer.from('"errors"');

/** Throws where an answer is not the one that it should be. */
export function checkAnswer({ status, body }: HttpAnswer, expect: Buffer): void {
  if (status === 200 && body.includes(expect) && !body.includes(ERRORS)) return;
  throw new Error(`the server answered ${status}: ${body.toString('utf8', 0, 300)}`);
}

class Flood {
  readonly #load: HttpLoad;
  readonly #bytes: readonly Buffer[];
  readonly #expect: Buffer;
  readonly #connections: readonly HttpConnection[];
  readonly #over = Promise.withResolvers<void>();
  #samples: number[] = [];
  #sent = 0;
  #open = 0;
  #ending = false;
  #isLast = false;
  #startedMs = 0;

  constructor(load: HttpLoad) {
    this.#load = load;
    this.#bytes = load.requests.map(requestBytes);
    this.#expect = Buffer.from(load.expect);
    this.#connections = Array.from({ length: load.connections }, () => new HttpConnection(load.url));
  }

  async run(): Promise<HttpFigures> {
    const { warmSeconds = 0, seconds, ratePerSecond } = this.#load;
    const warmUp = setTimeout(() => this.#restart(), warmSeconds * 1_000);
    const end = setTimeout(() => this.#timeIsOver(), (warmSeconds + seconds) * 1_000);
    const late = setTimeout(() => this.#fail(new Error(`no answer came within ${LATE_SECONDS} s`)), (warmSeconds + seconds + LATE_SECONDS) * 1_000);
    this.#restart();
    try {
      if (ratePerSecond === undefined) for (const connection of this.#connections) this.#next(connection);
      else this.#atRate(ratePerSecond);
      await this.#over.promise;
    } finally {
      clearTimeout(warmUp);
      clearTimeout(end);
      clearTimeout(late);
      for (const connection of this.#connections) connection.close();
    }
    const requests = this.#samples.length;
    return { perSecond: (requests * 1_000) / (performance.now() - this.#startedMs), ...latencies(this.#samples), requests };
  }

  #restart(): void {
    this.#samples = [];
    this.#startedMs = performance.now();
  }

  /** A machine that is too busy for one answer in that time gets a little more. */
  #timeIsOver(): void {
    this.#isLast = true;
    if (this.#samples.length > 0) this.#finish();
  }

  #fail(error: unknown): void {
    this.#ending = true;
    this.#over.reject(error);
  }

  #finish(): void {
    this.#ending = true;
    this.#over.resolve();
  }

  #next(connection: HttpConnection): void {
    if (this.#sent >= (this.#load.requestsMax ?? Number.POSITIVE_INFINITY)) {
      if (this.#open === 0) this.#finish();
      return;
    }
    this.#send(connection, performance.now(), () => this.#next(connection));
  }

  #send(connection: HttpConnection, sinceMs: number, then: () => void): void {
    const bytes = this.#bytes[this.#sent % this.#bytes.length];
    if (bytes === undefined) throw new Error('no request to send');
    this.#sent += 1;
    this.#open += 1;
    connection.send(bytes, (error, answer) => {
      this.#open -= 1;
      if (this.#ending) return;
      try {
        if (answer === null) throw error ?? new Error('no answer');
        checkAnswer(answer, this.#expect);
      } catch (problem) {
        return this.#fail(problem);
      }
      this.#samples.push(performance.now() - sinceMs);
      return this.#isLast ? this.#finish() : then();
    });
  }

  /** A request that finds no free connection waits for one, and its wait counts. */
  #atRate(perSecond: number): void {
    const idle = [...this.#connections];
    const waiting: number[] = [];
    const startedMs = performance.now();
    let due = 0;
    const give = (connection: HttpConnection): void => {
      const sinceMs = waiting.shift();
      if (sinceMs === undefined) idle.push(connection);
      else this.#send(connection, sinceMs, () => give(connection));
    };
    const tick = (): void => {
      if (this.#ending) return;
      const nowMs = performance.now();
      for (; due < ((nowMs - startedMs) * perSecond) / 1_000; due++) {
        waiting.push(nowMs);
        const connection = idle.pop();
        if (connection !== undefined) give(connection);
      }
      setTimeout(tick, 1);
    };
    tick();
  }
}

export function httpLoad(load: HttpLoad): Promise<HttpFigures> {
  return new Flood(load).run();
}
