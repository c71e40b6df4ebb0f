/** An open page of the console: it follows over its socket, and asks again and again over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FollowJobEventsDocument, JobArrivalsDocument, JobHistoryDocument, JobPageDocument, TenJobRowsDocument } from '../../src/client/generated/graphql.ts';
import { GraphqlClient } from '../load/graphql-client.ts';
import { PageSocket } from './page-socket.ts';
import type { Asked, Question, Seat } from './seats.ts';

const REREAD_MS = 1_000;
const ARRIVALS_MS = 2_000;
/** A page that knows of so many asks no more. */
const ARRIVALS_MAX = 50;
const JOB_PAGE_MS = 5_000;
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'] as const;

/** What all pages together got. */
export interface Received {
  answers: number;
  messages: number;
  bytes: number;
}
export interface PageParts {
  readonly url: string;
  readonly seat: Seat;
  /** From 0 to 1: where in their periods the questions of this page are. */
  readonly phase: number;
  readonly received: Received;
  readonly onProblem: (error: Error) => void;
}
interface Listed {
  readonly jobs: { readonly nodes: readonly { readonly id: string }[]; readonly pageInfo: { readonly startCursor: string | null } };
  readonly latestEventCursor: string;
}

export class Page {
  readonly #parts: PageParts;
  readonly #client: GraphqlClient;
  readonly #socket: PageSocket;
  readonly #over = new AbortController();
  readonly #changed = new Set<string>();

  private constructor(parts: PageParts, socket: PageSocket) {
    this.#parts = parts;
    this.#client = new GraphqlClient(parts.url);
    this.#socket = socket;
  }

  /** Ends when everything was asked for once. */
  static async open(parts: PageParts): Promise<Page> {
    const { received, onProblem, url, seat } = parts;
    const onMessage = (bytes: number): void => {
      received.messages += 1;
      received.bytes += bytes;
    };
    const page = new Page(parts, await PageSocket.open(url, { onMessage, onProblem }));
    for (const [index, asked] of seat.follows.entries()) page.#socket.follow(`follow-${index}`, asked);
    const questions = seat.list === undefined ? seat.asks : [...seat.asks, ...(await page.#list(seat.list))];
    await Promise.all(questions.map((question) => page.#ask(question)));
    for (const question of questions) page.#background(page.#repeat(question));
    return page;
  }

  close(): void {
    this.#over.abort();
    this.#socket.close();
    this.#client.close();
  }

  /** Reads the rows and follows them. Answers with what is to be asked from then on. */
  async #list(list: Asked): Promise<readonly Question[]> {
    const { jobs, latestEventCursor: after } = await this.#ask<Listed>(list);
    const ids = jobs.nodes.map(({ id }) => id);
    if (this.#parts.seat.isOfOneJob === true) return this.#job(ids[0], after);
    this.#follow('rows', { after, filter: { jobIds: ids }, maxBatch: 200, everyMs: 500 }, (message) => this.#note(message));
    this.#background(this.#reread());
    const { startCursor } = jobs.pageInfo;
    const { filter, lookThroughMax, orderBy } = list.variables as Record<string, unknown>;
    if (orderBy !== 'NEWEST_FIRST') return [];
    const place = startCursor === null ? { first: ARRIVALS_MAX } : { last: ARRIVALS_MAX, before: startCursor };
    this.#background(this.#awaitArrivals({ document: JobArrivalsDocument.toString(), variables: { filter, lookThroughMax, ...place } }));
    return [];
  }

  async #awaitArrivals(asked: Asked): Promise<void> {
    for (let found = 0; found < ARRIVALS_MAX && !this.#over.signal.aborted; ) {
      found = (await this.#ask<Pick<Listed, 'jobs'>>(asked)).jobs.nodes.length;
      await sleep(ARRIVALS_MS, undefined, { signal: this.#over.signal });
    }
  }

  async #job(id: string | undefined, after: string): Promise<readonly Question[]> {
    if (id === undefined) return [];
    this.#follow('job', { after, filter: { jobIds: [id] }, maxBatch: 200, everyMs: 250 });
    await this.#ask({ document: JobHistoryDocument.toString(), variables: { id } });
    return [{ document: JobPageDocument.toString(), variables: { id }, everyMs: JOB_PAGE_MS }];
  }

  #follow(id: string, variables: object, listen?: (message: Buffer) => void): void {
    this.#socket.follow(id, { document: FollowJobEventsDocument.toString(), variables }, listen);
  }

  #note(message: Buffer): void {
    for (const [, id] of message.toString('utf8').matchAll(/"jobId":"([^"]+)"/g)) if (id !== undefined) this.#changed.add(id);
  }

  /** Rows that changed, ten at a time, and not oftener than a person can follow. */
  async #reread(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const ids = [...this.#changed];
      this.#changed.clear();
      for (let from = 0; from < ids.length; from += LETTERS.length) {
        const variables = Object.fromEntries(LETTERS.map((letter, index) => [letter, ids[from + index] ?? ids[0]]));
        await this.#ask({ document: TenJobRowsDocument.toString(), variables });
      }
      await sleep(REREAD_MS, undefined, { signal: this.#over.signal });
    }
  }

  async #repeat(question: Question): Promise<void> {
    await sleep(question.everyMs * this.#parts.phase, undefined, { signal: this.#over.signal });
    while (!this.#over.signal.aborted) {
      await this.#ask(question);
      await sleep(question.everyMs, undefined, { signal: this.#over.signal });
    }
  }

  async #ask<Data>({ document, variables }: Asked): Promise<Data> {
    const ask = (): Promise<Data> => this.#client.data<Data>(document, variables);
    // The server closes what is idle for as long as some periods are. A browser, too, asks once more where that crosses its request.
    const data = await ask().catch((error: unknown) => (isCutOff(error) ? ask() : Promise.reject(error)));
    this.#parts.received.answers += 1;
    return data;
  }

  /** What fails after the page was closed does not matter. */
  #background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#over.signal.aborted) this.#parts.onProblem(error instanceof Error ? error : new Error(String(error)));
    });
  }
}

function isCutOff(error: unknown): boolean {
  return error instanceof Error && /ECONNRESET|EPIPE|closed the connection/.test(error.message);
}
