/** Does on a driver what a command says, and tells what came back. */
import { FAILURES } from '../../src/domain/failures.ts';
import type { SubmitRequest } from '../../src/domain/idempotency.ts';
import type { JobState, TenantId } from '../../src/domain/job.ts';
import type { BulkAction, BulkRequest, ClaimRequest, FailRequest } from '../../src/store/requests.ts';
import type { QueueDriver } from '../conformance/driver.ts';
import { T0_MS } from '../support/manual-clock.ts';
import { type Observed, observed, observedJob, observedPlain } from './observed.ts';
import type { Command, Holder } from './scenario.ts';

/** Jobs and tokens by the names that the scenario gives them. */
export interface Names {
  jobId(label: string): string;
  token(holder: Holder): string;
}

interface Scene {
  readonly driver: QueueDriver;
  readonly tenant: TenantId;
  readonly names: Names;
  readonly command: Command;
}

export async function perform(scene: Scene): Promise<readonly Observed[]> {
  const act = VERB_ACTS[scene.command.verb];
  if (act === undefined) throw new Error(`nothing performs ${scene.command.verb}`);
  return act(scene);
}

const VERB_ACTS: Readonly<Record<string, (scene: Scene) => Promise<readonly Observed[]>>> = {
  submit,
  claim,
  async heartbeat({ driver, tenant, names, command }) {
    const percent = number(command, 'progress');
    const note = text(command, 'note');
    const progress = percent === null && note === null ? null : { percent, note };
    const requests = command.holders.map((holder) => ({ ...held(names, holder), extendSeconds: seconds(command, 'for'), progress }));
    return (await driver.heartbeat(tenant, requests)).map((answer) =>
      observed(answer, ({ leaseExpiresAtMs, cancelRequested, cancelReason }) =>
        observedPlain({ state: 'live', until: leaseExpiresAtMs - T0_MS, 'cancel-requested': cancelRequested, reason: cancelReason }, ['cancel-requested']),
      ),
    );
  },
  async complete({ driver, tenant, names, command }) {
    const requests = command.holders.map((holder) => ({ ...held(names, holder), resultJson: text(command, 'result') }));
    return (await driver.complete(tenant, requests)).map((answer) => observed(answer, ({ job, replayed }) => observedJob(job, { replayed })));
  },
  fail,
  async release({ driver, tenant, names, command }) {
    const requests = command.holders.map((holder) => ({ ...held(names, holder), afterSeconds: seconds(command, 'after') ?? 0 }));
    return (await driver.release(tenant, requests)).map((answer) => observed(answer, ({ job, replayed }) => observedJob(job, { replayed })));
  },
  async cancel(scene) {
    const { driver, tenant, command } = scene;
    const reason = text(command, 'reason');
    const force = command.options.has('force');
    if (command.subjects.length === 0) return bulk(scene, { name: 'cancel', reason, force });
    return each(scene, async (jobId) =>
      observed(await driver.cancel(tenant, { jobId, reason, force }), ({ job, finished }) => {
        if (finished !== (job.state === 'cancelled')) throw new Error(`the answer says finished: ${finished} of a job that is ${job.state}`);
        return observedJob(job);
      }),
    );
  },
  async redrive(scene) {
    const { driver, tenant, command } = scene;
    const start = startOf(command);
    if (command.subjects.length === 0) return bulk(scene, { name: 'redrive', start });
    const request = { start, maxAttempts: number(command, 'attempts'), payloadJson: text(command, 'payload') };
    return each(scene, async (jobId) => observed(await driver.redrive(tenant, { jobId, ...request }), ({ job }) => observedJob(job)));
  },
  async reschedule(scene) {
    const { driver, tenant, command } = scene;
    const request = { start: startOf(command), priority: number(command, 'priority') };
    return each(scene, async (jobId) => observed(await driver.reschedule(tenant, { jobId, ...request }), ({ job }) => observedJob(job)));
  },
  async purge(scene) {
    if (scene.command.subjects.length === 0) return bulk(scene, { name: 'purge' });
    return each(scene, (jobId) => purge(scene, jobId));
  },
  async pause({ driver, tenant, command }) {
    const answer = await driver.pause(tenant, command.subjects[0] ?? '', text(command, 'reason'));
    return [observed(answer, ({ changed }) => observedPlain({ state: 'paused', changed: Number(changed) }))];
  },
  async resume({ driver, tenant, command }) {
    const answer = await driver.resume(tenant, command.subjects[0] ?? '');
    return [observed(answer, ({ changed }) => observedPlain({ state: 'open', changed: Number(changed) }))];
  },
  configure,
  sweep: async ({ driver }) => [observedPlain({ state: 'done', expired: await driver.sweep() })],
  retain: async ({ driver }) => [observedPlain({ state: 'done', removed: await driver.retain() })],
};

async function submit({ driver, tenant, command }: Scene): Promise<readonly Observed[]> {
  const request: SubmitRequest = {
    queue: text(command, 'in') ?? 'default',
    task: text(command, 'task') ?? 'work',
    payloadJson: text(command, 'payload') ?? '{}',
    priority: number(command, 'priority'),
    maxAttempts: number(command, 'attempts'),
    retryBaseSeconds: seconds(command, 'backoff'),
    retryMaxSeconds: seconds(command, 'cap'),
    start: startOf(command),
    concurrencyKey: text(command, 'concurrency'),
    tags: (command.lists.get('tags') ?? []).map((tag) => ({ key: tag.split('=')[0] ?? '', value: tag.split('=')[1] ?? '' })),
    idempotencyKey: text(command, 'key'),
  };
  const answers = await driver.submit(
    tenant,
    command.subjects.map(() => request),
    command.options.has('together'),
  );
  return answers.map((answer) => observed(answer, ({ job, deduplicated }) => observedJob(job, { deduplicated })));
}

async function claim({ driver, tenant, names, command }: Scene): Promise<readonly Observed[]> {
  const request: ClaimRequest = {
    queues: command.lists.get('from') ?? ['default'],
    workerId: text(command, 'by') ?? 'w1',
    max: number(command, 'max') ?? 1,
    leaseSeconds: seconds(command, 'lease'),
    waitSeconds: 0,
    tasks: command.lists.get('tasks') ?? null,
    requestId: text(command, 'request'),
    completing: command.holders.map((holder) => ({ ...held(names, holder), resultJson: null })),
  };
  const { completed, leases, idle } = await driver.claim(tenant, request);
  if ((idle === null) !== leases.length > 0) throw new Error(`the claim gave ${leases.length} leases and says idle: ${idle}`);
  const settled = completed.map((answer) => observed(answer, ({ job, replayed }) => observedJob(job, { replayed })));
  const taken = leases.map(({ job, leaseToken, leaseExpiresAtMs }) => observedJob(job, { until: leaseExpiresAtMs - T0_MS }, leaseToken));
  return [...settled, ...(taken.length > 0 ? taken : [observedPlain({ state: 'nothing', idle: idle?.toUpperCase() ?? null })])];
}

async function fail({ driver, tenant, names, command }: Scene): Promise<readonly Observed[]> {
  const [holder] = command.holders;
  if (holder === undefined || command.holders.length > 1) throw new Error('a failure is reported for one job at a time');
  const afterSeconds = seconds(command, 'after');
  const retry: FailRequest['retry'] = command.options.has('never') ? { never: true } : afterSeconds === null ? null : { afterSeconds };
  const error = { type: text(command, 'type'), message: text(command, 'error') ?? 'failed', detailsJson: text(command, 'details') };
  const answer = await driver.fail(tenant, { ...held(names, holder), error, retry });
  return [
    observed(answer, ({ job, replayed, retryAtMs, deadLettered }) => {
      const isRetry = job.state === 'retry';
      if (!replayed && deadLettered !== (job.state === 'dead')) throw new Error(`the answer says deadLettered: ${deadLettered} of a job that is ${job.state}`);
      if (!replayed && retryAtMs !== (isRetry ? job.runAtMs : null))
        throw new Error(`the answer says retryAt: ${retryAtMs} of a job that is ${job.state} until ${job.runAtMs}`);
      return observedJob(job, { replayed });
    }),
  ];
}

/** The entries that have a value. */
function named<Value>(entries: Readonly<Record<string, Value | null>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, Value] => entry[1] !== null));
}

async function configure({ driver, tenant, command }: Scene): Promise<readonly Observed[]> {
  const answer = await driver.configure(tenant, {
    name: command.subjects[0] ?? '',
    expectedVersion: null,
    defaults: named({
      priority: number(command, 'priority'),
      maxAttempts: number(command, 'attempts'),
      retryBaseSeconds: seconds(command, 'backoff'),
      retryMaxSeconds: seconds(command, 'cap'),
      leaseSeconds: seconds(command, 'lease'),
    }),
    retention: named({
      completedSeconds: seconds(command, 'completed'),
      cancelledSeconds: seconds(command, 'cancelled'),
      deadSeconds: seconds(command, 'dead'),
    }),
  });
  return [observed(answer, () => observedPlain({ state: 'done' }))];
}

async function purge({ driver, tenant }: Scene, jobId: string): Promise<Observed> {
  const { changed, skipped, samples } = await driver.bulk(tenant, { target: { ids: [jobId] }, action: { name: 'purge' }, limit: 1, dryRun: false });
  if (changed + skipped !== 1) throw new Error(`a purge of one job changed ${changed} and skipped ${skipped}`);
  const code = samples[0]?.code;
  if (changed === 1) return { ...observedPlain({ state: 'gone' }), jobId };
  if (code === undefined || !(code in FAILURES)) throw new Error('a job was skipped without a reason');
  return { ...observedPlain({ failure: code }), jobId };
}

async function bulk({ driver, tenant, command }: Scene, action: BulkAction): Promise<readonly Observed[]> {
  const [queue, task, state] = [text(command, 'in'), text(command, 'task'), text(command, 'state')];
  const request: BulkRequest = {
    target: {
      filter: { ...(queue !== null && { queues: [queue] }), ...(task !== null && { tasks: [task] }), ...(state !== null && { states: [state as JobState] }) },
    },
    action,
    limit: number(command, 'limit') ?? 1_000,
    dryRun: command.options.has('dry'),
  };
  const { matched, changed, skipped } = await driver.bulk(tenant, request);
  return [observedPlain({ state: 'done', matched: matched.value, changed, skipped })];
}

async function each({ names, command }: Scene, act: (jobId: string) => Promise<Observed>): Promise<readonly Observed[]> {
  const seen: Observed[] = [];
  for (const label of command.subjects) seen.push(await act(names.jobId(label)));
  return seen;
}

function held(names: Names, holder: Holder): { readonly jobId: string; readonly leaseToken: string } {
  return { jobId: names.jobId(holder.label), leaseToken: names.token(holder) };
}

function text({ options }: Command, name: string): string | null {
  const value = options.get(name);
  return value === undefined ? null : String(value);
}

function number({ options }: Command, name: string): number | null {
  const value = options.get(name);
  return value === undefined ? null : Number(value);
}

function seconds(command: Command, name: string): number | null {
  const ms = number(command, name);
  return ms === null ? null : ms / 1000;
}

function startOf(command: Command): SubmitRequest['start'] {
  const inMs = number(command, 'start in');
  const atMs = number(command, 'start at');
  if (inMs !== null) return { inSeconds: inMs / 1000 };
  return atMs === null ? null : { atMs: T0_MS + atMs };
}
