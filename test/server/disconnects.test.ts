import { describe, expect, test } from 'vitest';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openConnection, untilClosed } from '../support/raw-http.ts';

const CLAIM =
  'mutation ($wait: Int! = 0) { claimJobs(input: {queues: ["q"], workerId: "w", waitSeconds: $wait}) { idle leases { leaseToken attempt fence job { id } } } }';

const kindsOf = async (server: TestApp): Promise<string[]> =>
  ((await server.graphql('{ jobEvents(first: 100) { nodes { kind } } }')).data.jobEvents.nodes as { kind: string }[]).map(({ kind }) => kind);

function requestOf(query: string, variables: object): string {
  const text = JSON.stringify({ query, variables });
  return `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** A claim waits, as far as the outside can see: the request has arrived and nothing has come back. */
const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe('a client that goes away', () => {
  test('while its claim waits does not swallow the next job (B14)', async () => {
    await using server = await startApp();
    const gone = await openConnection(server.url);
    gone.write(requestOf(CLAIM, { wait: 30 }));
    await aMoment();
    gone.destroy();
    await untilClosed(gone);
    await aMoment();
    const waiting = server.graphql(CLAIM, { wait: 30 });
    await aMoment();
    const id = await server.submit();
    const { data } = await waiting;
    expect(data.claimJobs.leases).toMatchObject([{ attempt: 1, fence: 1, job: { id } }]);
    server.clock.advance(1_000);
    expect(await kindsOf(server)).toEqual(['SUBMITTED', 'CLAIMED']);
  });

  test('while its claim commits has the lease released at once, and the attempt given back', async () => {
    const committed = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let isFirst = true;
    const spoil = (store: LeaseRepository): LeaseRepository =>
      new Proxy(store, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (name !== 'claim' || !isFirst) return member;
          return async (...given: Parameters<LeaseRepository['claim']>) => {
            isFirst = false;
            const answer = await target.claim(...given);
            committed.resolve();
            await held.promise;
            return answer;
          };
        },
      });
    await using server = await startApp({ spoil });
    const id = await server.submit();
    const gone = await openConnection(server.url);
    gone.write(requestOf(CLAIM, {}));
    await committed.promise;
    gone.destroy();
    await untilClosed(gone);
    await aMoment();
    held.resolve();
    await expect.poll(() => kindsOf(server)).toEqual(['SUBMITTED', 'CLAIMED', 'RELEASED']);
    const { data } = await server.graphql(CLAIM);
    expect(data.claimJobs.leases).toMatchObject([{ attempt: 1, fence: 2, job: { id } }]);
  });

  test('after it got its answer keeps its lease', async () => {
    await using server = await startApp();
    await server.submit();
    const client = await openConnection(server.url);
    client.write(requestOf(CLAIM, {}));
    await new Promise((resolve) => client.once('data', resolve));
    client.destroy();
    await aMoment();
    expect(await kindsOf(server)).toEqual(['SUBMITTED', 'CLAIMED']);
  });
});
