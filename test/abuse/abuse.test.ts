/**
 * Many thousand requests that nobody should send, against a server in a process of its own. `ABUSE_SEED` chooses others,
 * `ABUSE_REQUESTS` how many, and `ABUSE_FROM` the number of the first one.
 */
import { expect, test } from 'vitest';
import { attacksOf } from './attacks.ts';
import { HonestClient } from './honest-client.ts';
import type { Holdings } from './server.ts';
import { type ServerUnderAbuse, startServerUnderAbuse } from './server-under-abuse.ts';
import { faultOf, strike } from './strike.ts';

const SEED = Number(process.env['ABUSE_SEED'] ?? 20_261);
const REQUESTS = Number(process.env['ABUSE_REQUESTS'] ?? 20_000);
const FROM = Number(process.env['ABUSE_FROM'] ?? 0);
const AT_ONCE = 50;
/** Pools have their size by then. */
const WARM_UP = Math.floor(REQUESTS / 4);
/** Small documents that fill the caches of documents, so that these hold the same before and after. */
const SMALL_DOCUMENTS = 2_200;
/** It grows by a third of that, with what is known of the queues and tenants that are left. */
const HEAP_GROWTH_BYTES_MAX = 8 * 1_048_576;
/** On two cores that are shared by the attackers, the server and whatever else runs. */
const HONEST_MS_P99_MAX = 2_000;
const FAULTS_MAX = 20;

class Abuse {
  readonly faults: string[] = [];
  answered = 0;
  readonly #server: ServerUnderAbuse;
  readonly #honest: HonestClient;
  readonly #attackOf = attacksOf(SEED);
  readonly #inFlight = new Set<string>();
  #next = FROM;

  constructor(server: ServerUnderAbuse, honest: HonestClient) {
    this.#server = server;
    this.#honest = honest;
  }

  /** Sends so many, some at once, while the honest client goes on with its work. */
  async goOn(count: number): Promise<void> {
    const end = this.#next + count;
    let isOver = false;
    const serve = async (): Promise<void> => {
      while (!isOver && !this.#hasFailed) await this.#honestRound();
    };
    const served = serve();
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#strikeUntil(end)));
    isOver = true;
    await served;
    await this.#honestRound();
  }

  get #hasFailed(): boolean {
    return this.faults.length >= FAULTS_MAX || !this.#server.isRunning();
  }

  async #honestRound(): Promise<void> {
    try {
      await this.#honest.round();
    } catch (error) {
      const last = this.#server.lines.slice(-5).join('\n');
      this.faults.push(`the honest client: ${String(error)}\nduring ${[...this.#inFlight].join(', ')}\n${last}`);
    }
  }

  async #strikeUntil(end: number): Promise<void> {
    const { hostname, port } = new URL(this.#server.url);
    while (this.#next < end && !this.#hasFailed) {
      const { name, pieces } = this.#attackOf(this.#next++);
      this.#inFlight.add(name);
      const answer = await strike({ host: hostname, port: Number(port) }, pieces);
      this.#inFlight.delete(name);
      if ((answer?.length ?? 0) > 0) this.answered += 1;
      const fault = faultOf(answer);
      if (fault !== null) this.faults.push(`${name}: ${fault}, after ${JSON.stringify(Buffer.concat(pieces).toString('latin1').slice(0, 1_500))}`);
    }
  }
}

async function fillCaches(url: string): Promise<void> {
  const queries = Array.from({ length: SMALL_DOCUMENTS }, (_, index) => `{ __typename } #${index}`).values();
  const ask = async (): Promise<void> => {
    for (const query of queries) await (await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`)).text();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
}

/** What is left once everything that was begun has ended: the honest client's one socket with its one subscription. */
async function settledHoldings({ url, holdings }: ServerUnderAbuse): Promise<Holdings> {
  await fillCaches(url);
  const left = async (): Promise<readonly unknown[]> => {
    const { followers, resources } = await holdings();
    return [followers, resources['TCPSocketWrap']];
  };
  await expect.poll(left, { timeout: 15_000 }).toEqual([1, 1]);
  return holdings();
}

test(`${REQUESTS} malformed requests (seed ${SEED}) neither end nor fill the server, and others are served all along`, async () => {
  await using server = await startServerUnderAbuse();
  const honest = await HonestClient.connect(server.url);
  const abuse = new Abuse(server, honest);

  await abuse.goOn(WARM_UP);
  const before = abuse.faults.length === 0 ? await settledHoldings(server) : null;
  await abuse.goOn(REQUESTS - WARM_UP);
  expect(abuse.faults.join('\n')).toBe('');
  expect(server.isRunning()).toBe(true);
  expect(server.lines.filter((line) => !/"level":"(?:info|warn)"/.test(line))).toEqual([]);

  const after = await settledHoldings(server);
  await expect.poll(async () => (await server.holdings()).resources, { timeout: 15_000 }).toEqual(before?.resources);
  expect(after.heapBytes - (before?.heapBytes ?? 0)).toBeLessThan(HEAP_GROWTH_BYTES_MAX);
  expect(abuse.answered).toBeGreaterThan(REQUESTS * 0.8);
  const tookMs = honest.tookMs.toSorted((a, b) => a - b);
  expect(tookMs[Math.floor(tookMs.length * 0.99)]).toBeLessThan(HONEST_MS_P99_MAX);
  await honest.close();
}, 300_000);
