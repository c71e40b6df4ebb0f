/**
 * Everything that one tenant can get to know of another one's data by name, number or accident, and for each such
 * handle its twin: of the same length and shape, and of nothing at all.
 */
import type { Job } from '../../src/domain/job.ts';
import { writeCursor, writeEventCursor } from '../../src/graphql/cursors.ts';
import type { LeaseRepository } from '../../src/store/housekeeping.ts';
import { DEAD_LETTER_GROUP_ORDERS, type DeadLetterGroupOrder, JOB_ORDERS, type JobOrder } from '../../src/store/requests.ts';
import { claimOf, submission } from '../support/store.ts';
import { tenant } from '../support/tenants.ts';

/** Is in every text of the data that nobody else may see. */
export const CANARY = 'canary';
/** Stands in its place in the twins. As long, and in no data at all. */
const NOBODY = 'nobody';

const JOB_KINDS = ['queued', 'delayed', 'running', 'retry', 'completed', 'dead', 'cancelled'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export interface Names {
  readonly queue: string;
  readonly pausedQueue: string;
  readonly workerId: string;
  readonly tagKey: string;
  readonly tagValue: string;
  readonly concurrencyKey: string;
  readonly idempotencyKey: string;
  readonly requestId: string;
  readonly task: string;
  readonly keyName: string;
  readonly tenantId: string;
  readonly tenantName: string;
}
/** A token and the job that it was given out for. */
export interface TokenHandle {
  readonly jobId: string;
  readonly leaseToken: string;
}
export interface Handles extends Names {
  readonly jobs: Readonly<Record<JobKind, string>>;
  readonly tokens: { readonly live: TokenHandle; readonly completed: TokenHandle; readonly retry: TokenHandle };
  readonly keyId: string;
  readonly eventCursor: string;
  /** Of the asking tenant's own making, with the place in the other one's log put into it. */
  readonly forgedEventCursor: string;
  readonly jobCursors: Readonly<Record<JobOrder, string>>;
  readonly queueCursor: string;
  readonly attemptCursor: string;
  readonly tenantCursor: string;
  readonly deadGroupId: string;
  readonly deadGroupCursors: Readonly<Record<DeadLetterGroupOrder, string>>;
  readonly auditCursor: string;
}

export const namesWith = (word: string): Names => ({
  queue: `${word}-queue`,
  pausedQueue: `${word}-paused`,
  workerId: `${word}-worker`,
  tagKey: `${word}-tag`,
  tagValue: `${word}-tag-value`,
  concurrencyKey: `${word}-concurrency`,
  idempotencyKey: `${word}-idempotency`,
  requestId: `${word}-request`,
  task: `${word}-task`,
  keyName: `${word}-key`,
  tenantId: `${word}-tenant`,
  tenantName: `${word}-name`,
});

/** Gives the tenant a job in each state, in two queues, with every text that a job can have; all of them hold the word. */
export async function populate(store: LeaseRepository, owner: string, word: string): Promise<Pick<Handles, 'jobs' | 'tokens'>> {
  const id = tenant(owner);
  const names = namesWith(word);
  const caller = { actor: names.keyName };
  const submit = async (kind: string): Promise<string> => {
    const [outcome] = await store.submit(
      id,
      caller,
      [
        submission({
          queue: names.queue,
          task: `${names.task}-${kind}`,
          payloadJson: JSON.stringify({ note: `${word} payload` }),
          concurrencyKey: names.concurrencyKey,
          tags: [{ key: names.tagKey, value: names.tagValue }],
          idempotencyKey: kind === 'queued' ? names.idempotencyKey : null,
          start: kind === 'delayed' ? { inSeconds: 3_600 } : null,
        }),
      ],
      false,
    );
    if (outcome?.ok !== true) throw new Error(`the ${kind} job was refused`);
    return outcome.value.job.id;
  };
  const claim = async (kind: string): Promise<TokenHandle> => {
    const wanted = claimOf({ queues: [names.queue], workerId: names.workerId, tasks: [`${names.task}-${kind}`], requestId: `${names.requestId}-${kind}` });
    const { leases } = await store.claim(id, caller, { ...wanted, leaseSeconds: 3_600 });
    const [lease] = leases;
    if (lease === undefined) throw new Error(`the ${kind} job could not be claimed`);
    return { jobId: lease.job.id, leaseToken: lease.leaseToken };
  };
  const jobs: Record<string, string> = {};
  for (const kind of JOB_KINDS) jobs[kind] = await submit(kind);
  const error = { type: `${word} type`, message: `${word} message`, detailsJson: JSON.stringify({ more: `${word} details` }) };
  const live = await claim('running');
  await store.heartbeat(id, caller, [{ ...live, extendSeconds: null, progress: { percent: 50, note: `${word} progress` } }]);
  const retry = await claim('retry');
  await store.fail(id, caller, { ...retry, error, retry: { afterSeconds: 86_400 } });
  await store.fail(id, caller, { ...(await claim('dead')), error, retry: { never: true } });
  const completed = await claim('completed');
  await store.complete(id, caller, [{ ...completed, resultJson: JSON.stringify(`${word} result`) }]);
  await store.cancel(id, caller, { jobId: jobs['cancelled'] ?? '', reason: `${word} cancel`, force: false });
  if ((await store.redactionRules(id)).version === 0)
    await store.setRedactionRules(id, caller, { rules: [{ task: `${names.task}*`, path: `${word}.*` }], expectedVersion: null });
  await store.pauseQueue(id, caller, names.pausedQueue, `${word} pause`);
  return { jobs: jobs as Handles['jobs'], tokens: { live, completed, retry } };
}

/** The cursors that the owner's lists give out. */
export async function cursorsOf(
  store: LeaseRepository,
  { owner, asking }: { readonly owner: string; readonly asking: string },
  { queue, tenantId }: Names,
  completed: string,
) {
  const [id, asker] = [tenant(owner), tenant(asking)];
  const position = await store.latestPosition(id);
  const page = { after: null, before: null, limit: 1, fromEnd: false };
  const jobCursors: Record<string, string> = {};
  for (const order of JOB_ORDERS) {
    const [row] = (await store.jobs(id, { queues: [queue] }, order, page)).rows;
    if (row === undefined) throw new Error(`no job in the order ${order}`);
    jobCursors[order] = writeCursor(id, `jobs ${order}`, row.key);
  }
  const deadGroupCursors: Record<string, string> = {};
  let deadGroupId = '';
  for (const order of DEAD_LETTER_GROUP_ORDERS) {
    const [group] = (await store.deadLetterGroups(id, { queues: [queue] }, order, page)).rows;
    if (group === undefined) throw new Error(`no group in the order ${order}`);
    deadGroupCursors[order] = writeCursor(id, `dead letter groups ${order}`, group.key);
    deadGroupId = group.row.id;
  }
  const job = (await store.jobById(id, completed)) as Job;
  const [attempt] = (await store.attempts(id, job, page)).rows;
  if (attempt === undefined) throw new Error('no attempt');
  return {
    eventCursor: writeEventCursor(id, position),
    forgedEventCursor: writeEventCursor(asker, { ...position, epoch: `${CANARY}${position.epoch.slice(CANARY.length)}` }),
    jobCursors: jobCursors as Handles['jobCursors'],
    queueCursor: writeCursor(id, 'queues', [queue]),
    attemptCursor: writeCursor(id, `attempts ${job.id}`, attempt.key),
    tenantCursor: writeCursor(id, 'tenants', [tenantId]),
    deadGroupId,
    deadGroupCursors: deadGroupCursors as Handles['deadGroupCursors'],
    auditCursor: writeCursor(id, 'audit log', [1]),
  };
}

/** The same handles of nothing. */
export const twinsOf = (handles: Handles): Handles => mapped(handles, twinOf) as Handles;

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, mapped(child, change)]));
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function twinOf(text: string): string {
  if (text.includes(CANARY)) return text.replaceAll(CANARY, NOBODY);
  if (UUID.test(text)) return text.slice(0, -12) + backwards(text.slice(-12));
  const decoded = Buffer.from(text, 'base64url').toString();
  // A cursor of another tenant is to be no cursor; one of the asking tenant's own making stays one.
  if (decoded.startsWith('[') && !decoded.includes(`"${CANARY}-tenant"`)) return Buffer.from(decoded.replaceAll(CANARY, NOBODY)).toString('base64url');
  return backwards(text);
}

const backwards = (text: string): string => [...text].toReversed().join('');

/** Every handle by its place, the longest first, so that none is replaced as a part of another one. */
export function handlesByPlace(value: unknown, place = ''): readonly (readonly [place: string, text: string])[] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .flatMap(([name, child]) => handlesByPlace(child, `${place}.${name}`))
    .toSorted(([, one], [, other]) => other.length - one.length);
}
