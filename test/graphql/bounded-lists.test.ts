/** What the API tells of a search that was cut short, and of workers by pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
  const jobs = Array.from({ length: 30 }, (_, n) => ({ queue: 'q', task: n === 0 ? 'rare' : 't' }));
  await ask('mutation ($input: SubmitJobsInput!) { submitJobs(input: $input) { stored } }', { input: { jobs } });
});
afterAll(() => server.app.stop());

async function ask(query: string, variables: object = {}) {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(await response.text());
}

const PAGE = `query ($after: String, $before: String, $last: Int, $max: Int, $orderBy: JobOrder) {
  queue(name: "q") { jobs(after: $after, before: $before, last: $last, filter: {tasks: ["rare"]}, lookThroughMax: $max, orderBy: $orderBy) {
    nodes { task } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } lookedThrough isCutShort } } }`;

describe('a search with a bound', () => {
  test('goes on from where the look ended, until it finds or the list ends', async () => {
    const found: string[] = [];
    let [after, calls, isMore] = [null, 0, true];
    while (isMore) {
      const { jobs } = (await ask(PAGE, { after, max: 8 })).data.queue;
      found.push(...jobs.nodes.map((job: { readonly task: string }) => job.task));
      expect(jobs.isCutShort).toBe(jobs.pageInfo.hasNextPage);
      expect(jobs.lookedThrough).toBe(jobs.isCutShort ? 8 : 6);
      ({ hasNextPage: isMore, endCursor: after } = jobs.pageInfo);
      calls += 1;
    }
    expect([found, calls]).toEqual([['rare'], 4]);
  });

  test('from the end gives the place to go back from', async () => {
    const first = (await ask(PAGE, { last: 5, max: 8, orderBy: 'OLDEST_FIRST' })).data.queue.jobs;
    expect(first).toMatchObject({ nodes: [], isCutShort: true, pageInfo: { hasNextPage: false, hasPreviousPage: true, endCursor: null } });
    const rest = (await ask(PAGE, { last: 5, max: 50, orderBy: 'OLDEST_FIRST', before: first.pageInfo.startCursor })).data.queue.jobs;
    expect(rest).toMatchObject({ nodes: [{ task: 'rare' }], isCutShort: false, lookedThrough: 22, pageInfo: { hasPreviousPage: false } });
  });

  test('without one says nothing of how far it looked', async () => {
    expect((await ask(PAGE)).data.queue.jobs).toMatchObject({ nodes: [{ task: 'rare' }], lookedThrough: null, isCutShort: false });
  });

  test.each([0, -1, 50_001])('of %d is refused', async (max) => {
    expect((await ask(PAGE, { max })).errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['lookThroughMax'], message: 'must be 1 to 50000' }] } },
    ]);
  });
});

describe('workers', () => {
  test('come by pages, by state, and say what they hold', async () => {
    for (const workerId of ['b', 'a', 'c'])
      await ask('mutation ($input: ClaimJobsInput!) { claimJobs(input: $input) { idle } }', {
        input: { queues: [workerId === 'c' ? 'q' : 'empty'], workerId, tasks: ['t'], leaseSeconds: 600 },
      });
    const workers =
      'query ($first: Int, $after: ID, $states: [WorkerState!]) { workers(first: $first, after: $after, states: $states) { id state tasks runningJobs } }';
    const free = { state: 'IDLE', tasks: ['t'], runningJobs: 0 };
    expect((await ask(workers, { first: 1 })).data.workers).toEqual([{ id: 'a', ...free }]);
    expect((await ask(workers, { first: 2, after: 'a' })).data.workers).toEqual([
      { id: 'b', ...free },
      { id: 'c', state: 'ACTIVE', tasks: ['t'], runningJobs: 1 },
    ]);
    expect((await ask(workers, { states: ['ACTIVE', 'SILENT'] })).data.workers).toMatchObject([{ id: 'c' }]);
    expect((await ask(workers, { first: 0 })).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});
