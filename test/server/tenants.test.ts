/** Quotas and usage as a client sees them, over HTTP and beside open feeds. */
import { describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { connectSocket, EVENTS } from '../support/sockets.ts';

const SUBMIT = `mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename ... on QuotaExceeded { quota limit } ... on Failure { code retryable } } }`;
const SUBMIT_MANY = `mutation ($input: SubmitJobsInput!) { submitJobs(input: $input) { results { __typename } stored failed rolledBack } }`;
const USAGE = `{ tenant(id: "default") { usage { openFeeds openSockets waitingJobs } } }`;

async function setQuotas({ graphql }: TestApp, quotas: object): Promise<void> {
  const update = 'mutation ($quotas: TenantQuotasInput) { updateTenant(input: {id: "default", quotas: $quotas}) { __typename } }';
  expect((await graphql(update, { quotas })).data.updateTenant).toEqual({ __typename: 'TenantSuccess' });
}

describe('a quota', () => {
  test('is a typed answer, counted among the failures, and gone as soon as it is raised', async () => {
    await using server = await startApp();
    await setQuotas(server, { maxWaitingJobs: 1 });
    const submit = async () => (await server.graphql(SUBMIT, { input: { task: 't' } })).data.submitJob;
    expect(await submit()).toEqual({ __typename: 'SubmitJobSuccess' });
    expect(await submit()).toEqual({ __typename: 'QuotaExceeded', quota: 'maxWaitingJobs', limit: 1, code: 'QUOTA_EXCEEDED', retryable: true });
    expect(await server.metric('leasequeue_failures_total{code="QUOTA_EXCEEDED"}')).toBe(1);
    await setQuotas(server, { maxWaitingJobs: 3 });
    const jobs = [{ task: 't' }, { task: 't' }, { task: 't' }];
    const batch = async (onFailure: string) => (await server.graphql(SUBMIT_MANY, { input: { jobs, onFailure } })).data.submitJobs;
    expect(await batch('ALL_OR_NOTHING')).toMatchObject({
      results: [{ __typename: 'BatchRolledBack' }, { __typename: 'BatchRolledBack' }, { __typename: 'QuotaExceeded' }],
      stored: 0,
      rolledBack: true,
    });
    expect(await batch('STORE_GOOD')).toMatchObject({ stored: 2, failed: 1, rolledBack: false });
  });

  test('of queues is an answer to configuring and pausing one', async () => {
    await using server = await startApp();
    await setQuotas(server, { maxQueues: 0 });
    const { data } = await server.graphql(`mutation {
      configureQueue(input: {name: "q"}) { __typename ... on QuotaExceeded { quota limit } }
      pauseQueue(input: {name: "q"}) { __typename ... on QuotaExceeded { quota limit } }
    }`);
    const exceeded = { __typename: 'QuotaExceeded', quota: 'maxQueues', limit: 0 };
    expect(data).toEqual({ configureQueue: exceeded, pauseQueue: exceeded });
  });
});

test('the usage of a tenant counts the sockets and feeds that it has open, and no longer than they are', async () => {
  await using server = await startApp();
  const usage = async () => (await server.graphql(USAGE)).data.tenant.usage;
  const mine = await connectSocket(server.wsUrl);
  const other = await connectSocket(server.wsUrl, { 'x-leasequeue-tenant': 'other' });
  for (const socket of [mine, other]) {
    socket.subscribe('1', EVENTS);
    socket.subscribe('2', EVENTS);
    await socket.nextOf('1');
    await socket.nextOf('2');
  }
  expect(await usage()).toEqual({ openFeeds: 2, openSockets: 1, waitingJobs: 0 });
  mine.send({ type: 'complete', id: '1' });
  await mine.echo();
  expect(await usage()).toMatchObject({ openFeeds: 1, openSockets: 1 });
  mine.socket.terminate();
  await mine.closed;
  await expect.poll(usage).toMatchObject({ openFeeds: 0, openSockets: 0 });
});
